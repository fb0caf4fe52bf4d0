import { optionsOf } from '#test/suite-options.ts'

import { slowAttackers } from './abuse.ts'
import { fairShares } from './fair.ts'
import type { Figure } from './figure.ts'
import {
  drainedStreams,
  heldStreams,
  peakStreams,
  refusedStreams,
  type Size,
  urgedStreams,
} from './parts.ts'
import { writeLoadProof } from './proof.ts'
import { soak } from './soak.ts'

const values = optionsOf('Holds thousands of streams through a real gateway.', {
  only: {
    usual: 'streams,peak,refused,fair,drain,urge,slow',
    about: 'the parts; there is also soak',
  },
  minutes: { usual: '30', about: 'how long a soak takes' },
  scale: { usual: '1', about: 'how many streams, as a share of the usual' },
  priority: { usual: '0', about: 'by how much all processes are raised, as root' },
  json: { usual: false, about: 'print JSON' },
  write: { usual: false, about: 'write the figures into docs/proof.md' },
})

interface Part {
  readonly size: Size
  readonly run: (size: Size) => Promise<readonly Figure[]>
}

const parts: Readonly<Record<string, Part>> = {
  streams: { size: { streams: 4000, seconds: 60 }, run: heldStreams },
  peak: { size: { streams: 8000, seconds: 5 }, run: peakStreams },
  refused: { size: { streams: 8000, seconds: 5 }, run: refusedStreams },
  fair: { size: { streams: 1000, seconds: 20 }, run: fairShares },
  drain: { size: { streams: 500, seconds: 12 }, run: drainedStreams },
  urge: { size: { streams: 500, seconds: 60 }, run: urgedStreams },
  slow: { size: { streams: 3000, seconds: 80 }, run: slowAttackers },
  soak: { size: { streams: 400, seconds: Number(values.minutes) * 60 }, run: soak },
}

const results: Record<string, readonly Figure[]> = {}
for (const name of values.only.split(',')) {
  const part = parts[name]
  if (part === undefined)
    throw new Error(`There is no part "${name}". There are: ${Object.keys(parts).join(', ')}.`)
  const { size, run } = part
  const streams = Math.ceil(size.streams * Number(values.scale))
  const figures = await run({ ...size, streams, nice: -Number(values.priority) })
  results[name] = figures
  if (!values.json) print(name, figures)
}

const failed = Object.values(results).flatMap((figures) => figures.filter(({ holds }) => !holds))
if (values.json) console.log(JSON.stringify(results, undefined, 2))
if (values.write) writeLoadProof(results, { priority: Number(values.priority) })
process.exit(failed.length === 0 ? 0 : 1)

function print(name: string, figures: readonly Figure[]): void {
  console.log(`\n${name}`)
  for (const { what, value, limit, holds } of figures)
    console.log(`  ${holds ? ' ' : '!'} ${what.padEnd(58)} ${value.padStart(14)}  ${limit}`)
}
