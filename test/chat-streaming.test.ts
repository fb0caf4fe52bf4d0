import { describe, expect, test } from 'bun:test'
import { createGzip } from 'node:zlib'

import OpenAI from 'openai'

import type { ProtocolName } from '#chat/names.ts'

import {
  asked,
  framesOf,
  heardOf,
  idle,
  messageFrames,
  openaiOf,
  recorded,
  recording,
  turn,
} from './chat-callers.ts'
import { chatFrames, messagesFrames, readChatStream } from './grammars.ts'
import {
  asksStream,
  bothLanes,
  completion,
  LedgerFile,
  rejection,
  servedBy,
} from './messages-callers.ts'
import { text } from './same-answers.ts'
import {
  dataFrames,
  eventFrames,
  json,
  type RecordedRequest,
  type Script,
  sse,
  startScriptedUpstream,
  waitFor,
} from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// A stream as a chat-completions caller hears it, byte for byte, over real sockets.

const withUsage = { ...asked, stream: true as const, stream_options: { include_usage: true } }
const withoutUsage = { ...asked, stream: true as const }

function ask(gateway: TestGateway, body: object = withoutUsage): Promise<Response> {
  return gateway.post('/v1/chat/completions', body)
}

const said = 'Hi there! 🙂 é\n\u2028data: x'
const frames: Readonly<Record<ProtocolName, string>> = {
  'chat-completions': recording('text.sse'),
  messages: messageFrames([{ type: 'text', text: said }], {
    usage: { input_tokens: 8, output_tokens: 377 },
  }),
}

describe.each(bothLanes)('a stream of a %s upstream', (lane) => {
  test.each([withUsage, withoutUsage])(
    'is chunks and nothing else, from the role to [DONE] (S01 S02 S03 S06 S07)',
    async (body) => {
      await using upstream = await startScriptedUpstream([sse([frames[lane]])])
      await using gateway = await startGateway(servedBy(lane, upstream))
      const response = await ask(gateway, body)
      expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-cache')
      expect(response.headers.get('x-accel-buffering')).toBe('no')
      expect(response.headers.get('content-length')).toBeNull()
      expect(response.headers.get('content-encoding')).toBeNull()
      const text = await response.text()
      expect(text).toMatch(/^(?:data: [^\n]+\n\n|:[^\n]*\n\n)*data: \[DONE\]\n\n$/)
      expect(text.codePointAt(0)).not.toBe(0xfeff)
      const wantsUsage = 'stream_options' in body
      const told = readChatStream(text, { wantsUsage })
      expect(told).toMatchObject({
        outcome: 'complete',
        message: { message: { content: said }, finish_reason: 'stop' },
      })
      if (wantsUsage)
        expect(told).toMatchObject({ message: { usage: { prompt_tokens: 8, total_tokens: 385 } } })
    },
  )

  test('says the same wherever its bytes are cut (T-T01)', async () => {
    const { length } = Buffer.from(frames[lane])
    const cutAt = Array.from({ length: length - 1 }, (_, at) => at + 1)
    await using upstream = await startScriptedUpstream([
      sse([frames[lane]], { cutAt, between: turn }),
      sse([frames[lane]]),
    ])
    await using gateway = await startGateway(servedBy(lane, upstream))
    const cut = await (await ask(gateway, withUsage)).text()
    const whole = await (await ask(gateway, withUsage)).text()
    expect(withoutIds(cut)).toBe(withoutIds(whole))
    expect(cut).not.toContain('event:')
  })

  test('that breaks off ends in one error and no end (S26 S27 T-E10 T-E13 T-R42)', async () => {
    await using upstream = await startScriptedUpstream([sse(framesOf(frames[lane]).slice(0, 3))])
    await using gateway = await startGateway(servedBy(lane, upstream))
    const { text, isWhole } = await heardOf(await ask(gateway))
    expect(isWhole).toBe(false)
    expect(readChatStream(text, { wantsUsage: false })).toMatchObject({
      outcome: 'error',
      error: { type: 'server_error', code: 'upstream_error', param: null },
    })
    expect(text).not.toContain('[DONE]')
    expect(text).not.toContain('"finish_reason":"')
    expect(text.match(/"error"/g)?.length).toBe(1)
  })

  test('that fails in its first event is refused with a status (S33 T-E09)', async () => {
    await using upstream = await startScriptedUpstream([
      sse(framesOf(frames[lane]).slice(0, 1).concat(overloaded[lane])),
    ])
    await using gateway = await startGateway(servedBy(lane, upstream))
    const response = await ask(gateway)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      503,
      'application/json',
    ])
    expect(await response.json()).toMatchObject({
      error: { type: 'service_unavailable_error', code: 'server_is_overloaded' },
    })
  })

  test('that fails in the middle ends in that error (T-E10)', async () => {
    await using upstream = await startScriptedUpstream([
      sse([...framesOf(frames[lane]).slice(0, 3), overloaded[lane], frames[lane]]),
    ])
    await using gateway = await startGateway(servedBy(lane, upstream))
    const { text, isWhole } = await heardOf(await ask(gateway))
    expect(isWhole).toBe(false)
    expect(readChatStream(text, { wantsUsage: false })).toMatchObject({
      outcome: 'error',
      error: { message: 'Overloaded', code: 'server_is_overloaded' },
    })
  })

  test('that falls silent is kept alive by comments, which clients skip (S34)', async () => {
    const spoken = Promise.withResolvers<void>()
    const [first, ...rest] = [framesOf(frames[lane]).slice(0, 3), framesOf(frames[lane]).slice(3)]
    const script: Script = sse([first!.join(''), ...rest.flat()], {
      cutAt: [Buffer.from(first!.join('')).length],
      between: () => spoken.promise,
    })
    await using upstream = await startScriptedUpstream([script, script])
    await using gateway = await startGateway({
      ...servedBy(lane, upstream),
      limits: { keepAlive: '1ms' },
    })
    const sdk = openaiOf(gateway).chat.completions.stream(withUsage)
    const response = await ask(gateway)
    let text = ''
    for await (const read of response.body ?? []) {
      text += Buffer.from(read).toString()
      if ((text.match(/^: keep-alive\n\n/gm)?.length ?? 0) >= 3) spoken.resolve()
    }
    expect(readChatStream(text, { wantsUsage: false })).toMatchObject({ outcome: 'complete' })
    expect((await sdk.finalChatCompletion()).choices[0]?.message.content).toBe(said)
  })

  test('that stays silent too long ends in an error (T-T07)', async () => {
    const never = Promise.withResolvers<void>()
    await using upstream = await startScriptedUpstream([
      sse(framesOf(frames[lane]).slice(0, 3), { ending: [waitFor(never.promise)] }),
    ])
    const deadlines = { silence: '50ms' }
    await using gateway = await startGateway(servedBy(lane, upstream, { deadlines }))
    const { text, isWhole } = await heardOf(await ask(gateway))
    expect(isWhole).toBe(false)
    expect(readChatStream(text, { wantsUsage: false })).toMatchObject({
      outcome: 'error',
      error: { type: 'server_error', code: 'upstream_timeout' },
    })
    await upstream.requests[0]?.closed
  })

  test('that does not begin is a time-out, with a status of the gateway and not of the caller (T-T07 R13)', async () => {
    await using upstream = await startScriptedUpstream([[]])
    const deadlines = { firstByte: '50ms' }
    await using gateway = await startGateway(servedBy(lane, upstream, { deadlines }))
    const response = await ask(gateway)
    expect(response.status).toBe(504)
    expect(await response.json()).toMatchObject({ error: { code: 'upstream_timeout' } })
  })

  test('that is compressed is read as it comes, and told uncompressed (T-T05)', async () => {
    const heard = Promise.withResolvers<void>()
    const pieces = await gzipped(framesOf(frames[lane]))
    const bytes = Buffer.concat(pieces)
    const half = Buffer.concat(pieces.slice(0, 4)).length
    await using upstream = await startScriptedUpstream([
      sse(bytes, {
        cutAt: [1, 11, half],
        headers: { 'content-encoding': 'gzip' },
        between: (cut) => (cut === 3 ? heard.promise : Promise.resolve()),
      }),
    ])
    await using gateway = await startGateway(servedBy(lane, upstream))
    const response = await ask(gateway, withUsage)
    expect(response.headers.get('content-encoding')).toBeNull()
    let text = ''
    for await (const read of response.body ?? []) {
      text += Buffer.from(read).toString()
      if (text.includes('"content":"Hi')) heard.resolve()
    }
    expect(readChatStream(text, { wantsUsage: true })).toMatchObject({
      message: { message: { content: said } },
    })
  })

  test('is written down as it was counted (T-P03)', async () => {
    using ledger = new LedgerFile()
    await using upstream = await startScriptedUpstream([sse([frames[lane]])])
    await using gateway = await startGateway(servedBy(lane, upstream), ledger.path)
    await (await ask(gateway)).text()
    expect(ledger.rows).toMatchObject([
      { result: 'complete', counted: 'exact', input: 8, output: 377, target: 'up/m', stream: 1 },
    ])
  })

  test('is told in the form that was asked for, whichever the upstream gave', async () => {
    const other = (request: RecordedRequest): Script =>
      text[lane]({ ...request, json: () => ({ stream: !asksStream(request) }) })
    await using upstream = await startScriptedUpstream(other)
    await using gateway = await startGateway(servedBy(lane, upstream))
    const streamed = await ask(gateway, withUsage)
    expect(streamed.headers.get('content-type')).toStartWith('text/event-stream')
    const told = readChatStream(await streamed.text(), { wantsUsage: true })
    expect(told).toMatchObject({
      message: { message: { content: said }, usage: { total_tokens: 385 } },
    })
    const whole = await ask(gateway, asked)
    expect(whole.headers.get('content-type')).toBe('application/json')
    expect(await whole.json()).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { content: said }, finish_reason: 'stop' }],
      usage: { total_tokens: 385 },
    })
  })

  test('that fails before it says something is told by the next target (T-E09)', async () => {
    using ledger = new LedgerFile()
    await using failing = await startScriptedUpstream([
      sse(framesOf(frames[lane]).slice(0, 1).concat(overloaded[lane])),
    ])
    await using upstream = await startScriptedUpstream([sse([frames[lane]])])
    const { upstreams: first } = servedBy(lane, failing)
    const { upstreams: second } = servedBy(lane, upstream)
    await using gateway = await startGateway(
      {
        upstreams: { first: first!['up']!, second: second!['up']! },
        models: { m: { targets: ['first/m', 'second/m'] } },
      },
      ledger.path,
    )
    const response = await ask(gateway)
    expect([response.status, response.headers.get('x-parley-target')]).toEqual([200, 'second/m'])
    const told = readChatStream(await response.text(), { wantsUsage: false })
    expect(told).toMatchObject({ message: { message: { content: said } } })
    expect(ledger.rows).toMatchObject([{ result: 'complete', attempts: 2, target: 'second/m' }])
  })

  test('is nobody else\u2019s, however many come and go at once (A23 T-T06)', async () => {
    using ledger = new LedgerFile()
    const never = Promise.withResolvers<void>()
    await using upstream = await startScriptedUpstream((request) => {
      const { messages } = request.json() as { messages: [{ content: string }] }
      const [{ content }] = messages
      const answer = frames[lane].replaceAll('Hi', content)
      if (content.startsWith('whole')) return sse([answer])
      if (content.startsWith('silent')) return []
      return sse(framesOf(answer).slice(0, 3), { ending: [waitFor(never.promise)] })
    })
    await using gateway = await startGateway(servedBy(lane, upstream), ledger.path)
    const { completions } = openaiOf(gateway).chat
    const askFor = async (content: string) => {
      const messages = [{ role: 'user' as const, content }]
      const leaving = new AbortController()
      const asking = completions.create(
        { model: 'm', messages, stream: true },
        { signal: leaving.signal },
      )
      if (content.startsWith('silent')) {
        while (!upstream.requests.some(({ body }) => body.includes(`"${content}"`))) await turn()
        leaving.abort()
        await rejection(asking)
        return
      }
      let heard = ''
      for await (const { choices } of await asking) {
        heard += choices[0]?.delta.content ?? ''
        if (content.startsWith('left') && heard !== '') break
      }
      expect(heard).toStartWith(content)
    }
    const kinds = Array.from({ length: 20 }, (_, at) => [
      `whole ${at}`,
      `left ${at}`,
      `silent ${at}`,
    ])
    await Promise.all(kinds.flat().map(askFor))
    const results = (await ledger.having(60)).map(({ result }) => result)
    expect(results.filter((result) => result === 'complete').length).toBe(20)
    expect(results.filter((result) => result === 'client-left').length).toBe(40)
    await idle(gateway)
  })

  test('ends with the usage even if the upstream told none (S09)', async () => {
    await using upstream = await startScriptedUpstream([sse([uncounted[lane]])])
    await using gateway = await startGateway(servedBy(lane, upstream))
    const told = readChatStream(await (await ask(gateway, withUsage)).text(), { wantsUsage: true })
    expect(told).toMatchObject({ outcome: 'complete', message: { message: { content: said } } })
    if (lane === 'chat-completions')
      expect(told).toMatchObject({
        message: { usage: { prompt_tokens: 16, completion_tokens: 5, estimated: true } },
      })
  })
})

describe('a stream of a messages upstream', () => {
  test('has comments where that protocol pings, and chunks of one answer (T-R40)', async () => {
    const ping = eventFrames({ type: 'ping' })
    const all = framesOf(frames.messages).flatMap((frame) => [...ping, frame])
    await using upstream = await startScriptedUpstream([sse(all)])
    await using gateway = await startGateway(servedBy('messages', upstream))
    const text = await (await ask(gateway)).text()
    expect(text).toContain(': keep-alive\n\n')
    expect(text).not.toContain('ping')
    expect(readChatStream(text, { wantsUsage: false })).toMatchObject({
      message: { model: 'big-1', message: { content: said } },
    })
  })
})

test('a call of which a server told the arguments as an object is told as text (N11)', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: { a: 1 } } }
  await using upstream = await startScriptedUpstream([
    json(200, completion({ tool_calls: [call] }, 'tool_calls')),
  ])
  const retell = { profile: { retell: true } }
  await using gateway = await startGateway(servedBy('chat-completions', upstream, retell))
  const { choices } = await openaiOf(gateway).chat.completions.create(asked)
  expect(choices[0]?.message.tool_calls).toEqual([
    { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
  ])
})

describe('a stream of a chat upstream', () => {
  const [role = '', hi = '', ...rest] = framesOf(frames['chat-completions'])

  test.each([
    [
      'with a blank behind its end',
      framesOf(frames['chat-completions']).with(-1, 'data: [DONE] \n\n'),
    ],
    ['without its end', framesOf(frames['chat-completions']).slice(0, -1)],
  ])('%s is ended exactly (S25)', async (_, all) => {
    await using upstream = await startScriptedUpstream([sse(all)])
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const { text, isWhole } = await heardOf(await ask(gateway, withUsage))
    expect(isWhole).toBe(true)
    expect(text).toEndWith('data: [DONE]\n\n')
    expect(readChatStream(text, { wantsUsage: true })).toMatchObject({ outcome: 'complete' })
  })

  test.each([
    [
      'flat, under the name of an error',
      'event: error\ndata: {"message":"Boom","type":"server_error"}\n\n',
      'Boom',
    ],
    ['as text', 'data: {"error":"Boom"}\n\n', 'Boom'],
    [
      'beside choices',
      'data: {"id":"x","choices":[],"error":{"message":"Boom","code":502}}\n\n',
      'Boom',
    ],
    [
      'as vLLM says it',
      'data: {"object":"error","message":"Boom","type":"InternalServerError","param":null,"code":500}\n\n',
      'Boom',
    ],
  ])(
    'that fails %s ends in an error that every client reads (S29 S30 T-E10)',
    async (_, frame, words) => {
      await using upstream = await startScriptedUpstream([sse([role, hi, frame, ...rest])])
      await using gateway = await startGateway(servedBy('chat-completions', upstream))
      const { text, isWhole } = await heardOf(await ask(gateway))
      expect(isWhole).toBe(false)
      expect(chatFrames(text).length).toBe(3)
      const told = readChatStream(text, { wantsUsage: false })
      expect(told).toMatchObject({
        outcome: 'error',
        error: { message: expect.stringContaining(words) },
      })
      const stream = await openaiOf(gateway).chat.completions.create(withoutUsage)
      const failure = await rejection(Array.fromAsync(stream))
      expect(failure).toBeInstanceOf(OpenAI.APIError)
      expect(failure).toMatchObject({ message: expect.stringContaining(words) })
    },
  )

  test('loses the `"error":null` that clients take for a failure (S31)', async () => {
    const marked = framesOf(frames['chat-completions']).map((frame) =>
      frame.replace('data: {', 'data: {"error":null,'),
    )
    await using upstream = await startScriptedUpstream([sse(marked)])
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    expect(await (await ask(gateway, withUsage)).text()).toBe(frames['chat-completions'])
  })

  test('of a server that is known to break clients is told again (S22 S23)', async () => {
    const poor = [
      { choices: null },
      { choices: [{ delta: { role: 'assistant', content: 'Hi' } }] },
      { choices: [{ delta: { role: 'assistant', content: ' there' } }] },
      { choices: [{ delta: { role: 'assistant' }, finish_reason: 'stop' }] },
    ]
    await using upstream = await startScriptedUpstream([sse(dataFrames(...poor))])
    const retell = { profile: { retell: true } }
    await using gateway = await startGateway(servedBy('chat-completions', upstream, retell))
    const text = await (await ask(gateway)).text()
    expect(readChatStream(text, { wantsUsage: false })).toMatchObject({
      message: { model: 'm', message: { content: 'Hi there' }, finish_reason: 'stop' },
    })
  })
})

test('a messages caller is told of no tokens before a chat upstream has counted them (T-U05)', async () => {
  await using upstream = await startScriptedUpstream(recorded('text'))
  await using gateway = await startGateway(servedBy('chat-completions', upstream))
  const response = await gateway.post('/v1/messages', { ...withoutUsage, max_tokens: 9 })
  const events = messagesFrames(await response.text())
  expect(events[0]?.data).toMatchObject({
    message: { usage: { input_tokens: 0, output_tokens: 0 } },
  })
  expect(events.at(-2)?.data).toMatchObject({ usage: { input_tokens: 8, output_tokens: 377 } })
})

const overloaded: Readonly<Record<ProtocolName, string>> = {
  'chat-completions':
    'data: {"error":{"message":"Overloaded","type":"server_error","param":null,"code":"server_is_overloaded"}}\n\n',
  messages:
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
}

const uncounted: Readonly<Record<ProtocolName, string>> = {
  'chat-completions': framesOf(frames['chat-completions']).toSpliced(-2, 1).join(''),
  messages: messageFrames([{ type: 'text', text: said }], { usage: {} }),
}

/** What is the answer's own and differs from one to the next: its id and its time. */
function withoutIds(text: string): string {
  return text.replaceAll(/"id":"[^"]*"|"created":\d+/g, '')
}

/** The pieces compressed together, each ready to be read when it has come. */
async function gzipped(pieces: readonly string[]): Promise<readonly Buffer[]> {
  const gzip = createGzip()
  const out: Buffer[] = []
  let last: Buffer[] = []
  gzip.on('data', (data: Buffer) => last.push(data))
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  gzip.on('end', resolve)
  for (const piece of pieces) {
    gzip.write(piece)
    await new Promise<void>((done) => gzip.flush(() => done()))
    out.push(Buffer.concat(last))
    last = []
  }
  gzip.end()
  await ended
  return [...out, Buffer.concat(last)]
}
