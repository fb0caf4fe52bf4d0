import { invalid } from './problem.ts'

/** Where a page ended, as the next one is asked for: nothing that a caller should read. */
export function cursorOf(time: number, id: string): string {
  return Buffer.from(`${time} ${id}`).toString('base64url')
}

/** Throws `request-invalid` for what is no cursor. */
export function readCursor(text: string): { readonly time: number; readonly id: string } {
  const said = Buffer.from(text, 'base64url').toString()
  const [, time, id] = /^(-?\d{1,16}) (.{0,200})$/s.exec(said) ?? []
  if (time === undefined || id === undefined)
    throw invalid('This is no cursor: take it from `next` of the page before.', 'after')
  return { time: Number(time), id }
}
