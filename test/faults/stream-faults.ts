import { type Act, sse, stall, write } from '#test/scripted-upstream.ts'

import { errorFrame, firstContent } from './answers.ts'
import {
  ofKind,
  type Sees,
  type Serving,
  type UpstreamFault,
  type Variant,
} from './upstream-fault.ts'

// An upstream that fails, stalls, or words a stream as no server should.

const stream = { isStream: true } as const

/** An error inside a stream, before and after the first words. */
const errors: readonly UpstreamFault[] = (
  [
    ['overloaded_error', 'upstream-overloaded'],
    ['rate_limit_error', 'upstream-busy'],
    ['api_error', 'upstream-failed'],
    ['authentication_error', 'upstream-unauthorised'],
    ['invalid_request_error', 'upstream-refused'],
  ] as const
).flatMap(([type, code]) =>
  [0, 1, 4].map((frames): UpstreamFault => ({
    name: `error-frame-${type}-after-${frames}`,
    kind: 'error-in-a-200',
    only: stream,
    script: ({ frames: good, protocol }) =>
      sse([...good.slice(0, frames), errorFrame(protocol, type, 'It cannot go on.')]),
    sees: frames > 2 ? { broken: code } : code,
  })),
)

const soon = { firstByte: '400ms', silence: '400ms', progress: '900ms', total: '3s' }

const stalls = ofKind({ kind: 'stall', only: stream, deadlines: soon }, [
  ...[0, 1, 3, 6].map((count) => ({
    name: `stall-after-${count}-frames`,
    script: ({ frames }: Serving) => sse(frames.slice(0, count), { ending: [stall] }),
    sees: ({ upstream }: Variant): Sees =>
      count > firstContent[upstream] ? { broken: 'upstream-timeout' } : 'upstream-timeout',
  })),
  {
    name: 'stall-inside-a-frame',
    script: ({ frames }) =>
      sse([...frames.slice(0, 4), (frames[4] ?? '').slice(0, 30)], { ending: [stall] }),
    sees: { broken: 'upstream-timeout' },
  },
  {
    name: 'stall-before-the-terminator',
    script: ({ frames }) => sse(frames.slice(0, -1), { ending: [stall] }),
    sees: { broken: 'upstream-timeout' },
  },
  { name: 'pings-only', script: (serving) => pinging(serving, 0), sees: 'upstream-timeout' },
  {
    name: 'pings-after-words',
    script: (serving) => pinging(serving, 4),
    sees: { broken: 'upstream-timeout' },
  },
])

async function* pinging({ frames, protocol }: Serving, count: number): AsyncGenerator<Act> {
  yield* sse(frames.slice(0, count), { ending: [] })
  const ping = protocol === 'messages' ? 'event: ping\ndata: {"type":"ping"}\n\n' : ': ping\n\n'
  for (;;) {
    yield write(`${Buffer.byteLength(ping).toString(16)}\r\n${ping}\r\n`)
    await Bun.sleep(100)
  }
}

/** Other ways to say the same stream. */
const dialects: readonly UpstreamFault[] = [
  ['crlf', (text: string) => text.replaceAll('\n', '\r\n')],
  ['cr', (text: string) => text.replaceAll('\n', '\r')],
  ['bom', (text: string) => `\uFEFF${text}`],
  ['no-space-after-colon', (text: string) => text.replaceAll('data: ', 'data:')],
  ['comments', (text: string) => text.replaceAll('\n\n', '\n\n: a comment\n\n')],
  ['ids-and-retries', (text: string) => text.replaceAll('data: ', 'id: 7\nretry: 10\ndata: ')],
  ['unknown-fields', (text: string) => text.replaceAll('data: ', 'x-field: {"error":1}\ndata: ')],
  ['blank-lines', (text: string) => `\n\n\n${text.replaceAll('\n\n', '\n\n\n\n')}`],
  ['empty-data', (text: string) => text.replaceAll('\n\n', '\n\ndata:\n\n')],
  ['bytes-one-by-one', (text: string) => text],
].map(([name, change]) => ({
  name: `dialect-${String(name)}`,
  kind: 'malformed-sse',
  only: stream,
  script: ({ frames }: Serving) => {
    const text = (change as (text: string) => string)(frames.join(''))
    const size = Buffer.byteLength(text)
    const cutAt =
      name === 'bytes-one-by-one' ? Array.from({ length: size - 1 }, (_, at) => at + 1) : []
    return sse([text], { cutAt })
  },
  sees: 'whole' as const,
}))

/** Frames that are no event of any protocol, in the place of the third of the words. */
const strange: readonly (readonly [
  name: string,
  frame: string,
  sees: (variant: Variant) => Sees,
])[] = [
  ['bad-json', 'data: {"choices":[{"delta":\n\n', garbledOr('upstream-failed')],
  ['bare-text', 'data: hello there\n\n', garbledOr('upstream-failed')],
  [
    'unclosed-string',
    'data: {"type":"content_block_delta","x":"\n\n',
    garbledOr('upstream-failed'),
  ],
]

/** In the words' lane frames are not parsed: the caller's own client stumbles over what the upstream said. */
function garbledOr(code: 'upstream-failed'): (variant: Variant) => Sees {
  return ({ caller, upstream }) => (caller === upstream ? 'garbled' : { broken: code })
}

const malformed: readonly UpstreamFault[] = strange.map(([name, frame, sees]) => ({
  name: `frame-${name}`,
  kind: 'malformed-sse',
  only: stream,
  script: ({ frames }) => sse([...frames.slice(0, 4), frame, ...frames.slice(4)]),
  sees,
}))

const badStart: readonly UpstreamFault[] = [
  ['bad-json', 'data: {"choices":[{"delta":\n\n'],
  ['bare-text', 'data: hello there\n\n'],
  ['html', '<html><body>Bad gateway</body></html>\n\n'],
].map(([name, frame]) => ({
  name: `first-frame-${name}`,
  kind: 'malformed-sse',
  only: stream,
  script: ({ frames }) => sse([frame ?? '', ...(name === 'html' ? [] : frames)]),
  sees: name === 'html' ? 'upstream-lost' : 'upstream-failed',
}))
/** Made once: what is to be measured is the gateway. */
const giantLine = `data: ${'x'.repeat(9_000_000)}`
const giantFrame = 'data: x\n'.repeat(2_000_000)

const giants = ofKind({ kind: 'giant', only: { ...stream, hasNext: false } }, [
  {
    name: 'giant-line-without-end',
    script: ({ frames }) => sse([...frames.slice(0, 4), giantLine], { ending: [stall] }),
    sees: { broken: 'upstream-failed' },
  },
  {
    name: 'giant-frame-of-small-lines',
    script: ({ frames }) => sse([...frames.slice(0, 4), giantFrame], { ending: [stall] }),
    sees: { broken: 'upstream-failed' },
  },
  {
    name: 'giant-first-line',
    script: () => sse([giantLine], { ending: [stall] }),
    sees: 'upstream-failed',
  },
])

export const streamFaults: readonly UpstreamFault[] = [
  ...errors,
  ...stalls,
  ...dialects,
  ...malformed,
  ...badStart,
  ...giants,
]
