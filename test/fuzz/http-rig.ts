import { createConnection } from 'node:net'

import { json, type RecordedRequest, sse, startScriptedUpstream } from '#test/scripted-upstream.ts'
import { startGateway } from '#test/start-gateway.ts'

import { keyMark } from './http-requests.ts'

/** A gateway whose upstream is always good: whatever goes wrong is the gateway's own doing. */
export interface HttpRig extends AsyncDisposable {
  /** What is wrong with the answer to these bytes, or undefined. */
  readonly failureOf: (bytes: Uint8Array) => Promise<string | undefined>
  /** What is wrong with the answer to a good request, or undefined. */
  readonly control: () => Promise<string | undefined>
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>
}

export async function newHttpRig(): Promise<HttpRig> {
  const upstream = await startScriptedUpstream(answer)
  const gateway = await startGateway({
    upstreams: { up: { protocol: 'chat-completions', url: upstream.url, serves: ['m'] } },
  })
  const statuses = new Map<number, number>()
  return {
    statuses,
    async failureOf(bytes) {
      const said = await conversation(gateway.gateway.port, withKey(bytes, gateway.key))
      for (const [, status] of said.matchAll(/^HTTP\/1\.1 (\d{3})/gm))
        statuses.set(Number(status), (statuses.get(Number(status)) ?? 0) + 1)
      return faultIn(said)
    },
    async control() {
      const body = { model: 'up/m', messages: [{ role: 'user', content: 'hi' }] }
      const response = await gateway.post('/v1/chat/completions', body)
      const text = await response.text()
      return response.status === 200 && text.includes('"well"')
        ? undefined
        : `a good request is answered with ${response.status} ${text.slice(0, 200)}`
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await upstream[Symbol.asyncDispose]()
    },
  }
}

const choice = { index: 0, finish_reason: 'stop' }
const head = { id: 'c', created: 1, model: 'm' }
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
const whole = {
  ...head,
  choices: [{ ...choice, message: { role: 'assistant', content: 'well' } }],
  usage,
}
const frames = [
  `data: ${JSON.stringify({ ...head, choices: [{ ...choice, delta: { role: 'assistant', content: 'well' } }] })}\n\n`,
  `data: ${JSON.stringify({ ...head, choices: [], usage })}\n\n`,
  'data: [DONE]\n\n',
]

function answer(request: RecordedRequest) {
  return /"stream":\s*true/.test(request.body) ? sse(frames) : json(200, whole)
}

function withKey(bytes: Uint8Array, key: string): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1')
  return Buffer.from(text.replaceAll(keyMark, key.padEnd(keyMark.length)), 'latin1')
}

/** So long nothing has to come for a request to be taken for one that is not whole: the gateway waits for more. */
const quietMs = 150

/** Writes the bytes, and gives what is answered until the answer is whole, nothing more comes, or the socket is closed. */
function conversation(port: number, bytes: Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const parts: Uint8Array[] = []
    const socket = createConnection({ port, host: '127.0.0.1', noDelay: true })
    const timer = setTimeout(() => socket.resetAndDestroy(), quietMs)
    // Not `end`: who has half closed its connection counts as gone, and is not answered.
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (part: Uint8Array) => {
      parts.push(part)
      timer.refresh()
      if (isWhole(Buffer.concat(parts).toString('latin1'))) socket.resetAndDestroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(Buffer.concat(parts).toString('latin1'))
    })
  })
}

function isWhole(said: string): boolean {
  const start = said.lastIndexOf('HTTP/1.1 ')
  const headEnd = said.indexOf('\r\n\r\n', start)
  if (start === -1 || headEnd === -1 || said.startsWith('HTTP/1.1 100', start)) return false
  const length = /^content-length: *(\d+)/im.exec(said.slice(start, headEnd))?.[1]
  if (length === undefined) return said.endsWith('0\r\n\r\n')
  return said.length >= headEnd + 4 + Number(length)
}

/** Refusals are the rule here. What may not be is a failure of our own, or something that is no answer at all. */
const allowed = new Set([501, 503, 505])

function faultIn(said: string): string | undefined {
  if (said === '') return undefined
  if (!said.startsWith('HTTP/1.1 ')) return `the answer is no HTTP: ${said.slice(0, 100)}`
  for (const [line, status] of said.matchAll(/^HTTP\/1\.1 (\d{3})[^\r\n]*/gm)) {
    if (Number(status) >= 500 && !allowed.has(Number(status)))
      return `answered with ${line}\n${said.slice(0, 1000)}`
  }
  return undefined
}
