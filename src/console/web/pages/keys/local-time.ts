export type TypedTime =
  | { readonly type: 'time'; readonly at: number }
  | { readonly type: 'none' }
  | { readonly type: 'problem'; readonly words: string }

/** A time as a field for local dates has it, to the minute: `2026-01-31T15:05`. */
export function timeToType(at: number | undefined): string {
  if (at === undefined) return ''
  const date = new Date(at)
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The Unix milliseconds of what such a field holds, in the time zone of this browser. */
export function readTime(text: string): TypedTime {
  const typed = text.trim()
  if (typed === '') return { type: 'none' }
  const isWhole = /^\d{4,6}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(typed)
  const at = isWhole ? new Date(typed).getTime() : Number.NaN
  if (Number.isNaN(at)) return { type: 'problem', words: 'Choose a date with its time.' }
  return { type: 'time', at }
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
