import { optionsOf } from '#test/suite-options.ts'

import { writeProof } from './proof.ts'
import { type Outcome, type SuiteName, suiteNames, suites } from './suites.ts'

const values = optionsOf('Kills gateways and breaks their disks, and looks at what is left.', {
  minutes: { usual: '25', about: 'how long, all suites together' },
  seed: { usual: '1', about: 'what is drawn by chance' },
  only: { usual: suiteNames.join(','), about: 'the suites' },
  write: { usual: false, about: 'write the figures into docs/proof.md' },
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
