/**
 * How many seconds an upstream asks to wait: `retry-after-ms`, else `retry-after` in seconds or as a date.
 * Undefined for none, and for what is neither. `now` is in Unix milliseconds.
 */
export function retryAfterOf(headers: Headers, now = Date.now()): number | undefined {
  const milliseconds = positive(headers.get('retry-after-ms'))
  if (milliseconds !== undefined) return milliseconds / 1000
  const said = headers.get('retry-after')
  const seconds = positive(said)
  if (said === null || seconds !== undefined) return seconds
  // A bare number would also be read as a year.
  const date = /[a-z]/i.test(said) ? Date.parse(said) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}

function positive(text: string | null): number | undefined {
  if (text === null || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined
  return Number(text)
}
