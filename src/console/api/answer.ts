import type { AdminProblem } from '#console/access/problem.ts'

import type { Route } from './route.ts'

/** A value as JSON, having passed the row's schema: what it does not name does not leave. */
export function jsonAnswer(route: Route, value: unknown, headers: Headers): Response {
  return Response.json(route.answer.parse(value), { status: route.status, headers })
}

/** Events, each checked as an answer is. Ends when the reader leaves. */
export function eventsAnswer(
  route: Route,
  events: AsyncIterable<{ readonly event: string; readonly data: unknown }>,
  headers: Headers,
): Response {
  headers.set('content-type', 'text/event-stream')
  async function* frames(): AsyncGenerator<string> {
    for await (const { event, data } of events)
      yield `event: ${event}\ndata: ${JSON.stringify(route.answer.parse(data))}\n\n`
  }
  return new Response(bytesOf(frames()), { headers })
}

export function linesAnswer(lines: AsyncIterable<string>, headers: Headers): Response {
  headers.set('content-type', 'text/plain; charset=utf-8')
  headers.set('content-disposition', 'attachment; filename="exchanges.txt"')
  return new Response(bytesOf(lines), { headers })
}

export function problemAnswer(
  problem: AdminProblem,
  requestId: string,
  headers: Headers,
): Response {
  const { code, message, param, retryAfter, status } = problem
  if (retryAfter !== undefined) headers.set('retry-after', String(retryAfter))
  const error = { code, message, ...(param !== undefined && { param }), requestId }
  return Response.json({ error }, { status, headers })
}

const encoder = new TextEncoder()

/** An async generator as a body has back-pressure: what is not taken is not made. */
async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield encoder.encode(text)
}
