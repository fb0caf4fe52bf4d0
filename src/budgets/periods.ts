/** What a budget may be for. Days, weeks (from Monday on) and months are those of UTC; `total` never begins anew. */
export const periods = ['day', 'week', 'month', 'total'] as const

export type Period = (typeof periods)[number]

const msPerDay = 86_400_000

const starts: Readonly<Record<Period, (time: number) => number>> = {
  day: (time) => Math.floor(time / msPerDay) * msPerDay,
  week: (time) => {
    const day = Math.floor(time / msPerDay)
    // The first day of Unix time was a Thursday.
    return (day - ((((day + 3) % 7) + 7) % 7)) * msPerDay
  },
  month: (time) => {
    const date = new Date(time)
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
  },
  total: () => 0,
}

const ends: Readonly<Record<Period, (startsAt: number) => number>> = {
  day: (startsAt) => startsAt + msPerDay,
  week: (startsAt) => startsAt + 7 * msPerDay,
  month: (startsAt) => {
    const date = new Date(startsAt)
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
  },
  total: () => Number.POSITIVE_INFINITY,
}

/** When the period began that this time lies in. Unix milliseconds. */
export function periodStart(period: Period, time: number): number {
  return starts[period](time)
}

/** When the next one begins; infinite for `total`. */
export function periodEnd(period: Period, startsAt: number): number {
  return ends[period](startsAt)
}

export function isPeriod(word: string): word is Period {
  return (periods as readonly string[]).includes(word)
}
