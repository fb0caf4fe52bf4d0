import { InvalidArgumentError } from 'commander'

const units = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** A length of time as people type it, `90m`, `24h`, `30d`, `2w`, in milliseconds. */
export function lengthOfTime(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  if (amount === '' || !isUnit(unit))
    throw new InvalidArgumentError('expected a time such as 90m, 24h, 30d or 2w')
  return Number(amount) * units[unit]
}

/** A date, `2026-01-31` or with a time of day, or a length of time from now on, in Unix milliseconds. */
export function timeAhead(now: number): (text: string) => number {
  return (text) => dateOf(text) ?? now + lengthOfTime(text)
}

/** A date, or a length of time before now, in Unix milliseconds. */
export function timeAgo(now: number): (text: string) => number {
  return (text) => dateOf(text) ?? now - lengthOfTime(text)
}

function isUnit(text: string): text is keyof typeof units {
  return text in units
}

/** A date without a time of day is the beginning of that day in UTC, as in reports. */
function dateOf(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined
  const time = Date.parse(text)
  if (Number.isNaN(time))
    throw new InvalidArgumentError('expected a date such as 2026-01-31 or 2026-01-31T14:00Z')
  return time
}
