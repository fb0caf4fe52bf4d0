import type { Chance } from '#test/crash/seeded.ts'

import { type Body, jsonBody } from './json-bodies.ts'
import { mutateBytes } from './mutate-bytes.ts'

/** The placeholder of a good key in the bytes of a request: a corpus can hold no real one. */
export const keyMark = 'KEY-OF-THE-GATEWAY'

/** The bytes of a request, or of several on one connection, as a broken or hostile client would send them. */
export function httpRequest(chance: Chance): Uint8Array {
  const count = chance.in(0.1) ? chance.between(2, 4) : 1
  const requests = Array.from({ length: count }, () => oneRequest(chance))
  const bytes = Buffer.from(requests.join(''))
  return chance.in(0.5) ? bytes : mutateBytes(bytes, chance, sharpPieces)
}

function oneRequest(chance: Chance): string {
  const { protocol, text } = chance.in(0.4) ? goodBody(chance) : jsonBody(chance)
  const named = chance.in(0.7) ? text.replace('"model":"m"', '"model":"up/m"') : text
  const hasBody = chance.in(0.85)
  const path = hasBody
    ? protocol === 'messages'
      ? chance.oneOf(['/v1/messages', '/v1/messages', '/v1/messages/count_tokens'])
      : '/v1/chat/completions'
    : chance.oneOf(paths)
  const method = hasBody ? 'POST' : chance.oneOf(methods)
  const isChunked = hasBody && chance.in(0.15)
  const length = Buffer.byteLength(named)
  const framing = isChunked
    ? ['transfer-encoding: chunked']
    : hasBody
      ? [`content-length: ${chance.in(0.05) ? length + chance.between(-5, 5) : length}`]
      : []
  const odd = Array.from({ length: chance.oneOf([0, 0, 0, 1, 2]) }, () => chance.oneOf(oddHeaders))
  const head = [`${method} ${path} HTTP/1.1`, ...usualHeaders, ...framing, ...odd].join('\r\n')
  const body = !hasBody ? '' : isChunked ? chunked(named, chance) : named
  return `${head}\r\n\r\n${body}`
}

function goodBody(chance: Chance): Body {
  const message = { role: 'user', content: chance.oneOf(['hi', 'é🙂', 'x'.repeat(5000)]) }
  const members = { model: 'm', messages: [message], max_tokens: 9, stream: chance.in(0.3) }
  return {
    protocol: chance.in(0.5) ? 'messages' : 'chat-completions',
    text: JSON.stringify(members),
  }
}

const usualHeaders = [
  'host: localhost',
  `authorization: Bearer ${keyMark}`,
  'content-type: application/json',
  'anthropic-version: 2023-06-01',
]

const methods = [
  'GET',
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'DELETE',
  'TRACE',
  'CONNECT',
  'PRI',
  'get',
  '',
]

const paths = [
  '/v1/models',
  '/v1/models/up/m',
  '/v1/models/%',
  '/v1/models/%00',
  '/v1/models/..%2f..',
  '/healthz',

  '/',
  '//',
  '/v1',
  '/v1/',
  '*',
  '',
  '/v1/models?limit=-1',
  '/v1/models?limit=1e9&after_id=x',
  '/%2e%2e/',

  '/v1//models',
  '/v1/models;a=b',
  '/V1/MODELS',
  '/v1\\models',
  '/v1/models#x',
  '/v1/models/é',
  '/metrics',

  'http://evil.example/v1/models',
  'http://[::',
  '/v1/models/__proto__',
  '/v1/models/constructor',
  '/.env',
  `/${'a/'.repeat(2000)}`,
]

const oddHeaders = [
  'content-length: 5',
  'content-length: -1',
  'content-length: 1e3',
  'content-length: 99999999999999999999',

  'transfer-encoding: chunked',
  'transfer-encoding: identity',
  'transfer-encoding: gzip, chunked',

  'Transfer-Encoding : chunked',
  'transfer-encoding:\tchunked',
  'content-encoding: gzip',
  'expect: 100-continue',

  'connection: close',
  'connection: upgrade\r\nupgrade: websocket',
  'upgrade: h2c',
  'host: evil/?#@',
  'host:',

  'x-api-key: other',
  `x-api-key: ${keyMark}`,
  'authorization: Bearer',
  'authorization: Basic YTpi',

  'anthropic-version: 1999-01-01',
  'anthropic-beta: a,b,,\t',
  'altvendor-version: x',
  'content-type: text/html',

  'x-stainless-timeout: NaN',
  'x-stainless-timeout: -5',
  'x-stainless-retry-count: 1e99',
  'x-parley-explain: 1',

  '__proto__: x',
  'constructor: x',
  'cookie: a=b',
  'origin: null',
  'range: bytes=0-1',
  ' folded: x',
  'no colon',

  'x\u0000y: z',
  'x: a\rb',
  'accept: \u00ff',
  `x-long: ${'y'.repeat(9000)}`,
  'te: trailers',
  'trailer: x',
]

const sharpPieces: readonly (string | Uint8Array)[] = [
  '\r\n',
  '\n',
  '\r',
  '\r\n\r\n',
  '\0',
  ' ',
  '\t',
  ':',
  'HTTP/1.0',
  'HTTP/2.0',
  'HTTP/9',
  '0\r\n\r\n',

  'ffffffffffffffff\r\n',
  '5;ext="\n"\r\n',
  '-1\r\n',
  'GET / HTTP/1.1\r\nhost: a\r\n\r\n',
  '\r\nx: y',
  ...oddHeaders.map((header) => `\r\n${header}`),
  ...[
    [0xff, 0xfe],
    [0xc0, 0x80],
    [0x16, 0x03, 0x01, 0x02],
  ].map((bytes) => Uint8Array.from(bytes)),
]

/** The body in chunks, now and then with sizes that are none. */
function chunked(text: string, chance: Chance): string {
  const bytes = Buffer.from(text).toString('latin1')
  const middle = chance.between(0, bytes.length)
  const parts = [bytes.slice(0, middle), bytes.slice(middle)].filter((part) => part !== '')
  const chunks = parts.map((part) => `${sizeOf(part.length, chance)}\r\n${part}\r\n`)
  const text8 = Buffer.from(
    `${chunks.join('')}0\r\n${chance.in(0.1) ? 'x: y\r\n' : ''}\r\n`,
    'latin1',
  )
  return text8.toString('utf8')
}

function sizeOf(length: number, chance: Chance): string {
  const size = length.toString(16)
  return chance.in(0.9)
    ? size
    : chance.oneOf([`0x${size}`, `+${size}`, ` ${size}`, `${size} ;a`, `00${size}`, 'g', ''])
}
