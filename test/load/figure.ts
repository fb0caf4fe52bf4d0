/** A figure of a run, and whether it is what it has to be. */
export interface Figure {
  readonly what: string
  readonly value: string
  /** What it has to be, in words; empty for what is only told. */
  readonly limit: string
  readonly holds: boolean
}

export function atMost(what: string, value: number, most: number, unit = ''): Figure {
  return { what, value: `${round(value)}${unit}`, limit: `≤ ${most}${unit}`, holds: value <= most }
}

export function exactly(what: string, value: number, expected: number): Figure {
  return {
    what,
    value: grouped.format(value),
    limit: grouped.format(expected),
    holds: value === expected,
  }
}

/** Something that must not have happened; what did is named. */
export function none(what: string, found: Readonly<Record<string, number>>): Figure {
  const entries = Object.entries(found)
  const count = entries.reduce((sum, [, times]) => sum + times, 0)
  const words = entries.slice(0, 5).map(([name, times]) => `${times} × ${name}`)
  return { what, value: count === 0 ? '0' : words.join('; '), limit: '0', holds: count === 0 }
}

export function told(what: string, value: string): Figure {
  return { what, value, limit: '', holds: true }
}

const grouped = new Intl.NumberFormat('en')

function round(value: number): string {
  // What is a little below nothing is nothing, and not less than it.
  return grouped.format(Math.round(value * 10) / 10 || 0)
}
