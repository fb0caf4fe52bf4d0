import { type ClientFault, clientFaults, whole } from './client-fault.ts'
import { chunkedHead, headEnd, left, stream } from './connection-client-faults.ts'
import {
  after,
  type ClientStep,
  hangUp,
  pauseFor,
  readOn,
  say,
  stopReading,
  tearDown,
  until,
} from './raw-client.ts'

// Clients that read or write slowly, or stop in the middle of it.

const slowReaders: readonly ClientFault[] = clientFaults(
  { kind: 'slow-reader', upstream: 'pouring', only: stream, due: { ...left, output: 1 } },
  [
    {
      name: 'stalls-and-leaves',
      steps: ({ request }) => [say(request()), stopReading, pauseFor(400), hangUp],
      due: left,
    },
    {
      name: 'stalls-and-resets',
      steps: ({ request }) => [say(request()), until(/word/), stopReading, pauseFor(400), tearDown],
    },
    {
      name: 'reads-in-gulps-and-leaves',
      steps: ({ request }) => [say(request()), ...gulps(5), hangUp],
    },
    {
      name: 'reads-slowly-to-the-end',
      steps: ({ request }) => [say(request()), ...gulps(4)],
      upstream: 'slow',
      due: { isWhole: true, row: ['complete'], hits: 1 },
    },
    {
      name: 'stalls-for-ever',
      steps: ({ request, released }) => [
        say(request()),
        until(/word/),
        stopReading,
        after(released),
        hangUp,
      ],
      isSlow: true,
      patienceMs: 100_000,
      // The connection is cut by the gateway; what the row is called is its own affair.
      due: { row: ['client-left'], hits: 1, within: 75_000 },
    },
  ],
)

function gulps(count: number): ClientStep[] {
  return Array.from({ length: count }, () => [
    stopReading,
    pauseFor(30),
    readOn,
    pauseFor(10),
  ]).flat()
}

const slowWriters: readonly ClientFault[] = clientFaults({ kind: 'slow-writer', due: whole }, [
  { name: 'head-byte-by-byte', steps: ({ request }) => byteByByte(request(), headEnd(request())) },
  { name: 'body-byte-by-byte', steps: ({ request }) => byteByByte(request(), request().length) },
  {
    name: 'head-in-three-parts',
    steps: ({ request }) => [
      say(request().subarray(0, 10)),
      pauseFor(30),
      say(request().subarray(10, 50)),
      pauseFor(30),
      say(request().subarray(50)),
    ],
  },
  {
    name: 'body-apart-from-the-head',
    steps: ({ request }) => {
      const end = headEnd(request()) + 4
      return [say(request().subarray(0, end)), pauseFor(60), say(request().subarray(end))]
    },
  },
  {
    name: 'body-in-chunks-of-one',
    steps: ({ request }) => {
      const bytes = request()
      const parts = Array.from(bytes.subarray(headEnd(bytes) + 4), (byte) => [
        ...Buffer.from('1\r\n'),
        byte,
        13,
        10,
      ])
      return [say(chunkedHead(request)), say(Buffer.from(parts.flat())), say('0\r\n\r\n')]
    },
  },
  {
    name: 'headers-for-ever',
    steps: ({ request }) => [say(request().subarray(0, 40)), ...dripping('x: y\r\n', 20, 1000)],
    isSlow: true,
    patienceMs: 25_000,
    due: { row: ['none'], hits: 0, endedBy: ['them', 'their-reset'], within: 16_000 },
  },
  {
    name: 'says-nothing-at-all',
    steps: () => [],
    isSlow: true,
    patienceMs: 25_000,
    due: { row: ['none'], hits: 0, endedBy: ['them', 'their-reset'], within: 16_000 },
  },
  {
    name: 'body-never-ends',
    steps: ({ request }) => [say(request().subarray(0, -5))],
    isSlow: true,
    patienceMs: 90_000,
    due: { row: ['none'], hits: 0, endedBy: ['them', 'their-reset'], within: 75_000 },
  },
  {
    name: 'body-drips-for-ever',
    steps: ({ request }) => [
      say(request({ headers: { 'content-length': 100_000 } })),
      ...dripping(' ', 90, 1000),
    ],
    isSlow: true,
    patienceMs: 95_000,
    due: { row: ['none'], hits: 0, endedBy: ['them', 'their-reset'], within: 75_000 },
  },
])

function byteByByte(bytes: Buffer, count: number): ClientStep[] {
  const single = Array.from(bytes.subarray(0, count), (byte, index) =>
    index % 16 === 0 ? [pauseFor(1), say(Uint8Array.of(byte))] : [say(Uint8Array.of(byte))],
  )
  return [...single.flat(), say(bytes.subarray(count))]
}

function dripping(text: string, count: number, everyMs: number): ClientStep[] {
  return Array.from({ length: count }, () => [say(text), pauseFor(everyMs)]).flat()
}

export const slowClientFaults: readonly ClientFault[] = [...slowReaders, ...slowWriters]
