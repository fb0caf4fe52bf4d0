import type { ServerEvent } from '#console/web/api/server-events.ts'

/** How far the fetching of a model is. */
export type PullState =
  | { readonly type: 'idle' }
  | { readonly type: 'asking'; readonly source: string }
  | {
      readonly type: 'fetching'
      readonly source: string
      readonly file: string
      readonly bytes: number
      /** Unknown where the other side does not say. */
      readonly total: number | null
      /** Bytes a second, since the first that was told. */
      readonly speed: number
      readonly begun: Begun
    }
  | { readonly type: 'done'; readonly model: string; readonly bytes: number }
  | { readonly type: 'failed'; readonly source: string; readonly message: string }
  | { readonly type: 'stopped'; readonly source: string }

/** From where the speed is measured: of this file, for what was there before was not fetched now. */
interface Begun {
  readonly file: string
  readonly bytes: number
  readonly at: number
}

/** The state after one more event of a pull. What cannot be read changes nothing. `now` is in milliseconds. */
export function pullAfter(state: PullState, { event, data }: ServerEvent, now: number): PullState {
  const said = membersOf(data)
  const source = 'source' in state ? state.source : ''
  if (event === 'failed')
    return {
      type: 'failed',
      source,
      message: textOf(said['message']) ?? 'It could not be fetched.',
    }
  if (event === 'done')
    return { type: 'done', model: textOf(said['model']) ?? '', bytes: countOf(said['bytes']) ?? 0 }
  const file = textOf(said['file'])
  const bytes = countOf(said['bytes'])
  if (event !== 'progress' || file === undefined || bytes === undefined) return state
  const before = state.type === 'fetching' ? state.begun : undefined
  const begun = before?.file === file && before.bytes <= bytes ? before : { file, bytes, at: now }
  const seconds = (now - begun.at) / 1000
  const speed = seconds > 0 ? (bytes - begun.bytes) / seconds : 0
  return {
    type: 'fetching',
    source,
    file,
    bytes,
    total: countOf(said['total']) ?? null,
    speed,
    begun,
  }
}

/** Seconds until the file is there, as far as that can be told. */
export function secondsLeft({
  bytes,
  total,
  speed,
}: Pick<Extract<PullState, { type: 'fetching' }>, 'bytes' | 'total' | 'speed'>):
  | number
  | undefined {
  return total === null || speed <= 0 ? undefined : Math.max(0, (total - bytes) / speed)
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined
}
