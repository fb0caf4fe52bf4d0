import { parseArgs } from 'node:util'

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

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'streams,peak,refused,fair,drain,urge,slow' },
    minutes: { type: 'string', default: '30' },
    scale: { type: 'string', default: '1' },
    priority: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
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
