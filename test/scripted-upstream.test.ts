import { expect, test } from 'bun:test'

import {
  close,
  dataFrames,
  eventFrames,
  head,
  json,
  neverAnswer,
  reset,
  sse,
  startScriptedUpstream,
  waitFor,
  write,
} from './scripted-upstream.ts'

test('records what was asked and answers each request with its own script, on one connection', async () => {
  await using upstream = await startScriptedUpstream([json(200, { a: 1 }), json(429, 'busy')])
  const first = await fetch(`${upstream.url}/chat/completions`, {
    method: 'POST',
    headers: { 'X-Thing': 'yes' },
    body: '{"model":"m"}',
  })
  expect(await first.json()).toEqual({ a: 1 })
  const second = await fetch(`${upstream.origin}/v1/models`)
  expect([second.status, await second.text()]).toEqual([429, 'busy'])
  const recorded = await upstream.request(0)
  expect([recorded.method, recorded.path, recorded.headers.get('x-thing')]).toEqual([
    'POST',
    '/v1/chat/completions',
    'yes',
  ])
  expect(recorded.json()).toEqual({ model: 'm' })
  expect(upstream.requests.length).toBe(2)
})

test('cuts a stream anywhere, and waits where it is told to', async () => {
  const gate = Promise.withResolvers<void>()
  const frames = dataFrames({ text: 'ü' })
  const script = sse(frames, {
    cutAt: [3, 15],
    between: (cut) => (cut === 2 ? gate.promise : Promise.resolve()),
  })
  await using upstream = await startScriptedUpstream([script])
  const response = await fetch(upstream.url)
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (text.length < 15) text += decoder.decode((await reader.read()).value, { stream: true })
  expect(text.length).toBe(15)
  gate.resolve()
  for (let read = await reader.read(); !read.done; read = await reader.read())
    text += decoder.decode(read.value, { stream: true })
  expect(text).toBe(frames.join(''))
})

test('names events after their type, and may end a body by closing the connection', async () => {
  const frames = eventFrames({ type: 'ping' })
  await using upstream = await startScriptedUpstream([sse(frames, { chunked: false })])
  expect(await (await fetch(upstream.url)).text()).toBe('event: ping\ndata: {"type":"ping"}\n\n')
})

test('a reset in mid-body is an error to the reader, and a request can see its connection go', async () => {
  await using upstream = await startScriptedUpstream([
    [write(head(200, { 'content-length': '10' })), write('abc'), reset],
    neverAnswer,
  ])
  const response = await fetch(upstream.url)
  expect(await failureOf(response.text())).toBeInstanceOf(Error)
  const leaving = new AbortController()
  const asked = fetch(upstream.url, { signal: leaving.signal })
  const recorded = await upstream.request(1)
  leaving.abort(new Error('left'))
  expect(await failureOf(asked)).toHaveProperty('message', 'left')
  await recorded.closed
})

test('a script may be a function of the request and may close without a word', async () => {
  const gate = Promise.withResolvers<void>()
  await using upstream = await startScriptedUpstream((request) =>
    request.path === '/v1/slow' ? [waitFor(gate.promise), ...json(200, 'slow')] : [close],
  )
  expect(await failureOf(fetch(`${upstream.url}/gone`))).toBeInstanceOf(Error)
  gate.resolve()
  expect(await (await fetch(`${upstream.url}/slow`)).text()).toBe('slow')
})

function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'no failure',
    (error: unknown) => error,
  )
}
