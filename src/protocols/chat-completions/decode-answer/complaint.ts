import { objectIn, textIn } from '#protocols/chat-completions/wire.ts'
import { isObject, type JsonObject, parseJson, listIn } from '#std/json.ts'

/** What an upstream said of a failure, in whichever dialect. */
export interface Complaint {
  readonly message: string
  readonly type: string
  /** Its code as text, unless it is a number. */
  readonly code: string
  readonly param: string
  /** The status that the body itself names. */
  readonly status: number | undefined
}

/** What a failure inside a 200 would have had as its status, by the words of its code and type. */
const statusByWords: readonly (readonly [RegExp, number])[] = [
  [/quota|rate.?limit|too.?many|exhausted|slow_down/i, 429],
  [/authenti|unauthori|api.?key/i, 401],
  [/permission|forbidden/i, 403],
  [/context_length|exceed_context/i, 400],
  [/not.?found/i, 404],
  [/invalid|bad.?request|unsupported/i, 400],
  [/overload|unavailable|capacity/i, 503],
  [/time.?out|deadline/i, 504],
]

const keyLike = /\b(?:(?:sk|pk|rk|gsk|xai|nvapi|key)[-_]|AIza)[\w*-]{8,}|\bBearer\s+\S+/g

/** How much of what an upstream said is shown or kept. */
export const maxMessage = 2000

/** What a body says of a failure, wherever its dialect puts it. */
export function complaintIn(value: unknown): Complaint {
  const body = unwrapped(value) ?? {}
  const error = body['error']
  const inner = objectIn(error) ?? (body['object'] === 'error' || error === undefined ? body : {})
  const code = inner['code'] ?? body['code']
  return {
    message: messageIn(error, inner, body),
    type: textIn(inner['type']),
    code: typeof code === 'string' && !/^\d+$/.test(code) ? code : textIn(inner['status']),
    param: textIn(inner['param']),
    status: statusIn(code) ?? statusIn(inner['status']),
  }
}

function messageIn(error: unknown, inner: JsonObject, body: JsonObject): string {
  if (typeof error === 'string') return error
  const message = textIn(inner['message'])
  if (message !== '') return message
  const detail = body['detail']
  if (typeof detail === 'string') return detail
  return listIn(detail)
    .map((one) => textIn(objectIn(one)?.['msg']))
    .filter((text) => text !== '')
    .join('; ')
}

function statusIn(code: unknown): number | undefined {
  const status = typeof code === 'string' ? Number(code) : code
  const isStatus = typeof status === 'number' && Number.isInteger(status)
  return isStatus && status >= 400 && status < 600 ? status : undefined
}

/** The status that a failure inside a 200 stands for, by the words of its code and type. */
export function guessStatus({ type, code }: Complaint): number {
  const words = `${code} ${type}`
  return statusByWords.find(([pattern]) => pattern.test(words))?.[1] ?? 500
}

/** The object that a body is. Google's endpoint wraps the whole of it in a list. */
export function unwrapped(value: unknown): JsonObject | undefined {
  return objectIn(Array.isArray(value) ? value[0] : value)
}

/** A message as it may be shown: no page of HTML, no key, no flood. */
export function shown(message: string): string {
  if (/<html|<!doctype/i.test(message)) return ''
  const clean = message.replaceAll(keyLike, '[secret]')
  return clean.length > maxMessage ? `${clean.slice(0, maxMessage)}…` : clean
}

/** Whether a body may be relayed as it is: this protocol's own shape, nothing beside it, and nothing like a key in it. */
export function isOwnShape(text: string): boolean {
  const parsed = parseJson(text)
  const body = parsed.ok && isObject(parsed.value) ? parsed.value : {}
  const error = objectIn(body['error'])
  if (error === undefined || Object.keys(body).length > 1) return false
  if (text.search(keyLike) !== -1) return false
  return (
    typeof error['message'] === 'string' &&
    typeof error['type'] === 'string' &&
    isTextOrNull(error['param']) &&
    isTextOrNull(error['code'])
  )
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string'
}
