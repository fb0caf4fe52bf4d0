import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pino from 'pino'

import type { ProtocolName } from '#chat/names.ts'
import { type ScriptedUpstream, startScriptedUpstream } from '#test/scripted-upstream.ts'
import { startGateway, type TestConfig, type TestGateway } from '#test/start-gateway.ts'

import { goodAnswer } from './answers.ts'
import { canaries, Oracle } from './oracle.ts'
import { responseIn, say, speakRaw } from './raw-client.ts'
import { type Seen, seenIn } from './seen.ts'
import { servingOf } from './upstream-fault.ts'

export interface RigOptions {
  readonly config: TestConfig
  readonly patienceMs: number
}

/** A gateway under watch, with an upstream that is always well. */
export interface Rig extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly port: number
  readonly good: ScriptedUpstream
  readonly oracle: Oracle
  readonly log: () => string
}

/** The names under which the good upstream stands in every config. */
export const goodNames: Readonly<Record<ProtocolName, string>> = {
  'chat-completions': 'good-chat',
  messages: 'good-messages',
}

export const paths: Readonly<Record<ProtocolName, string>> = {
  'chat-completions': '/v1/chat/completions',
  messages: '/v1/messages',
}

export async function startRig({ config, patienceMs }: RigOptions): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-faults-'))
  const database = join(folder, 'parley.sqlite')
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) })
  const good = await startScriptedUpstream((request) => {
    const { protocol, isStream } = servingOf(request)
    return goodAnswer(protocol, isStream)
  })
  const upstreams = {
    ...config.upstreams,
    'good-chat': upstreamAt('chat-completions', good.origin),
    'good-messages': upstreamAt('messages', good.origin),
  }
  const gateway = await startGateway({ prices, ...config, upstreams }, database, log)
  const port = gateway.gateway.port
  let controls = 0
  const control = async (): Promise<number> => {
    const began = performance.now()
    const model = `good-chat/control-${controls++}`
    const seen = await ask(port, {
      key: gateway.key,
      protocol: 'chat-completions',
      model,
      isStream: true,
    })
    if (seen.ending !== 'whole') throw new Error(`${seen.ending} ${seen.status} ${seen.message}`)
    return performance.now() - began
  }
  const oracle = new Oracle({
    database,
    inFlight: () => gateway.gateway.inFlight,
    log: () => lines.join(''),
    callerKey: gateway.key,
    control,
    patienceMs,
  })
  return {
    gateway,
    port,
    good,
    oracle,
    log: () => lines.join(''),
    [Symbol.asyncDispose]: async () => {
      oracle[Symbol.dispose]()
      await gateway[Symbol.asyncDispose]()
      await good[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Everything costs something, so that the books have something to add up. */
const prices = { '*/*': { input: 1, output: 2 } }

export function upstreamAt(protocol: ProtocolName, origin: string, more: object = {}): object {
  const url = protocol === 'messages' ? origin : `${origin}/v1`
  const headers = { 'x-canary': canaries.upstreamHeader }
  return { protocol, url, key: canaries.upstreamKey, serves: ['any'], headers, ...more }
}

export interface Asked {
  readonly key: string
  readonly protocol: ProtocolName
  readonly model: string
  readonly isStream: boolean
}

/** The body of a plain request of a protocol. */
export function bodyFor({
  protocol,
  model,
  isStream,
}: Omit<Asked, 'key'>): Record<string, unknown> {
  return {
    model,
    stream: isStream,
    messages: [{ role: 'user', content: `Say the letters. ${canaries.prompt}` }],
    ...(protocol === 'messages' && { max_tokens: 64 }),
  }
}

export function headOf(
  path: string,
  headers: Readonly<Record<string, string | number>>,
  method = 'POST',
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** The headers of a good request. */
export function headersFor(
  { key, protocol }: Pick<Asked, 'key' | 'protocol'>,
  length: number,
): Record<string, string | number> {
  return {
    host: 'gateway',
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...(protocol === 'messages' && { 'anthropic-version': '2023-06-01' }),
    'content-length': length,
  }
}

/** The whole of a good request, as it stands on the wire. */
export function requestFor(asked: Asked, body: string = JSON.stringify(bodyFor(asked))): string {
  return headOf(paths[asked.protocol], headersFor(asked, Buffer.byteLength(body))) + body
}

/** Asks on a connection of its own, and hears all of the answer. */
export async function ask(port: number, asked: Asked, patienceMs = 20_000): Promise<Seen> {
  const { bytes } = await speakRaw(port, [say(requestFor(asked))], {
    patienceMs,
    isEnough: (sofar) => responseIn(sofar)?.isWhole === true,
  })
  return seenIn(bytes, asked.protocol)
}

/** Does something for every item, so many at a time. */
export async function eachOf<T>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]()
  const work = async (): Promise<void> => {
    for (const item of left) await act(item)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
