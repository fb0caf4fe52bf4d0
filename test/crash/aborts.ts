import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { ProtocolName } from '#chat/names.ts'

import { type Case, type Left, newStage, type Row } from './abort-stage.ts'
import type { Recording } from './recordings.ts'

export interface AbortsEnd {
  readonly aborts: number
  /** How long upstreams' sockets lived on after their client had left: milliseconds, the slowest one and p99. */
  readonly closedMs: { readonly p99: number; readonly most: number }
  readonly exact: number
  readonly estimated: number
  readonly violations: readonly string[]
}

/** Clients of both protocols leave each recording after every one of its frames. */
export async function abortMatrix(recordings: readonly Recording[]): Promise<AbortsEnd> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-aborts-'))
  try {
    await using stage = await newStage(join(folder, 'parley.db'), recordings)
    const lanes = recordings.flatMap((recording) =>
      clients.map((client) => ({ recording, client })),
    )
    const lengths = await inParallel(lanes, (lane) => stage.lengthsOf(lane))
    const cases = lanes.flatMap(({ recording, client }, lane) =>
      recording.frames.slice(1).map((_, at) => ({
        recording,
        client,
        frames: at + 1,
        model: modelOf(recordings.indexOf(recording), client, at + 1),
        bytes: lengths[lane]?.[at] ?? 0,
      })),
    )
    const left = await inParallel(cases, (one) => stage.leave(one))
    const rows = await stage.rows(cases.length)
    const violations = cases.flatMap((one, at) => {
      const seen = left[at]
      const fault = seen === undefined ? 'was not run' : faultOf(one, seen, rows.get(one.model))
      if (fault === undefined) return []
      return [
        `P6: ${one.recording.name} for a ${one.client} client, ${one.frames} frames: ${fault}`,
      ]
    })
    const counted = [...rows.values()].map((row) => row.counted)
    const times = left.map(({ closedMs }) => closedMs).toSorted((one, other) => one - other)
    return {
      aborts: cases.length,
      closedMs: { p99: times[Math.floor(times.length * 0.99)] ?? 0, most: times.at(-1) ?? 0 },
      exact: counted.filter((how) => how === 'exact').length,
      estimated: counted.filter((how) => how === 'estimated').length,
      violations: [...violations, ...stage.oracle()],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const clients: readonly ProtocolName[] = ['chat-completions', 'messages']

/** More at once would only wait for each other. */
const atOnce = 32

async function inParallel<In, Out>(
  list: readonly In[],
  work: (one: In) => Promise<Out>,
): Promise<Out[]> {
  const done: Out[] = []
  let next = 0
  const workers = Array.from({ length: atOnce }, async () => {
    for (let at = next++; at < list.length; at = next++) done[at] = await work(list[at] as In)
  })
  await Promise.all(workers)
  return done
}

const modelOf = (recording: number, client: ProtocolName, frames: number): string =>
  `up-${recording}/${client}-${frames}`

function faultOf(
  { recording, frames }: Case,
  left: Left,
  row: Row | undefined,
): string | undefined {
  if (!left.isClosed) return 'the upstream goes on talking'
  if (row === undefined) return 'it has no row'
  const hadEnd = recording.frames
    .slice(0, frames)
    .some((frame) => /finish_reason":"|stop_reason":"/.test(frame))
  if (row.result !== 'client-left' && !(hadEnd && row.result === 'complete'))
    return `its row says "${row.result}"`
  const output = row.output ?? 0
  if (output < left.tokens) return `${left.tokens} tokens were delivered and ${output} counted`
  // The upstream had the whole request in any case.
  if (row.cost === 0) return 'it was charged nothing'
  if (row.counted === 'none') return 'it was not counted'
  // A fixture's own count may be more than such a small request can cost: then there is an excess.
  if (row.cost >= row.held && row.excess === 0) return `it was charged all of the ${row.held} held`
  return undefined
}
