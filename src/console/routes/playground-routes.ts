import { z } from 'zod'

import type { PlaygroundKey } from '#console/access/playground-keys.ts'
import { AdminProblem } from '#console/access/problem.ts'
import { type Asked, does, largestBodyBytes, reads } from '#console/api/route.ts'
import { defaultProject } from '#keys/project-record.ts'

import { exchange } from './exchange-shape.ts'
import { playgroundEvents } from './playground-events.ts'
import { count, id } from './shapes.ts'

const order = z.strictObject({
  projectId: id.default(defaultProject).meta({ description: 'Whose limits and budgets hold' }),
  request: z
    .looseObject({ model: z.string().min(1).max(400) })
    .meta({ description: 'The body of the request, in the words of its protocol' }),
})

const playgroundEvent = z
  .union([
    z.strictObject({
      status: count,
      requestId: z.string(),
      target: z.string().nullable(),
      notes: z.string().nullable(),
    }),
    z.strictObject({ event: z.string(), data: z.string() }),
    z.strictObject({ text: z.string() }),
    z.strictObject({ exchange: exchange.nullable() }),
    z.strictObject({ message: z.string() }),
  ])
  .meta({
    id: 'PlaygroundEvent',
    description:
      'Of `head` (what the gateway answers with), then `frame` for each event of a stream or one `body`, then `ended` with the row of the ledger, or `broken` where the answer was cut off',
  })

/** Trying models out: the gateway's own public API, asked as any client asks it, with a key of the user's own. */
export const playgroundRoutes = {
  'playground-show': reads({
    path: '/api/playground',
    role: 'operator',
    tenant: 'none',
    summary: 'Where clients on this machine reach the gateway.',
    answer: z.strictObject({ url: z.string() }),
    handle: async ({ parts }) => ({ url: parts.gatewayUrl() }),
  }),
  'playground-chat-completions': does({
    method: 'POST',
    path: '/api/playground/chat-completions',
    role: 'operator',
    tenant: 'projects',
    action: 'playground-ask',
    form: 'events',
    bodyBytes: largestBodyBytes,
    summary: 'Ask a model by chat completions, and follow the answer.',
    body: order,
    answer: playgroundEvent,
    objectOf,
    handle: (asked) =>
      answered(asked, {
        path: '/v1/chat/completions',
        headersOf: (key) => ({ authorization: `Bearer ${key.text.reveal()}` }),
      }),
  }),
  'playground-messages': does({
    method: 'POST',
    path: '/api/playground/messages',
    role: 'operator',
    tenant: 'projects',
    action: 'playground-ask',
    form: 'events',
    bodyBytes: largestBodyBytes,
    summary: 'Ask a model by messages, and follow the answer.',
    body: order,
    answer: playgroundEvent,
    objectOf,
    handle: (asked) =>
      answered(asked, {
        path: '/v1/messages',
        headersOf: (key) => ({
          'x-api-key': key.text.reveal(),
          'anthropic-version': '2023-06-01',
        }),
      }),
  }),
}

type Order = z.output<typeof order>

type Ordered = Asked<unknown, unknown, Order>

interface Way {
  readonly path: string
  readonly headersOf: (key: PlaygroundKey) => Readonly<Record<string, string>>
}

/** What is said is nobody's business: the log has who asked which model, and at whose expense. */
function objectOf({ body }: Ordered) {
  return { object: `project:${body.projectId}`, details: { model: body.request.model } }
}

async function answered(asked: Ordered, { path, headersOf }: Way) {
  const { parts, body, signal, data } = asked
  const asking = { actor: asked.actor, projectId: body.projectId }
  // Whoever is bound to projects is told before anything else that another one is not there.
  await data.projects.find(body.projectId)
  const headers = headersOf(await keyFor(asked))
  const response = await sent(`${parts.gatewayUrl()}${path}`, { headers, body, signal })
  if (response.status === 401) parts.playgroundKeys.forget(asking)
  return playgroundEvents(response, async (requestId) => {
    const found = await data.usage.find(requestId)
    return found.type === 'ended' ? found.exchange : undefined
  })
}

async function sent(
  url: string,
  { headers, body, signal }: Pick<Ordered, 'body' | 'signal'> & { readonly headers: object },
): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body.request),
      signal,
      // The way leads from this process into itself: no proxy of the environment knows it.
      proxy: false,
    })
  } catch (error) {
    throw new AdminProblem('unavailable', 'The gateway takes no requests at the moment.', {
      cause: error,
    })
  }
}

function keyFor({ parts, actor, body, data, record }: Ordered): Promise<PlaygroundKey> {
  const asking = { actor, projectId: body.projectId }
  return parts.playgroundKeys.of(asking, () =>
    record({ id: actor.userId, name: actor.name }, async () => {
      const result = await parts.playgroundKeys.issue(asking, data.keys)
      const details = { project: body.projectId }
      return { result, deed: { action: 'playground-key', object: `key:${result.id}`, details } }
    }),
  )
}
