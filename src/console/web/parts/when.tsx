import { Nothing } from './amounts.tsx'

export interface WhenProps {
  /** Unix milliseconds. */
  readonly at: number | null | undefined
  /** `ago` says how long ago it was or how soon it is; the exact time is in its title. */
  readonly as?: 'time' | 'date' | 'ago'
}

/** A point in time, in the reader's own zone. */
export function When({ at, as = 'time' }: WhenProps) {
  if (at === null || at === undefined) return <Nothing />
  const exact = exactTime.format(at)
  return (
    <time className="number" dateTime={new Date(at).toISOString()} title={exact}>
      {as === 'ago' ? agoText(at) : as === 'date' ? exactDate.format(at) : exact}
    </time>
  )
}

const exactTime = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

const exactDate = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
})

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const steps = [
  ['second', 1000, 60_000],
  ['minute', 60_000, 3_600_000],
  ['hour', 3_600_000, 86_400_000],
  ['day', 86_400_000, 30 * 86_400_000],
] as const

/** `3 minutes ago`, `in 2 days`; a date where it is further away than that. */
export function agoText(at: number, now: number = Date.now()): string {
  const away = at - now
  for (const [unit, unitMs, untilMs] of steps)
    if (Math.abs(away) < untilMs) return relative.format(Math.round(away / unitMs), unit)
  return exactDate.format(at)
}
