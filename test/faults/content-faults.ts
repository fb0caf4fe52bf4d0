import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'

import { head, json, reset, type Script, sse, write } from '#test/scripted-upstream.ts'

import { goodReply } from './answers.ts'
import { ofKind, type Serving, type UpstreamFault } from './upstream-fault.ts'

// An answer under the wrong content type, in the wrong form, or compressed although nobody asked for it.

const stream = { isStream: true } as const

/** Made once: what is to be measured is the gateway. */
const bomb = gzipSync(Buffer.alloc(100_000_000, 0x20))

/** Content types that lie, or say nothing, about a body that is a good answer or none at all. */
const types = ofKind({ kind: 'content-type' }, [
  {
    name: 'type-html-page',
    script: () => json(200, '<html>Hi</html>', { 'content-type': 'text/html' }),
    sees: 'upstream-failed',
  },
  {
    name: 'type-json-html-page',
    script: () => json(200, '<html>Hi</html>'),
    sees: 'upstream-failed',
  },
  {
    name: 'type-text-page',
    script: () => json(200, 'All good.', { 'content-type': 'text/plain' }),
    sees: 'upstream-failed',
  },
  {
    name: 'type-none-page',
    script: () => [write(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`)],
    sees: 'upstream-failed',
  },
  {
    name: 'type-image',
    script: () => json(200, '\u0089PNG', { 'content-type': 'image/png' }),
    sees: 'upstream-failed',
  },
  { name: 'type-none', script: (serving) => typed(serving, {}), sees: 'whole' },
  {
    name: 'type-text',
    script: (serving) => typed(serving, { 'content-type': 'text/plain' }),
    sees: 'whole',
  },
  {
    name: 'type-bytes',
    script: (serving) => typed(serving, { 'content-type': 'application/octet-stream' }),
    sees: 'whole',
  },
  {
    name: 'type-upper-case',
    script: (serving) =>
      typed(serving, {
        'content-type': serving.isStream ? 'TEXT/EVENT-STREAM' : 'APPLICATION/JSON',
      }),
    sees: 'whole',
  },
  {
    name: 'type-latin1',
    script: (serving) =>
      typed(serving, {
        'content-type': `${serving.isStream ? 'text/event-stream' : 'application/json'}; charset=iso-8859-1`,
      }),
    sees: 'whole',
  },
  {
    name: 'reply-for-a-stream',
    only: stream,
    script: ({ protocol }) => json(200, goodReply[protocol]),
    sees: 'whole',
  },
  {
    name: 'stream-for-a-reply',
    only: { isStream: false },
    script: ({ frames }) => sse(frames),
    sees: 'whole',
  },
  {
    name: 'stream-for-a-reply-cut',
    only: { isStream: false },
    script: ({ frames }) => sse(frames.slice(0, 4)),
    sees: 'upstream-lost',
  },
  {
    name: 'stream-for-a-reply-reset',
    only: { isStream: false },
    script: ({ frames }) => sse(frames.slice(0, 4), { ending: [reset] }),
    sees: 'upstream-lost',
  },
  {
    name: 'stream-for-a-reply-garbled',
    only: { isStream: false },
    script: ({ frames }) => sse([...frames.slice(0, 4), 'data: {"choices":\n\n']),
    sees: 'upstream-failed',
  },
])

function typed(
  { protocol, isStream, frames }: Serving,
  headers: Readonly<Record<string, string>>,
): Script {
  const body = Buffer.from(isStream ? frames.join('') : JSON.stringify(goodReply[protocol]))
  return [write(head(200, { ...headers, 'content-length': `${body.length}` })), write(body)]
}

const packers = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
} as const

/** Compressed although nobody asked for it. */
const compressed = ofKind({ kind: 'compressed' }, [
  ...(['gzip', 'deflate', 'br'] as const).map((coding) => ({
    name: `packed-${coding}`,
    script: (serving: Serving) => packed(serving, coding, (bytes) => packers[coding](bytes)),
  })),
  {
    name: 'packed-gzip-cut',
    script: (serving) => packed(serving, 'gzip', (bytes) => gzipSync(bytes).subarray(0, 150)),
    sees: 'upstream-lost',
  },
  {
    name: 'packed-gzip-lie',
    script: (serving) => packed(serving, 'gzip', (bytes) => bytes),
    sees: 'upstream-lost',
  },
  {
    name: 'packed-twice',
    script: (serving) => packed(serving, 'gzip, gzip', (bytes) => gzipSync(gzipSync(bytes))),
    sees: 'upstream-failed',
  },
  {
    name: 'packed-bomb',
    only: { hasNext: false },
    script: (serving) => packed(serving, 'gzip', () => bomb),
    sees: 'upstream-failed',
  },
])

function packed(
  { protocol, isStream, frames }: Serving,
  coding: string,
  pack: (bytes: Buffer) => Uint8Array,
): Script {
  const bytes = pack(Buffer.from(isStream ? frames.join('') : JSON.stringify(goodReply[protocol])))
  const headers = {
    'content-type': isStream ? 'text/event-stream' : 'application/json',
    'content-encoding': coding,
    'content-length': `${bytes.length}`,
  }
  return [write(head(200, headers)), write(bytes)]
}

export const contentFaults: readonly UpstreamFault[] = [...types, ...compressed]
