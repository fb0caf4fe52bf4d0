/** What the ledger knows of the course of an exchange, in milliseconds from its beginning. */
export interface Course {
  readonly target: string | null
  readonly result: string
  readonly attempts: number
  /** Spent waiting for a place in the engine. */
  readonly queueMs: number | null
  readonly firstByteMs: number | null
  readonly totalMs: number
  /** Those that were asked; empty where the first one answered at once. */
  readonly tries: readonly {
    readonly target: string
    readonly result: string
    readonly startedMs: number
    readonly tookMs: number
  }[]
}

export type StageKind = 'gateway' | 'queue' | 'failed' | 'attempt' | 'rest'

/** One bar of the waterfall. */
export interface Stage {
  readonly kind: StageKind
  readonly label: string
  readonly startMs: number
  readonly tookMs: number
  /** How an attempt ended that gave no answer. */
  readonly result?: string
}

/**
 * The stages of an exchange in their order: what the gateway did first, each attempt that failed, the wait for a place,
 * the attempt that was answered up to its first byte, and the rest of the answer. No stage is longer than the exchange.
 */
export function stagesOf(course: Course): readonly Stage[] {
  const { totalMs, queueMs, firstByteMs, tries, target } = course
  const failed = tries.filter(({ result }) => result !== 'answered')
  const answered = tries.findLast(({ result }) => result === 'answered')
  const begin = answered?.startedMs ?? endOf(failed.at(-1))
  const stages: Stage[] = []
  const add = (kind: StageKind, label: string, { from, to, ...more }: Span): void => {
    const startMs = within(from, totalMs)
    const tookMs = Math.max(0, within(to, totalMs) - startMs)
    stages.push({ kind, label, startMs, tookMs, ...more })
  }
  const first = tries[0]?.startedMs ?? 0
  if (first > 0) add('gateway', 'Before the first attempt', { from: 0, to: first })
  for (const { target: asked, startedMs, tookMs, result } of failed)
    add('failed', asked, { from: startedMs, to: startedMs + tookMs, result })
  const hasNoAnswer = answered === undefined && tries.length > 0
  if (target === null || hasNoAnswer) {
    // A budget, a queue or the caller ended it, and nobody was asked; or nobody answered, and that has been told.
    if (stages.length === 0) add('gateway', 'In the gateway', { from: 0, to: totalMs })
    return stages
  }
  const waitedUntil = begin + (queueMs ?? 0)
  if (waitedUntil > begin) add('queue', 'Waiting for a place', { from: begin, to: waitedUntil })
  add('attempt', target, { from: waitedUntil, to: firstByteMs ?? totalMs })
  if (firstByteMs !== null)
    add('rest', 'The rest of the answer', { from: firstByteMs, to: totalMs })
  return stages
}

/** Where a stage lies on a line of 100. Every stage can be seen, however short it was. */
export function placeOf({ startMs, tookMs }: Stage, totalMs: number): Place {
  const whole = Math.max(totalMs, 1)
  const width = Math.max((tookMs / whole) * 100, leastWidth)
  return { left: Math.min((startMs / whole) * 100, 100 - width), width }
}

export interface Place {
  readonly left: number
  readonly width: number
}

const leastWidth = 0.5

/** Round times to write on the scale: nought, and at most so many more up to the whole. */
export function ticksOf(totalMs: number, most = 5): readonly number[] {
  const whole = Math.max(totalMs, 1)
  const rough = whole / most
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= rough) ?? rough
  return Array.from({ length: Math.floor(whole / step) + 1 }, (_, at) => at * step)
}

interface Span {
  readonly from: number
  readonly to: number
  readonly result?: string
}

function endOf(attempt: Course['tries'][number] | undefined): number {
  return attempt === undefined ? 0 : attempt.startedMs + attempt.tookMs
}

function within(ms: number, totalMs: number): number {
  return Math.min(Math.max(ms, 0), totalMs)
}
