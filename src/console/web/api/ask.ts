import { isUnattended } from './attendance.ts'
import { problemOf, unreachable } from './console-problem.ts'
import type { Answer, Call, Given, GivenArguments } from './contract.ts'
import { type ServerEvent, serverEvents } from './server-events.ts'

/**
 * Asks the admin API for something: `ask('GET /api/keys', { query: { limit: 20 } })`. What goes in and out is typed by
 * the API's own schemas. Throws a `ConsoleProblem`.
 */
export async function ask<Asked extends Call>(
  call: Asked,
  ...[given]: GivenArguments<Asked>
): Promise<Answer<Asked>> {
  return askChecked(call, given)
}

/** The same where what is given has been checked against its type before. */
export async function askChecked<Asked extends Call>(
  call: Asked,
  given: unknown,
  signal?: AbortSignal,
): Promise<Answer<Asked>> {
  const response = await send(call, given, signal)
  return response.json()
}

/** The same for a call that answers with events, as they come. Leaving the loop ends the request. */
export async function* askEvents<Asked extends Call>(
  call: Asked,
  given: Given<Asked>,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const response = await send(call, given, signal)
  if (response.body !== null) yield* serverEvents(response.body)
}

/** The same for a call that answers with lines of text: the whole of it, to be kept as a file. */
export async function askFile<Asked extends Call>(call: Asked, given: Given<Asked>): Promise<Blob> {
  const response = await send(call, given)
  return response.blob()
}

/** The parts of any call, as far as sending it cares. */
interface Sent {
  readonly signal?: AbortSignal
  readonly params?: Readonly<Record<string, string>>
  readonly query?: object
  readonly body?: unknown
}

/** Sends a call and gives the answer if it is a good one. Throws a `ConsoleProblem` for any other. */
export async function send(
  call: Call,
  given: unknown = {},
  signal?: AbortSignal,
): Promise<Response> {
  const [method = 'GET', path = ''] = call.split(' ')
  // Every `Given` is one of these; its own type has been checked where the call is written.
  const sent = given as Sent
  const response = await answered(urlOf(path, sent), {
    method,
    credentials: 'same-origin',
    headers: {
      ...(method !== 'GET' && changeHeaders),
      ...(isUnattended() && { 'x-parley-unattended': '1' }),
    },
    ...(method !== 'GET' && { body: JSON.stringify(sent.body ?? {}) }),
    ...(signal !== undefined && { signal }),
  })
  if (response.ok) return response
  throw await problemOf(response)
}

/** What a page of another origin cannot send, and what the API takes a change from. */
const changeHeaders = { 'content-type': 'application/json', 'x-parley-csrf': '1' }

async function answered(url: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(url, options)
  } catch (error) {
    if (options.signal?.aborted === true) throw error
    throw unreachable(error)
  }
}

function urlOf(path: string, { params = {}, query = {} }: Sent): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  if (pairs.length === 0) return filled
  return `${filled}?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`
}
