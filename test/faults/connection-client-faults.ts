import { type ClientFault, clientFaults, type Kit, whole } from './client-fault.ts'
import {
  after,
  type ClientStep,
  halfClose,
  hangUp,
  type Heard,
  pauseFor,
  responsesIn,
  say,
  tearDown,
  until,
} from './raw-client.ts'

// Clients that go away, hold on, or take their time.

const nobody = { status: [], row: ['none'], hits: 0 } as const
/** Where a head ends. */
export const headEnd = (bytes: Buffer): number => bytes.indexOf('\r\n\r\n')

/** Both ways to go. */
const goings: readonly (readonly [string, ClientStep])[] = [
  ['close', hangUp],
  ['reset', tearDown],
]

const beforeTheHead: readonly ClientFault[] = clientFaults(
  { kind: 'disconnect-in-head', due: nobody },
  [
    ...[0, 1, 4, 5, 12, 20, 28, 40, 60, 90].map((offset) => ({
      name: `leaves-after-${offset}-bytes`,
      steps: ({ request }: Kit) => [say(request().subarray(0, offset)), pauseFor(20), hangUp],
    })),
    ...[1, 2, 3, 20].map((missing) => ({
      name: `leaves-${missing}-bytes-before-the-body`,
      steps: ({ request }: Kit) => {
        const bytes = request()
        return [say(bytes.subarray(0, headEnd(bytes) + 4 - missing)), pauseFor(20), tearDown]
      },
    })),
  ],
)

const inTheBody: readonly ClientFault[] = clientFaults(
  { kind: 'disconnect-in-body', due: nobody },
  [
    ...goings.flatMap(([name, going]) =>
      [0, 0.25, 0.5, 0.99].map((share) => ({
        name: `leaves-at-${share * 100}-percent-of-the-body-${name}`,
        steps: ({ request }: Kit) => {
          const bytes = request({ members: { user: 'x'.repeat(40_000) } })
          const begin = headEnd(bytes) + 4
          return [
            say(bytes.subarray(0, begin + Math.floor((bytes.length - begin) * share))),
            pauseFor(20),
            going,
          ]
        },
      })),
    ),
    ...goings.map(([name, going]) => ({
      name: `leaves-one-byte-before-the-end-${name}`,
      steps: ({ request }: Kit) => [say(request().subarray(0, -1)), pauseFor(20), going],
    })),
    {
      name: 'leaves-inside-a-chunk',
      steps: ({ request }) => [
        say(chunkedHead(request)),
        say('40\r\n{"model":'),
        pauseFor(20),
        hangUp,
      ],
    },
    {
      name: 'leaves-before-the-last-chunk',
      steps: ({ request }) => [
        say(chunkedHead(request)),
        say('2\r\n{}\r\n'),
        pauseFor(20),
        tearDown,
      ],
    },
    {
      name: 'half-closes-in-the-head',
      steps: ({ request }) => [say(request().subarray(0, 40)), halfClose],
      due: { row: ['none'], hits: 0 },
    },
    {
      name: 'half-closes-in-the-body',
      steps: ({ request }) => [say(request().subarray(0, -5)), halfClose],
      due: { row: ['none'], hits: 0 },
    },
  ],
)

export function chunkedHead(request: Kit['request']): Buffer {
  const bytes = request({
    headers: { 'content-length': undefined, 'transfer-encoding': 'chunked' },
  })
  return bytes.subarray(0, headEnd(bytes) + 4)
}

/** Who has left is written down as such. */
export const left = { row: ['client-left'], hits: 1 } as const

const beforeTheAnswer: readonly ClientFault[] = clientFaults(
  { kind: 'disconnect-before-answer', upstream: 'silent', due: { ...left, input: 1 } },
  [
    ...goings.map(([name, going]) => ({
      name: `leaves-when-the-upstream-is-asked-${name}`,
      steps: ({ request, asked }: Kit) => [say(request()), after(asked), going],
    })),
    ...goings.map(([name, going]) => ({
      name: `leaves-at-once-after-the-request-${name}`,
      steps: ({ request }: Kit) => [say(request()), going],
      due: { row: ['client-left', 'none'], hits: 'any' as const },
    })),
    ...[5, 20, 60, 150].map((ms) => ({
      name: `leaves-${ms}-ms-after-the-upstream-is-asked`,
      steps: ({ request, asked }: Kit) => [say(request()), after(asked), pauseFor(ms), hangUp],
    })),
  ],
)

export const stream = { isStream: true } as const

const midStream: readonly ClientFault[] = clientFaults(
  { kind: 'disconnect-mid-stream', upstream: 'endless', only: stream, due: { ...left, output: 1 } },
  [
    ...goings.flatMap(([name, going]) =>
      [1, 2, 5, 20].map((count) => ({
        name: `leaves-after-${count}-words-${name}`,
        steps: ({ request }: Kit) => [say(request()), until(/word /, count), going],
      })),
    ),
    {
      name: 'leaves-before-the-terminator',
      steps: ({ request }) => [say(request()), until(/omega/), pauseFor(30), hangUp],
      upstream: 'unended',
      due: { ...left, output: 7 },
    },
    {
      name: 'leaves-with-the-terminator',
      steps: ({ request }) => [say(request()), until(/\[DONE\]|message_stop/), tearDown],
      upstream: 'good',
      due: { row: ['complete'], hits: 1, output: 7 },
    },
  ],
)

/**
 * The server of the runtime takes the end of what a client writes for the end of the client. Then the exchange ends at
 * once, and what the client has of an answer breaks off without its last chunk.
 */
const halfClosed: readonly ClientFault[] = clientFaults(
  {
    kind: 'half-close',
    due: { row: ['complete', 'client-left', 'none'], hits: 'any' },
  },
  [
    { name: 'half-closes-after-the-request', steps: ({ request }) => [say(request()), halfClose] },
    {
      name: 'half-closes-and-waits',
      steps: ({ request }) => [say(request()), halfClose],
      upstream: 'slow',
    },
    {
      name: 'half-closes-mid-stream',
      steps: ({ request }) => [say(request()), until(/Alpha/), halfClose],
      upstream: 'slow',
      only: stream,
    },
  ],
)
/** Answered in order or cut off; the second of them never instead of the first. */
const pipelined: readonly ClientFault[] = clientFaults({ kind: 'pipelining', upstream: 'good' }, [
  ...[2, 10, 50].map((count) => ({
    name: `pipelines-${count}`,
    steps: ({ request }: Kit) => [
      say(Buffer.concat(Array.from({ length: count }, () => request()))),
    ],
    due: { row: ['complete', 'client-left', 'none'] },
    inspect: ({ bytes }: Heard) =>
      responsesIn(bytes).every(({ status }) => status === 200) ? undefined : 'an answer is no 200',
  })),
  {
    name: 'pipelines-behind-a-refusal',
    steps: ({ request }) => [say(Buffer.concat([request({ body: '{}' }), request()]))],
    due: { row: ['complete', 'client-left', 'none'] },
    inspect: ({ bytes }: Heard) =>
      [undefined, 400].includes(responsesIn(bytes)[0]?.status) ? undefined : 'the first is no 400',
  },
  {
    name: 'pipelines-and-leaves',
    steps: ({ request, asked }) => [
      say(Buffer.concat([request(), request(), request()])),
      after(asked),
      tearDown,
    ],
    upstream: 'silent',
    due: { row: ['client-left', 'none'], hits: 'any' },
  },
])

const expecting: readonly ClientFault[] = clientFaults({ kind: 'expect' }, [
  {
    name: 'expects-100-and-waits-for-it',
    steps: ({ request }) => {
      const bytes = request({ headers: { expect: '100-continue' } })
      const end = headEnd(bytes) + 4
      return [say(bytes.subarray(0, end)), until(/^HTTP\/1\.1 100/), say(bytes.subarray(end))]
    },
    patienceMs: 3000,
    due: whole,
  },
  {
    name: 'expects-100-and-does-not-wait',
    steps: ({ request }) => [say(request({ headers: { expect: '100-continue' } }))],
    due: whole,
  },
  {
    name: 'expects-100-without-a-key',
    steps: ({ request }) => {
      const bytes = request({ headers: { expect: '100-continue', authorization: undefined } })
      return [say(bytes.subarray(0, headEnd(bytes) + 4))]
    },
    patienceMs: 3000,
    due: { status: [401], row: ['none'], hits: 0 },
  },
  {
    name: 'expects-something-else',
    steps: ({ request }) => [say(request({ headers: { expect: 'a-miracle' } }))],
    due: { status: [[200, 417]], hits: 'any' },
  },
  {
    name: 'a-key-is-asked-for-before-the-body',
    steps: ({ request }) => {
      const bytes = request({
        headers: { authorization: 'Bearer wrong', 'content-length': 5_000_000 },
      })
      return [say(bytes.subarray(0, headEnd(bytes) + 4))]
    },
    patienceMs: 3000,
    due: { status: [401], row: ['none'], hits: 0 },
  },
])

export const connectionClientFaults: readonly ClientFault[] = [
  ...beforeTheHead,
  ...inTheBody,
  ...beforeTheAnswer,
  ...midStream,
  ...halfClosed,
  ...pipelined,
  ...expecting,
]
