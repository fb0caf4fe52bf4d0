import { writeFileSync } from 'node:fs'

import { optionsOf } from '#test/suite-options.ts'

import { corpusFile, kindNames, type KindName, kinds } from './kinds.ts'
import { type Found, told, tryMany } from './runs.ts'

const values = optionsOf('Sends what is made to break something.', {
  minutes: { usual: '10', about: 'how long, all kinds together' },
  seed: { usual: String(Math.floor(Math.random() * 2 ** 31)), about: 'what is made' },
  only: { usual: kindNames.join(','), about: 'the kinds' },
})

const seed = Number(values.seed)
const chosen = values.only.split(',').map(kindNamed)
const shareMs = (Number(values.minutes) * 60_000) / chosen.length
const broken: Found[] = []
process.on('uncaughtException', crashed).on('unhandledRejection', crashed)
for (const name of chosen) broken.push(...(await fuzz(name)))
console.log(`${broken.length} ways found to break something (seed ${seed})`)
process.exit(broken.length === 0 ? 0 : 1)

async function fuzz(name: KindName): Promise<readonly Found[]> {
  await using kind = await kinds[name]()
  const began = performance.now()
  let saidAt = began
  const rate = (tried: number) => Math.round((tried * 1000) / (performance.now() - began))
  const { tried, found } = await tryMany(kind, {
    seed,
    isOver: (count) => {
      const now = performance.now()
      if (now - saidAt > 10_000) {
        saidAt = now
        console.log(`${name}: ${count} tried, ${rate(count)} a second. ${kind.report()}`)
      }
      return now - began > shareMs
    },
  })
  console.log(
    `${name}: ${tried} tried, ${rate(tried)} a second, ${found.length} broke something. ${kind.report()}`,
  )
  for (const one of found) {
    const file = corpusFile(name, `found-${Bun.hash(one.input).toString(36)}`)
    writeFileSync(file, one.input)
    console.log(`${told(one)}\n  kept as ${file}`)
  }
  return found
}

/** What nobody caught is found too, but nobody knows which input it was of. */
function crashed(error: unknown): void {
  console.log(`Not caught, somewhere after seed ${seed}:`, error)
  process.exit(1)
}

function kindNamed(text: string): KindName {
  const name = kindNames.find((one) => one === text)
  if (name === undefined)
    throw new Error(`There is no kind "${text}". There are: ${kindNames.join(', ')}.`)
  return name
}
