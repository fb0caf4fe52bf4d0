import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'

import {
  asking,
  type ClientFault,
  clientFaults,
  type ClientVariant,
  type Kit,
  refused,
  whole,
} from './client-fault.ts'
import { say } from './raw-client.ts'

// Requests whose size or body is not what it should be: too much, too deep, twice, torn, or packed.

const floods = clientFaults({ kind: 'header-flood', due: refused(431) }, [
  {
    name: 'headers-2000',
    steps: asking({ lines: Array.from({ length: 2000 }, (_, at) => `x-${at}: ${'y'.repeat(40)}`) }),
  },
  { name: 'header-of-100-kb', steps: asking({ lines: [`x-long: ${'y'.repeat(100_000)}`] }) },
  {
    name: 'cookies-of-80-kb',
    steps: asking({
      lines: Array.from({ length: 20 }, (_, at) => `cookie: c${at}=${'y'.repeat(4000)}`),
    }),
  },
  { name: 'name-of-80-kb', steps: asking({ lines: [`${'x'.repeat(80_000)}: y`] }) },
  {
    name: 'path-of-80-kb',
    steps: asking({ path: `/v1/${'x'.repeat(80_000)}` }),
    due: refused([404, 414, 431]),
  },
  {
    name: 'query-of-80-kb',
    steps: asking(({ path }) => ({ path: `${path}?${'x'.repeat(80_000)}` })),
    due: refused([400, 404, 414, 431]),
  },
  {
    name: 'key-of-60-kb',
    steps: asking({ headers: { authorization: `Bearer ${'k'.repeat(60_000)}` } }),
    due: refused([401, 431]),
  },
  {
    name: 'headers-90',
    steps: asking({ lines: Array.from({ length: 90 }, (_, at) => `x-${at}: y`) }),
    due: whole,
  },
])

const sizes = clientFaults({ kind: 'body-limit' }, [
  {
    name: 'body-at-the-limit',
    steps: asking((kit) => ({ body: padded(kit, kit.bodyLimit) })),
    due: whole,
  },
  {
    name: 'body-one-over',
    steps: asking((kit) => ({ body: padded(kit, kit.bodyLimit + 1) })),
    due: refused(413),
  },
  {
    name: 'body-over-in-chunks',
    steps: (kit) => {
      const bytes = kit.request({
        body: '',
        headers: { 'content-length': undefined, 'transfer-encoding': 'chunked' },
      })
      const block = Buffer.from(padded(kit, kit.bodyLimit * 2))
      return [say(bytes), say(`${block.length.toString(16)}\r\n`), say(block), say('\r\n0\r\n\r\n')]
    },
    due: refused(413),
  },
  {
    name: 'body-announced-as-a-terabyte',
    steps: asking({ headers: { 'content-length': '1099511627776' } }),
    due: refused(413),
  },
  {
    name: 'body-announced-beyond-numbers',
    steps: asking({ headers: { 'content-length': '9'.repeat(40) } }),
    due: refused([400, 413]),
  },
  { name: 'body-empty', steps: asking({ body: '' }), due: refused(400) },
])

function padded({ request }: Kit, size: number): string {
  const bytes = request({ members: { user: '' } })
  const body = bytes.toString('utf8', bytes.indexOf('\r\n\r\n') + 4)
  return body.replace('"user":""', `"user":"${'x'.repeat(size - Buffer.byteLength(body))}"`)
}

const noJson = clientFaults(
  { kind: 'not-json', due: refused(400) },
  [
    ['null', 'null'],
    ['true', 'true'],
    ['number', '42'],
    ['string', '"hello"'],
    ['list', '[]'],
    ['half', '{"model":'],
    ['two', '{} {}'],
    ['trailing-comma', '{"model":"x",}'],
    ['single-quotes', "{'model':'x'}"],
    ['comment', '{/* */"model":"x"}'],
    ['form', 'model=x&messages=y'],
    ['xml', '<model>x</model>'],
    ['nan', '{"model":NaN}'],
    ['hex', '{"model":0x10}'],
    ['leading-zero', '{"max_tokens":01}'],
    ['bare-key', '{model:"x"}'],
    ['control-in-string', '{"model":"a\u0001b"}'],
    ['nothing-but-blanks', ' '.repeat(1000)],
    ['nul', '\0'],
  ].map(([name, body]) => ({ name: `body-${name}`, steps: asking({ body: body ?? '' }) })),
)

const depths = clientFaults({ kind: 'deep-json', due: refused(400) }, [
  ...[200, 1000, 10_000, 30_000].flatMap((depth) => [
    {
      name: `lists-${depth}-deep`,
      steps: asking({ body: `{"model":"x","messages":${'['.repeat(depth)}${']'.repeat(depth)}}` }),
    },
    {
      name: `objects-${depth}-deep`,
      steps: asking({ body: `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}` }),
    },
  ]),
  { name: 'lists-never-closed', steps: asking({ body: '['.repeat(190_000) }) },
  {
    name: 'many-members',
    steps: asking({
      body: `{${Array.from({ length: 15_000 }, (_, at) => `"k${at}":1`).join(',')}}`,
    }),
  },
  { name: 'many-elements', steps: asking({ body: `{"messages":[${'1,'.repeat(90_000)}1]}` }) },
  {
    name: 'number-of-100000-digits',
    steps: asking(({ model }) => ({
      body: `{"model":"${model}","max_tokens":${'9'.repeat(100_000)},"messages":[]}`,
    })),
  },
  {
    name: 'number-beyond-doubles',
    steps: asking(({ model }) => ({
      body: `{"model":"${model}","max_tokens":1e999,"messages":[]}`,
    })),
  },
])

/** Nobody may be able to give every object of the process a member. */
function pollution(): string | undefined {
  return Object.hasOwn(Object.prototype, 'polluted') || 'polluted' in {}
    ? 'the prototype of all objects was changed'
    : undefined
}

const prototypes = clientFaults(
  { kind: 'prototype-keys', inspect: pollution, due: { hits: 'any' } },
  [
    ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'].flatMap((name) => [
      {
        name: `member-${name}`,
        steps: asking((kit) => ({
          body: withRaw(kit, `"${name}":{"polluted":true,"prototype":{"polluted":true}}`),
        })),
      },
      {
        name: `message-member-${name}`,
        steps: asking((kit) => ({
          body: withRaw(kit, `"metadata":{"${name}":{"polluted":"yes"}}`),
        })),
      },
    ]),
    {
      name: 'tool-schema-with-proto',
      steps: asking((kit) => ({ body: withRaw(kit, toolsFor(kit)) })),
      due: whole,
    },
  ],
)

function toolsFor({ caller }: Kit): string {
  const schema = '{"type":"object","properties":{"__proto__":{"type":"object","polluted":true}}}'
  return caller === 'messages'
    ? `"tools":[{"name":"f","input_schema":${schema}}]`
    : `"tools":[{"type":"function","function":{"name":"f","parameters":${schema}}}]`
}

/** The usual body with a raw member in front. */
function withRaw({ request }: Kit, raw: string): string {
  const bytes = request()
  return bytes.toString('utf8', bytes.indexOf('\r\n\r\n') + 4).replace('{', `{${raw},`)
}

const duplicates = clientFaults({ kind: 'duplicate-keys', due: refused(400) }, [
  ...[
    ['model', '"model":"other"'],
    ['model-escaped', '"mod\\u0065l":"other"'],
    ['stream-false', '"stream":false'],
    ['stream-true', '"stream":true'],
    ['messages', '"messages":[]'],
    ['max-tokens', '"max_tokens":1,"max_tokens":2'],
  ].map(([name, raw]) => ({
    name: `twice-${name}`,
    steps: asking((kit) => ({ body: withRaw(kit, raw ?? '') })),
  })),
  {
    name: 'twice-n',
    steps: asking((kit) => ({ body: withRaw(kit, '"n":1,"n":1') })),
    only: { caller: 'chat-completions' },
  },
])

const texts = clientFaults({ kind: 'bad-utf-8', due: refused(400) }, [
  ...[
    ['lone-continuation', [0x80]],
    ['cut-sequence', [0xe2, 0x82]],
    ['overlong-slash', [0xc0, 0xaf]],
    ['overlong-nul', [0xc0, 0x80]],
    ['surrogate', [0xed, 0xa0, 0x80]],
    ['beyond-unicode', [0xf4, 0x90, 0x80, 0x80]],
    ['ff', [0xff]],
    ['latin1', [0xe9, 0x20]],
  ].map(([name, bytes]) => ({
    name: `utf-8-${String(name)}`,
    steps: asking((kit) => ({ body: withBytes(kit, bytes as number[]) })),
  })),
  {
    name: 'utf-16',
    steps: asking((kit) => ({ body: Buffer.from(`\uFEFF${bodyOf(kit)}`, 'utf16le') })),
  },
  {
    name: 'byte-order-mark',
    steps: asking((kit) => ({ body: `\uFEFF${bodyOf(kit)}` })),
    due: whole,
  },
  {
    name: 'nul-escaped',
    steps: asking((kit) => ({ body: bodyOf(kit).replace('letters', 'a\\u0000b') })),
    due: { hits: 'any', status: [[200, 400]] },
  },
  {
    name: 'lone-surrogate-escaped',
    steps: asking((kit) => ({ body: bodyOf(kit).replace('letters', 'a\\ud800b') })),
    due: { hits: 'any', status: [[200, 400]] },
  },
])

function bodyOf({ request }: Kit): string {
  const bytes = request()
  return bytes.toString('utf8', bytes.indexOf('\r\n\r\n') + 4)
}

function withBytes(kit: Kit, bytes: readonly number[]): Buffer {
  const body = Buffer.from(bodyOf(kit))
  const at = body.indexOf('letters')
  return Buffer.concat([body.subarray(0, at), Buffer.from(bytes), body.subarray(at)])
}

const gzipBomb = gzipSync(Buffer.alloc(10_000_000))

/** Clients of the messages protocol know the code for it under 400 only. */
const refusedAsPacked = ({ caller }: ClientVariant) => refused(caller === 'messages' ? 400 : 415)

const packed = clientFaults({ kind: 'compressed-body', due: refusedAsPacked }, [
  ...(
    [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const
  ).map(([coding, pack]) => ({
    name: `body-in-${coding}`,
    steps: asking((kit: Kit) => ({
      body: pack(bodyOf(kit)),
      headers: { 'content-encoding': coding },
    })),
  })),
  { name: 'body-said-to-be-gzip', steps: asking({ headers: { 'content-encoding': 'gzip' } }) },
  {
    name: 'body-in-gzip-twice',
    steps: asking((kit) => ({
      body: gzipSync(gzipSync(bodyOf(kit))),
      headers: { 'content-encoding': 'gzip, gzip' },
    })),
  },
  {
    name: 'body-a-bomb',
    steps: asking({ body: gzipBomb, headers: { 'content-encoding': 'gzip' } }),
  },
  { name: 'body-in-unknown-coding', steps: asking({ headers: { 'content-encoding': 'rot13' } }) },
  {
    name: 'body-in-identity',
    steps: asking({ headers: { 'content-encoding': 'identity' } }),
    due: whole,
  },
])

/** The content type decides nothing here: what is no JSON is refused whatever it is called. */
const types = clientFaults({ kind: 'content-type', due: { hits: 'any', status: [[200, 415]] } }, [
  ...[
    ['none', undefined],
    ['text', 'text/plain'],
    ['form', 'application/x-www-form-urlencoded'],
    ['html', 'text/html'],
    ['utf-16', 'application/json; charset=utf-16'],
    ['long-boundary', `multipart/form-data; boundary=${'b'.repeat(9000)}`],
    ['repeated-parameters', `application/json${'; charset=utf-8'.repeat(500)}`],
    ['blanks', `application/json${' '.repeat(9000)}x`],
  ].map(([name, type]) => ({
    name: `type-${name}`,
    steps: asking({ headers: { 'content-type': type } }),
  })),
  {
    name: 'multipart-body',
    steps: asking({
      body: '--b\r\ncontent-disposition: form-data; name="model"\r\n\r\nx\r\n--b--\r\n',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    }),
    due: refused([400, 415]),
  },
])

export const requestClientFaults: readonly ClientFault[] = [
  ...floods,
  ...sizes,
  ...noJson,
  ...depths,
  ...prototypes,
  ...duplicates,
  ...texts,
  ...packed,
  ...types,
]
