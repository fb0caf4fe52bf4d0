import { describe, expect, test } from 'bun:test'
import { createConnection } from 'node:net'

import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'

import { blockDelta, blockStart, blockStop, ending, messageStart } from './messages-frames.ts'
import { newPerson, type Person, type Serving } from './run-parley.ts'
import { dataFrames, sse, startScriptedUpstream } from './scripted-upstream.ts'
import { startGateway } from './start-gateway.ts'

const piece = (content: string, finish: string | null = null) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: finish }],
})

const chatFrames = dataFrames(piece('one '), piece('two', 'stop'))
const messageFrames = [
  messageStart() + blockStart(0, { type: 'text', text: '' }),
  blockDelta(0, { type: 'text_delta', text: 'one ' }),
  blockDelta(0, { type: 'text_delta', text: 'two' }) + blockStop(0) + ending(),
]

/** An upstream that says the first part of its answer, and the rest when it is told to. */
async function halting(frames: readonly string[], said: number) {
  const rest = Promise.withResolvers<void>()
  const cut = Buffer.byteLength(frames.slice(0, said).join(''))
  const upstream = await startScriptedUpstream(({ path }) =>
    path.endsWith('/models') ? [] : sse(frames, { cutAt: [cut], between: () => rest.promise }),
  )
  return { upstream, goOn: rest.resolve }
}

async function serving(person: Person, url: string, protocol = 'chat-completions') {
  person.write('parley.yaml', `upstreams: { up: { protocol: ${protocol}, url: "${url}" } }`)
  return person.serve()
}

const chatOf = ({ url, key }: Serving) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })

/** The status that a new exchange gets. */
const statusOf = (running: Serving): Promise<number> =>
  chatOf(running)
    .chat.completions.create({ ...asked, stream: false })
    .then(
      () => 200,
      (error: unknown) => (error instanceof OpenAI.APIError ? Number(error.status) : 0),
    )

const asked = {
  model: 'up/m',
  messages: [{ role: 'user' as const, content: 'Count.' }],
  stream: true as const,
}

const refuses = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.on('connect', () => resolve(false)).on('error', () => resolve(true))
  })

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('ends an idle gateway at once, with exit code 0 and nothing left behind', async () => {
    await using person = newPerson()
    const running = await person.serve()
    running.kill(signal)
    expect(await running.exited).toBe(0)
    expect(await refuses(running.port)).toBe(true)
    expect(running.error.text).toBe('')
  })

  test('lets a stream of the official chat client finish', async () => {
    const { upstream, goOn } = await halting(chatFrames, 1)
    await using _ = upstream
    await using person = newPerson()
    const running = await serving(person, upstream.url)
    const stream = await chatOf(running).chat.completions.create(asked)
    let text = ''
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      if (text !== 'one ') continue
      running.kill(signal)
      await running.error.until('Stopping. 1 under way')
      // Whoever asks in the meantime is told, by the readiness check and in the words of the protocol.
      expect((await fetch(`${running.url}/healthz`)).status).toBe(503)
      expect(await statusOf(running)).toBe(503)
      goOn()
    }
    expect(text).toBe('one two')
    expect(await running.exited).toBe(0)
  })
})

test('a stream of the official messages client finishes too, and is in the ledger', async () => {
  const { upstream, goOn } = await halting(messageFrames, 2)
  await using _ = upstream
  await using person = newPerson()
  const running = await serving(person, upstream.origin, 'messages')
  const client = new Anthropic({ baseURL: running.url, apiKey: running.key, maxRetries: 0 })
  const stream = client.messages.stream({ ...asked, stream: undefined, max_tokens: 9 } as never)
  stream.once('text', () => running.kill('SIGTERM'))
  void running.error.until('Stopping').then(() => goOn())
  expect(await stream.finalText()).toBe('one two')
  expect(await running.exited).toBe(0)
  const [row] = JSON.parse((await person.run(['usage', '--json'])).out)
  expect(row).toMatchObject({ exchanges: 1, failed: 0 })
})

test('a second signal does not wait: the caller is told, and the exit code is still 0', async () => {
  const { upstream } = await halting(chatFrames, 1)
  await using _ = upstream
  await using person = newPerson()
  const running = await serving(person, upstream.url)
  const stream = await chatOf(running).chat.completions.create(asked)
  const reading = (async () => {
    for await (const _chunk of stream) running.kill('SIGTERM')
  })()
  reading.catch(() => {})
  await running.error.until('Stopping')
  // Signals that come together count as one, so it is asked until it is heard.
  const asking = setInterval(() => running.kill('SIGINT'), 50)
  expect(await running.exited).toBe(0)
  clearInterval(asking)
  expect(reading).rejects.toThrow('being stopped')
})

test('what outlasts the grace is told that the gateway stops, and never ends as if it were whole', async () => {
  const { upstream } = await halting(chatFrames, 1)
  await using _ = upstream
  await using gateway = await startGateway({
    upstreams: { up: { protocol: 'chat-completions', url: upstream.url } },
  })
  const response = await gateway.post('/v1/chat/completions', asked)
  const reader = response.body?.pipeThrough(new TextDecoderStream() as never).getReader()
  let text = String((await reader?.read())?.value)
  const drained = gateway.gateway.drain(10)
  const failure = await (async () => {
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
      text += String(next.value)
  })().catch((error: unknown) => error)
  await drained
  expect(failure).toBeInstanceOf(Error)
  expect(text).toContain('being stopped')
  expect(text).not.toContain('[DONE]')
})
