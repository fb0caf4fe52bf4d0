import { describe, expect, setDefaultTimeout, test } from 'bun:test'

import type { Policy } from '#keys/policy.ts'

import { openaiOf } from './chat-callers.ts'
import { contentRig, type ContentRig, logging } from './content-rig.ts'
import {
  anthropicOf,
  asksStream,
  bothLanes,
  completion,
  rejection,
  servedBy,
  toolCall,
} from './messages-callers.ts'
import {
  json,
  type RecordedRequest,
  reset,
  type Script,
  sse,
  startScriptedUpstream,
  waitFor,
} from './scripted-upstream.ts'
import type { TestGateway } from './start-gateway.ts'
import { until } from './until.ts'

// Whoever has not switched content logging on finds nothing of what was said anywhere: not in the database, its log,
// or any other file of the home, and not in what the gateway logs.

// The engine takes its time to start on a machine with much else to do.
setDefaultTimeout(60_000)

const asked = 'marker-of-the-question-8c1f'
const answered = 'marker-of-the-answer-3d7a'

const messages = [{ role: 'user' as const, content: asked }]
const chat = { model: 'm', messages, user: `${asked}-user` }
const own = { model: 'm', max_tokens: 32, messages, system: `${asked}-system` }

/** Everything that can become of a request, by an upstream that does to each path in turn what is next in the list. */
const fates = {
  answer: (request: RecordedRequest, lane: Lane) =>
    asksStream(request) ? streamed(lane) : whole(lane),
  call: (request: RecordedRequest, lane: Lane) =>
    asksStream(request) ? streamed(lane) : wholeCall(lane),
  refuse: () => json(400, failure('invalid_request_error')),
  fail: () => json(500, failure('api_error')),
  'break off': (_: RecordedRequest, lane: Lane) => [...streamed(lane).slice(0, -1), reset],
  'talk nonsense': () => json(200, `{"${answered}": `),
} as const satisfies Record<string, (request: RecordedRequest, lane: Lane) => Script>

type Lane = (typeof bothLanes)[number]
type Fate = keyof typeof fates

const ways: Readonly<Record<string, (gateway: TestGateway) => Promise<unknown>>> = {
  messages: (gateway) => anthropicOf(gateway).messages.create(own),
  'messages, streamed': (gateway) => anthropicOf(gateway).messages.stream(own).finalMessage(),
  chat: (gateway) => openaiOf(gateway).chat.completions.create(chat),
  'chat, streamed': (gateway) =>
    openaiOf(gateway).chat.completions.stream(chat).finalChatCompletion(),
}

/** Asks everything in every way; resolves when all of it is in the ledger. */
async function askEverything(rig: ContentRig, gateway: TestGateway): Promise<void> {
  for (const way of Object.values(ways)) await way(gateway).catch(() => undefined)
  const rows = () =>
    rig.gateway.gateway.storage.database
      .query<{ rows: number }, []>('SELECT count(*) AS rows FROM ledger')
      .get()?.rows ?? 0
  await until(() => rows() === Object.keys(ways).length)
}

describe.each(bothLanes)('without content logging, with a %s upstream', (lane) => {
  test.each(Object.keys(fates) as Fate[])('nothing is left of exchanges that %s', async (fate) => {
    const logged: string[] = []
    await using upstream = await startScriptedUpstream((request) => fates[fate](request, lane))
    await using rig = await contentRig(servedBy(lane, upstream), (line) => void logged.push(line))
    await askEverything(rig, await rig.as({}))
    expect(tracesIn(rig, logged)).toEqual([])
  })

  test('the same exchanges leave something where it is on, so that the search finds what there is', async () => {
    await using upstream = await startScriptedUpstream((request) => fates.answer(request, lane))
    await using rig = await contentRig(servedBy(lane, upstream))
    await askEverything(rig, await rig.as(logging))
    await rig.kept(4)
    expect(rig.filesWith(asked)).not.toEqual([])
    expect(rig.filesWith(answered)).not.toEqual([])
  })
})

describe('without content logging', () => {
  const policies: readonly (readonly [string, Policy, Record<string, string>])[] = [
    ['by default', {}, {}],
    ['where it is off', { contentLogging: false }, {}],
    ['where the caller refuses', logging, { 'x-parley-content-logging': 'off' }],
  ]

  test.each(policies)('%s, nothing is left, whatever was asked for', async (_, policy, headers) => {
    const logged: string[] = []
    const held = Promise.withResolvers<void>()
    await using upstream = await startScriptedUpstream((request) => {
      if (request.path.includes('embeddings')) return json(200, vectors)
      if (request.path.includes('count_tokens')) return json(200, { input_tokens: 3 })
      return request.body.includes('leave')
        ? sse(framesOf('messages').slice(0, 3), { ending: [waitFor(held.promise)] })
        : whole('messages')
    })
    const served = servedBy('messages', upstream).upstreams ?? {}
    const more = { protocol: 'chat-completions', url: upstream.url, key: 'k', serves: ['e'] }
    await using rig = await contentRig(
      { upstreams: { ...served, vectors: more } },
      (line) => void logged.push(line),
    )
    const gateway = await rig.as(policy)
    const statusOf = async (path: string, body: object | string) => {
      const response = await gateway.post(path, body, headers)
      await response.text()
      return response.status
    }
    expect(await statusOf('/v1/messages', own)).toBe(200)
    expect(await statusOf('/v1/chat/completions', chat)).toBe(200)
    expect(await statusOf('/v1/embeddings', { model: 'e', input: asked })).toBe(200)
    expect(await statusOf('/v1/messages/count_tokens', own)).toBe(200)
    expect(await statusOf('/v1/messages', { ...own, messages: asked })).toBe(400)
    expect(await statusOf('/v1/chat/completions', `{"${asked}": `)).toBe(400)
    const stream = anthropicOf(gateway, { defaultHeaders: headers }).messages.stream({
      ...own,
      messages: [{ role: 'user', content: `${asked} leave` }],
    })
    stream.on('text', () => stream.abort())
    await rejection(stream.finalText())
    await until(() => rig.gateway.gateway.inFlight === 0)
    held.resolve()
    expect(tracesIn(rig, logged)).toEqual([])
  })

  test('nothing is left of what the engine was asked', async () => {
    const logged: string[] = []
    await using rig = await contentRig({ engine: {} }, (line) => void logged.push(line))
    const gateway = await rig.as({})
    const model = 'parley-mini'
    const completed = await openaiOf(gateway).chat.completions.create({
      ...chat,
      model,
      max_tokens: 8,
    })
    expect(completed.usage?.prompt_tokens).toBeGreaterThan(5)
    await anthropicOf(gateway)
      .messages.stream({ ...own, model, max_tokens: 8 })
      .finalMessage()
    await openaiOf(gateway).embeddings.create({ model: 'parley-mini-embed', input: asked })
    expect(tracesIn(rig, logged)).toEqual([])
  })
})

/** Where anything of what was said is left. */
function tracesIn(rig: ContentRig, logged: readonly string[]): string[] {
  return [asked, answered].flatMap((marker) => [
    ...rig.filesWith(marker),
    ...logged.filter((line) => line.includes(marker)),
  ])
}

const vectors = {
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [0.25] }],
  model: 'e',
  usage: { prompt_tokens: 1, total_tokens: 1 },
}

function failure(type: string): object {
  return { type: 'error', error: { type, message: `I do not take ${answered}` } }
}

function whole(lane: Lane): Script {
  if (lane === 'chat-completions') return json(200, completion({ content: answered }))
  return json(200, wholeMessage({ type: 'text', text: answered }))
}

function wholeCall(lane: Lane): Script {
  const input = { question: answered }
  if (lane === 'messages')
    return json(200, wholeMessage({ type: 'tool_use', id: 'toolu_1', name: 'look', input }))
  const call = toolCall('call_1', 'look', JSON.stringify(input))
  return json(200, completion({ tool_calls: [call] }, 'tool_calls'))
}

function wholeMessage(block: object): object {
  return {
    id: 'msg_up',
    type: 'message',
    role: 'assistant',
    model: 'big-1',
    content: [block],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  }
}

function streamed(lane: Lane): Script {
  return sse(framesOf(lane))
}

function framesOf(lane: Lane): string[] {
  if (lane === 'messages') {
    const events = [
      { type: 'message_start', message: { ...wholeMessage({}), content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: answered } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ]
    return events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`)
  }
  const chunk = (delta: object, finish: string | null) => ({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const chunks = [chunk({ role: 'assistant', content: answered }, null), chunk({}, 'stop')]
  return [...chunks.map((one) => JSON.stringify(one)), '[DONE]'].map((data) => `data: ${data}\n\n`)
}
