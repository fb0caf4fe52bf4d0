import { describe, expect, setDefaultTimeout, test } from 'bun:test'

import { asked, openaiOf } from './chat-callers.ts'
import { contentRig, logging, onlyOf, textOf } from './content-rig.ts'
import { anthropicOf, bothLanes, hello, rejection, servedBy } from './messages-callers.ts'
import { blockDelta, blockStart, blockStop, ending, messageStart } from './messages-frames.ts'
import { calls, cutShort, text } from './same-answers.ts'
import {
  json,
  reset,
  sse,
  type Script,
  type ScriptedUpstream,
  startScriptedUpstream,
  waitFor,
} from './scripted-upstream.ts'
import type { TestGateway } from './start-gateway.ts'

// What is kept of exchanges whose key has content logging on: what their callers were told, by the official clients.

// A machine with much else to do is slow.
setDefaultTimeout(60_000)

const marker = 'a marker of this test'
const messages = [{ role: 'user' as const, content: `${marker}: hi` }]
const messagesParams = { model: 'm', max_tokens: 64, messages }
const chatParams = { model: 'm', messages }
const said = 'Hi there! 🙂 é\n\u2028data: x'

/** Every way to ask for the same, as the text that the caller makes of the answer. */
const ways: Readonly<Record<string, (gateway: TestGateway) => Promise<string | null | undefined>>> =
  {
    'messages, whole': async (gateway) => {
      const { content } = await anthropicOf(gateway).messages.create(messagesParams)
      return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    },
    'messages, streamed': (gateway) =>
      anthropicOf(gateway).messages.stream(messagesParams).finalText(),
    'chat completions, whole': async (gateway) =>
      (await openaiOf(gateway).chat.completions.create(chatParams)).choices[0]?.message.content,
    'chat completions, streamed': (gateway) =>
      openaiOf(gateway).chat.completions.stream(chatParams).finalContent(),
  }

describe.each(bothLanes)('with content logging on and a %s upstream', (lane) => {
  test.each(Object.keys(ways))('%s: what is kept is what the caller was told', async (way) => {
    await using upstream = await startScriptedUpstream(text[lane])
    await using rig = await contentRig(servedBy(lane, upstream))
    const told = await ways[way]?.(await rig.as(logging))
    const kept = onlyOf(await rig.kept(1))
    expect(told).toBe(said)
    expect(textOf(kept, 'text')).toBe(said)
    expect(kept.answer).toMatchObject({ isCut: false, end: 'end', error: null, vectors: null })
    expect(kept.request).toMatchObject({ isCut: false, body: { model: 'm', messages } })
  })

  test('calls of tools are kept, whole and streamed, in both protocols', async () => {
    await using upstream = await startScriptedUpstream(calls[lane])
    await using rig = await contentRig(servedBy(lane, upstream))
    const gateway = await rig.as(logging)
    const { completions } = openaiOf(gateway).chat
    const parameters = { type: 'object', properties: { city: { type: 'string' } } } as const
    const named = { name: 'get_weather', parameters }
    const chat = { ...asked, tools: [{ type: 'function' as const, function: named }] }
    await completions.create(chat)
    await completions.stream(chat).finalChatCompletion()
    const tools = [{ name: 'get_weather', input_schema: parameters }]
    await anthropicOf(gateway).messages.create({ ...messagesParams, tools })
    await anthropicOf(gateway)
      .messages.stream({ ...messagesParams, tools })
      .finalMessage()
    const kept = [...(await rig.kept(4)).values()]
    expect(kept).toHaveLength(4)
    for (const { answer } of kept) {
      const found = answer.blocks.filter(({ type }) => type === 'call')
      expect(found.map(({ name }) => name)).toEqual(['get_weather', 'get_weather'])
      expect(found.map((call) => JSON.parse(call.text))).toEqual([
        { city: 'Paris' },
        { city: 'Rome' },
      ])
      expect(new Set(found.map(({ id }) => id)).size).toBe(2)
      expect(answer.end).toBe('tool-use')
    }
  })

  test('of an answer that breaks off, what came before is kept, and the error', async () => {
    await using upstream = await startScriptedUpstream([cutShort(lane, [reset])])
    await using rig = await contentRig(servedBy(lane, upstream))
    const gateway = await rig.as(logging)
    const stream = openaiOf(gateway).chat.completions.stream(chatParams)
    await rejection(stream.finalChatCompletion())
    const { answer } = onlyOf(await rig.kept(1))
    expect(answer.end).toBeNull()
    expect(answer.error?.code).toBe('upstream-lost')
    expect(answer.error?.message.length).toBeGreaterThan(10)
  })

  test('of a refusal, what the caller was told is kept', async () => {
    const refusal = { error: { type: 'invalid_request_error', message: 'no such thing, mate' } }
    const body = lane === 'messages' ? { type: 'error', ...refusal } : refusal
    await using upstream = await startScriptedUpstream([json(400, body)])
    await using rig = await contentRig(servedBy(lane, upstream))
    const gateway = await rig.as(logging)
    const response = await gateway.post('/v1/messages', messagesParams)
    expect(response.status).toBe(400)
    expect(response.headers.get('x-parley-content-logging')).toBe('on')
    const told = (await response.json()) as { error: { message: string } }
    const { answer } = onlyOf(await rig.kept(1))
    expect(answer).toMatchObject({ blocks: [], end: null })
    expect(answer.error).toEqual({ code: 'upstream-refused', message: told.error.message })
    expect(told.error.message).toContain('no such thing, mate')
  })

  test('a secret is taken out wherever the frames of a stream cut it', async () => {
    const secret = 'sk-proj-0123456789abcdefghij'
    for (const pieces of [secret.split(''), [secret.slice(0, 5), secret.slice(5)]]) {
      const frames = streamOf(lane, ['the key is ', ...pieces, ' and no more'])
      await using upstream = await startScriptedUpstream([frames])
      await using rig = await contentRig(servedBy(lane, upstream))
      const gateway = await rig.as(logging)
      expect(await anthropicOf(gateway).messages.stream(messagesParams).finalText()).toContain(
        secret,
      )
      const kept = onlyOf(await rig.kept(1))
      expect(textOf(kept, 'text')).toBe('the key is [redacted: secret] and no more')
      expect(rig.filesWith(secret)).toEqual([])
    }
  })
})

describe('what is kept', () => {
  test('of embeddings is the text, and how many vectors there were', async () => {
    const data = [{ object: 'embedding', index: 0, embedding: [0.25, 0.5, 0.75] }]
    const usage = { prompt_tokens: 3, total_tokens: 3 }
    const reply = json(200, { object: 'list', data, model: 'real', usage })
    await using upstream = await startScriptedUpstream([reply])
    await using rig = await contentRig(servedBy('chat-completions', upstream))
    const gateway = await rig.as(logging)
    await openaiOf(gateway).embeddings.create({ model: 'm', input: marker })
    const { request, answer } = onlyOf(await rig.kept(1))
    expect(request.body).toMatchObject({ input: marker })
    expect(answer).toMatchObject({ blocks: [], vectors: { count: 1, width: 3 }, error: null })
  })

  test('of an answer that its caller leaves is what came until then', async () => {
    const held = Promise.withResolvers<void>()
    const open = blockStart(0, { type: 'text', text: '' })
    const first = blockDelta(0, { type: 'text_delta', text: 'Once upon a time' })
    const ending: Script = [waitFor(held.promise)]
    await using upstream = await startScriptedUpstream([
      sse([messageStart(), open, first], { ending }),
    ])
    await using rig = await contentRig(servedBy('messages', upstream))
    const gateway = await rig.as(logging)
    const stream = anthropicOf(gateway).messages.stream(messagesParams)
    stream.on('text', () => stream.abort())
    await rejection(stream.finalText())
    const kept = onlyOf(await rig.kept(1))
    expect(textOf(kept, 'text')).toBe('Once upon a time')
    expect(kept.answer).toMatchObject({ end: null, error: null })
    held.resolve()
  })

  test('of an answer that is given whole is that of the target that gave it, and of none if none did', async () => {
    const broken = cutShort('messages', [reset])
    await using first = await startScriptedUpstream([broken])
    await using second = await startScriptedUpstream(hello.messages)
    const at = (upstream: ScriptedUpstream, model: string) => ({
      protocol: 'messages',
      url: upstream.origin,
      key: 'k',
      serves: [model],
    })
    await using rig = await contentRig({
      upstreams: { first: at(first, 'one'), second: at(second, 'other') },
      models: { both: { targets: ['first/one', 'second/other'] } },
    })
    const gateway = await rig.as(logging)
    const { messages: own } = anthropicOf(gateway)
    await own.create({ ...messagesParams, model: 'both' })
    await rejection(own.create({ ...messagesParams, model: 'one' }))
    const [given, none] = [...(await rig.kept(2)).values()].map(({ answer }) => answer)
    expect(given?.blocks.map((block) => block.text)).toEqual(['Hello there'])
    expect(given?.error).toBeNull()
    expect(none).toMatchObject({ blocks: [], end: null, error: { code: 'upstream-lost' } })
  })

  test('of a thought is the thought, and nothing that only its maker can read', async () => {
    const thinking = { type: 'thinking', thinking: '', signature: '' }
    const signature = 'a-signature-of-its-maker'
    const frames = [
      messageStart(),
      blockStart(0, thinking),
      blockDelta(0, { type: 'thinking_delta', thinking: 'let me see' }),
      blockDelta(0, { type: 'signature_delta', signature }),
      blockStop(0),
      blockStart(1, { type: 'text', text: '' }),
      blockDelta(1, { type: 'text_delta', text: 'yes' }),
      blockStop(1),
      ending(),
    ]
    await using upstream = await startScriptedUpstream([sse(frames)])
    await using rig = await contentRig(servedBy('messages', upstream))
    const gateway = await rig.as(logging)
    await anthropicOf(gateway).messages.stream(messagesParams).finalMessage()
    const kept = onlyOf(await rig.kept(1))
    expect([textOf(kept, 'reasoning'), textOf(kept, 'text')]).toEqual(['let me see', 'yes'])
    expect(rig.filesWith(signature)).toEqual([])
  })

  test('of several answers is the first, marked as not all', async () => {
    const choice = (index: number) => ({
      index,
      message: { role: 'assistant', content: `answer ${index}` },
      finish_reason: 'stop',
    })
    const usage = { prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 }
    const reply = { id: 'x', object: 'chat.completion', created: 1, model: 'm', usage }
    const script = json(200, { ...reply, choices: [choice(0), choice(1)] })
    await using upstream = await startScriptedUpstream([script])
    await using rig = await contentRig(servedBy('chat-completions', upstream))
    const gateway = await rig.as(logging)
    await openaiOf(gateway).chat.completions.create({ ...chatParams, n: 2 })
    const kept = onlyOf(await rig.kept(1))
    expect(textOf(kept, 'text')).toBe('answer 0')
    expect(kept.answer.isCut).toBe(true)
  })

  test('is redacted by every rule, those of the operator too, before it reaches the disk', async () => {
    const secrets = [
      'ghp_abcdefghijklmnopqrst0123',
      '4111 1111 1111 1111',
      'ann@example.org',
      '+49 170 1234567',
      'ACME-4711',
    ]
    await using upstream = await startScriptedUpstream(hello['chat-completions'])
    await using rig = await contentRig({
      ...servedBy('chat-completions', upstream),
      privacy: { redact: [{ name: 'customer', pattern: String.raw`\bACME-\d+` }] },
    })
    const gateway = await rig.as(logging)
    const content = secrets.join('; ')
    await openaiOf(gateway).chat.completions.create({
      ...chatParams,
      messages: [{ role: 'user', content }],
    })
    const kept = onlyOf(await rig.kept(1))
    expect(JSON.stringify(kept.request.body)).toContain(
      '[redacted: secret]; [redacted: card]; [redacted: email]; [redacted: phone]; [redacted: customer]',
    )
    expect(kept.redacted.map(({ rule }) => rule).toSorted()).toEqual([
      'card',
      'customer',
      'email',
      'phone',
      'secret',
    ])
    for (const secret of secrets) expect(rig.filesWith(secret)).toEqual([])
  })

  test('is cut where it is too much, and says so', async () => {
    await using upstream = await startScriptedUpstream(text.messages)
    await using rig = await contentRig({
      ...servedBy('messages', upstream),
      privacy: { maxBytes: 1000 },
    })
    const gateway = await rig.as(logging)
    const long = Array.from({ length: 500 }, (_, at) => `word ${at}`).join(' ')
    await anthropicOf(gateway).messages.create({
      ...messagesParams,
      messages: [{ role: 'user', content: long }],
    })
    const { request } = onlyOf(await rig.kept(1))
    const shown = JSON.stringify(request.body)
    expect(request.isCut).toBe(true)
    expect(request.bytes).toBeGreaterThan(4000)
    expect(shown).toContain('word 0 word 1')
    expect(shown).toContain('word 499')
    expect(shown).toMatch(/\[cut: \d+ characters\]/)
    expect(shown).not.toContain('word 250')
    expect(rig.filesWith('word 250')).toEqual([])
  })
})

describe('whether anything is kept', () => {
  const off = { contentLogging: false }

  test('the caller is told of, and may always ask for nothing', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using rig = await contentRig(servedBy('messages', upstream))
    const gateway = await rig.as(logging)
    const headerOf = async (path: string, headers = {}, body: object = messagesParams) => {
      const response = await gateway.post(path, body, headers)
      await response.text()
      return response.headers.get('x-parley-content-logging')
    }
    const [chat, own] = ['/v1/chat/completions', '/v1/messages']
    for (const path of [chat, own])
      for (const stream of [false, true]) {
        expect(await headerOf(path, {}, { ...messagesParams, stream })).toBe('on')
        const refused = { 'x-parley-content-logging': ' OFF ' }
        expect(await headerOf(path, refused, { ...messagesParams, stream })).toBeNull()
      }
    expect(await headerOf(own, {}, { model: 'm' })).toBe('on')
    expect(await headerOf(own, {}, { ...messagesParams, model: 'unknown' })).toBe('on')
    expect(await headerOf(`${own}/count_tokens`)).toBeNull()
    expect(await headerOf('/v1/nowhere')).toBeNull()
    expect(await headerOf(own, { authorization: 'Bearer gk_live_wrong' })).toBeNull()
    expect((await rig.kept(5)).size).toBe(5)
  })

  test.each([
    [{}, {}, {}, false],
    [{}, {}, logging, true],
    [logging, {}, {}, true],
    [{}, logging, {}, true],
    [logging, off, {}, false],
    [logging, {}, off, false],
    [off, {}, {}, false],
  ])('organisation %j, project %j, key %j: %p', async (organisation, project, key, isKept) => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using rig = await contentRig(servedBy('messages', upstream))
    const { keys } = rig.gateway.gateway
    await keys.projects.updateOrganisation({ policy: organisation })
    await keys.projects.update('default', { policy: project })
    const gateway = await rig.as(key)
    const response = await gateway.post('/v1/messages', messagesParams)
    await response.text()
    expect(response.headers.has('x-parley-content-logging')).toBe(isKept)
    if (isKept) await rig.kept(1)
    expect(rig.filesWith(marker).length > 0).toBe(isKept)
  })

  test('a parent that forbids it later has the last word', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using rig = await contentRig(servedBy('messages', upstream))
    const gateway = await rig.as(logging)
    await (await gateway.post('/v1/messages', messagesParams)).text()
    await rig.kept(1)
    const { keys } = rig.gateway.gateway
    await keys.projects.update('default', { policy: off })
    // What is known of a key may be a second old.
    await keys.update((await keys.list())[0]?.id ?? '', {})
    const response = await gateway.post('/v1/messages', messagesParams)
    await response.text()
    expect(response.headers.has('x-parley-content-logging')).toBe(false)
    expect((await rig.kept(1)).size).toBe(1)
    expect(rig.gateway.gateway.content.counts.kept).toBe(1)
  })
})

/** A stream of an upstream, a frame for each piece of its text. */
function streamOf(lane: 'messages' | 'chat-completions', pieces: readonly string[]): Script {
  if (lane === 'messages') {
    const deltas = pieces.map((piece) => blockDelta(0, { type: 'text_delta', text: piece }))
    const start = blockStart(0, { type: 'text', text: '' })
    return sse([messageStart(), start, ...deltas, blockStop(0), ending()])
  }
  const chunk = (delta: object, finish: string | null = null) => ({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    ...pieces.map((content) => chunk({ content })),
    chunk({}, 'stop'),
  ]
  const frames = [...chunks.map((one) => JSON.stringify(one)), '[DONE]']
  return sse(frames.map((data) => `data: ${data}\n\n`))
}
