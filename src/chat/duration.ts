/** A duration as Go writes it: `120ms` below a second, then whole seconds, rounded up: `1s`, `6m0s`, `23h59m0s`. Nothing is `0s`. */
export function durationText(ms: number): string {
  if (ms <= 0) return '0s'
  const whole = Math.ceil(ms)
  if (whole < 1000) return `${whole}ms`
  const seconds = Math.ceil(whole / 1000)
  const minutes = Math.floor(seconds / 60)
  if (minutes === 0) return `${seconds}s`
  const hours = Math.floor(minutes / 60)
  const ofHour = `${minutes % 60}m${seconds % 60}s`
  return hours === 0 ? ofHour : `${hours}h${ofHour}`
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Reads such a duration, parts of units included (`8.64s`), in milliseconds; undefined for what is none. */
export function readDuration(text: string): number | undefined {
  const parts = [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined
  const ms = parts.reduce((sum, [, n, unit = '']) => sum + Number(n) * (unitMs[unit] ?? 0), 0)
  return Number.isFinite(ms) ? ms : undefined
}
