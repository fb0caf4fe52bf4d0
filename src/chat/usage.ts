/**
 * Tokens counted. A field that nobody reported is absent, never zero.
 * `input` leaves out what a prompt cache read or wrote; `output` includes `reasoning`.
 */
export interface Usage {
  readonly input?: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly output?: number
  readonly reasoning?: number
}

export const noUsage: Usage = {}

/**
 * Takes a later report into an earlier one. Reports are cumulative: the last value wins, is never
 * added, and a late zero does not erase what was known of the input.
 */
export function foldUsage(known: Usage, report: Usage): Usage {
  return {
    ...known,
    ...pick('input', report.input || (known.input ?? report.input)),
    ...pick('cacheRead', report.cacheRead || (known.cacheRead ?? report.cacheRead)),
    ...pick('cacheWrite', report.cacheWrite || (known.cacheWrite ?? report.cacheWrite)),
    ...pick('output', report.output ?? known.output),
    ...pick('reasoning', report.reasoning ?? known.reasoning),
  }
}

/** Everything that went in, cache included. */
export function totalInput(usage: Usage): number {
  return (usage.input ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0)
}

/** A count from outside: a finite number that is not negative, as an integer; anything else is no count. */
export function readCount(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return undefined
  return Math.min(Math.round(value), Number.MAX_SAFE_INTEGER)
}

function pick<Key extends keyof Usage>(
  key: Key,
  value: number | undefined,
): { readonly [K in Key]?: number } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: number }
}
