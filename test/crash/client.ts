import { createConnection } from 'node:net'

import type { ProtocolName } from '#chat/names.ts'

/** What a client asks, and when it loses its patience. */
export interface Asking {
  readonly port: number
  readonly key: string
  readonly protocol: ProtocolName
  readonly model: string
  readonly stream: boolean
  readonly maxTokens?: number
  /** Leaves after so many bytes of the answer's body. */
  readonly leavesAfter?: number
}

/** What a client saw of its answer: nothing here is known from anywhere else. */
export interface Seen {
  readonly asking: Asking
  status: number | undefined
  /** The id that the answer's head told. */
  id: string | undefined
  /** A stream with its terminator, or a reply with its last byte. */
  isWhole: boolean
  /** Tokens that stood in what it received. */
  tokens: number
  hasLeft: boolean
  body: string
}

/** Asks over a socket of its own, and writes down what comes until the socket is gone, whoever ended it. */
export function ask(asking: Asking): Promise<Seen> {
  const seen: Seen = {
    asking,
    status: undefined,
    id: undefined,
    isWhole: false,
    tokens: 0,
    hasLeft: false,
    body: '',
  }
  let raw = ''
  return new Promise((resolve) => {
    const socket = createConnection({ port: asking.port, host: '127.0.0.1', noDelay: true })
    socket.on('connect', () => socket.write(requestOf(asking)))
    socket.on('error', () => {})
    socket.on('data', (bytes: Uint8Array) => {
      raw += Buffer.from(bytes).toString('latin1')
      read(raw, seen)
      const leaves = asking.leavesAfter !== undefined && seen.body.length > asking.leavesAfter
      if (leaves && !seen.isWhole) seen.hasLeft = true
      if (leaves || isOver(raw, seen)) socket.destroy()
    })
    socket.on('close', () => resolve(seen))
  })
}

const paths: Readonly<Record<ProtocolName, string>> = {
  'chat-completions': '/v1/chat/completions',
  messages: '/v1/messages',
}

/** The bytes of the request. */
export function requestOf({ key, protocol, model, stream, maxTokens }: Asking): string {
  const limit = maxTokens ?? (protocol === 'messages' ? 64 : undefined)
  const body = JSON.stringify({
    model,
    messages: [{ role: 'user', content: 'Count.' }],
    stream,
    ...(limit !== undefined && { max_tokens: limit }),
  })
  const headers = [
    `POST ${paths[protocol]} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    'anthropic-version: 2023-06-01',
    `content-length: ${body.length}`,
  ]
  return `${headers.join('\r\n')}\r\n\r\n${body}`
}

const terminators: Readonly<Record<ProtocolName, string>> = {
  'chat-completions': 'data: [DONE]',
  messages: 'event: message_stop',
}

function read(raw: string, seen: Seen): void {
  const headEnd = raw.indexOf('\r\n\r\n')
  if (headEnd === -1) return
  const head = raw.slice(0, headEnd).toLowerCase()
  seen.status ??= Number(head.split(' ')[1])
  seen.id ??= /^x-request-id: *(\S+)/im.exec(raw.slice(0, headEnd))?.[1]
  seen.body = raw.slice(headEnd + 4)
  seen.tokens = seen.body.match(/\bw\d+ /g)?.length ?? 0
  if (seen.status !== 200) return
  const { stream, protocol } = seen.asking
  seen.isWhole = stream ? seen.body.includes(terminators[protocol]) : hasLastByte(head, seen.body)
}

/** Nothing more can come: a client would read the next answer on this connection. */
function isOver(raw: string, { body }: Seen): boolean {
  const headEnd = raw.indexOf('\r\n\r\n')
  return headEnd !== -1 && hasLastByte(raw.slice(0, headEnd).toLowerCase(), body)
}

function hasLastByte(head: string, body: string): boolean {
  const length = /^content-length: *(\d+)/m.exec(head)?.[1]
  return length === undefined ? body.endsWith('0\r\n\r\n') : body.length >= Number(length)
}
