import { parseArgs } from 'node:util'

import { writeProof } from './proof.ts'
import { type Outcome, type SuiteName, suiteNames, suites } from './suites.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '25' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: suiteNames.join(',') },
    write: { type: 'boolean', default: false },
  },
})

/** Violations come in crowds, and the first ones tell the story. */
const mostShown = 20

const minutes = Number(values.minutes)
const seed = Number(values.seed)
const chosen = values.only.split(',').map(suiteOf)
const began = performance.now()
const outcomes = new Map<SuiteName, Outcome>()
const shares = chosen.reduce((sum, name) => sum + suites[name].share, 0)
for (const name of chosen) {
  const { share, run } = suites[name]
  const deadline = performance.now() + (minutes * 60_000 * share) / shares
  const outcome = await run({
    seed,
    isOver: () => performance.now() > deadline,
    say: (words) => console.log(`${name}: ${words}`),
  })
  outcomes.set(name, outcome)
  console.log(`${name}: ${outcome.done}. ${outcome.found}.`)
  for (const violation of outcome.violations.slice(0, mostShown)) console.log(`  ${violation}`)
}

const broken = [...outcomes.values()].reduce((sum, { violations }) => sum + violations.length, 0)
const taken = (performance.now() - began) / 60_000
console.log(`${broken} promises broken in ${taken.toFixed(1)} minutes (seed ${seed})`)
if (values.write) writeProof({ seed, minutes: taken, outcomes })
process.exitCode = broken === 0 ? 0 : 1

function suiteOf(text: string): SuiteName {
  const name = suiteNames.find((one) => one === text)
  if (name === undefined)
    throw new Error(`There is no suite "${text}". There are: ${suiteNames.join(', ')}.`)
  return name
}
