import { SseReader } from '#std/sse.ts'
import type { ExchangeRow } from '#usage/exchanges.ts'

import { shown } from './exchange-shape.ts'

/**
 * An answer of the gateway as events of the admin API: how it begins, each event of its stream or its whole body, and
 * what the ledger says of it at last. An answer that is cut off is told as such, and never looks complete.
 */
export async function* playgroundEvents(
  response: Response,
  rowOf: (requestId: string) => Promise<ExchangeRow | undefined>,
) {
  const { status, headers } = response
  const requestId = headers.get('x-request-id') ?? ''
  const target = headers.get('x-parley-target')
  const notes = headers.get('x-parley-notes')
  yield { event: 'head', data: { status, requestId, target, notes } }
  try {
    if (headers.get('content-type')?.startsWith('text/event-stream') === true)
      yield* frames(response)
    else yield { event: 'body', data: { text: await response.text() } }
  } catch {
    // Why it broke, the last frame has said; that it did, only the socket tells.
    yield { event: 'broken', data: { message: 'The answer was cut off before its end.' } }
    return
  }
  yield { event: 'ended', data: { exchange: await exchangeOf(requestId, rowOf) } }
}

async function* frames({ body }: Response) {
  const reader = new SseReader()
  for await (const read of body ?? [])
    for (const { event, data, isComment } of reader.push(read))
      if (!isComment) yield { event: 'frame', data: { event, data } }
}

/** What was refused before it was anybody's exchange is not in the ledger. */
async function exchangeOf(
  requestId: string,
  rowOf: (requestId: string) => Promise<ExchangeRow | undefined>,
) {
  try {
    const row = await rowOf(requestId)
    return row === undefined ? null : shown(row)
  } catch {
    return null
  }
}
