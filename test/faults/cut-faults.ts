import { type Act, close, reset, sse, stall, waitFor, write } from '#test/scripted-upstream.ts'

import { firstContent, goodFrames, pastContent } from './answers.ts'
import {
  ofKind,
  type Sees,
  type Serving,
  type UpstreamFault,
  type Variant,
} from './upstream-fault.ts'

// An upstream that begins a stream and does not end it, or says more after its end.

const stream = { isStream: true } as const

/** How a stream can end before its end. What came before it has had time to be read. */
const endings: Readonly<Record<string, (pause: Act) => readonly Act[]>> = {
  reset: (pause) => [pause, reset],
  fin: (pause) => [pause, close],
  'clean-end': () => [write('0\r\n\r\n')],
}

/** Time for the gateway to read what was written; made anew for every script, since it begins to pass at once. */
async function* paused(
  acts: readonly Act[],
  ending: (pause: Act) => readonly Act[],
): AsyncGenerator<Act> {
  yield* acts
  yield* ending(waitFor(Bun.sleep(readMs)))
}

const readMs = 150

/** Whether the first so many frames say something, and so commit the gateway to this target. */
function cutAfter(frames: number): (variant: Variant) => Sees {
  return ({ upstream }) =>
    frames > firstContent[upstream] ? { broken: 'upstream-lost' } : 'upstream-lost'
}

const framesOfContent = 9

const cuts: readonly UpstreamFault[] = Array.from({ length: framesOfContent }, (_, count) => count)
  .slice(1)
  .flatMap((count) =>
    Object.entries(endings).map(([name, ending]): UpstreamFault => ({
      name: `cut-after-${count}-frames-${name}`,
      kind: 'cut-mid-stream',
      only: stream,
      script: ({ frames, protocol }) =>
        paused(
          sse(frames.slice(0, Math.min(count, pastContent[protocol])), { ending: [] }),
          ending,
        ),
      sees: cutAfter(count),
    })),
  )

const atOnce: readonly UpstreamFault[] = Object.entries(endings).map(([name, ending]) => ({
  name: `cut-after-the-head-${name}`,
  kind: 'cut-mid-stream',
  only: stream,
  script: () => paused(sse([], { ending: [] }), ending),
  sees: 'upstream-lost',
}))

/** Cuts at bytes, from the first of the body on: inside a field, a JSON string, a character. */
const inBytes: readonly UpstreamFault[] = [1, 5, 20, 60, 150, 320, 480, 640, 700, 760].flatMap(
  (offset) =>
    Object.entries(endings).map(([name, ending]): UpstreamFault => ({
      name: `cut-at-byte-${offset}-${name}`,
      kind: 'cut-at-byte',
      only: stream,
      script: ({ frames }) =>
        paused(sse(Buffer.from(frames.join('')).subarray(0, offset), { ending: [] }), ending),
      sees: ({ upstream }) =>
        cutAfter(framesWithin(goodFrames[upstream], offset))({ upstream } as Variant),
    })),
)

function framesWithin(frames: readonly string[], offset: number): number {
  let end = 0
  return frames.filter((frame) => (end += Buffer.byteLength(frame)) <= offset).length
}

/** The same without time to read: whoever wins the race, nobody may take it for the whole. */
const atOneGo: readonly UpstreamFault[] = [3, 6].flatMap((count) =>
  (
    [
      ['reset', reset],
      ['fin', close],
    ] as const
  ).map(([name, act]): UpstreamFault => ({
    name: `cut-after-${count}-frames-${name}-at-one-go`,
    kind: 'cut-mid-stream',
    only: stream,
    script: ({ frames }) => sse(frames.slice(0, count), { ending: [act] }),
    sees: { either: ['upstream-lost', { broken: 'upstream-lost' }] },
  })),
)

/** What comes after the terminator is nobody's. */
const afterEnd: readonly UpstreamFault[] = (
  [
    ['reset', (): Act[] => [waitFor(Bun.sleep(readMs)), reset]],
    ['fin', (): Act[] => [waitFor(Bun.sleep(readMs)), close]],
    ['stall', [stall]],
    [
      'garbage-chunk',
      (): Act[] => [waitFor(Bun.sleep(readMs)), write('zz\r\nnonsense\r\n'), close],
    ],
    ['another-frame', [write('d\r\ndata: {"x":1}\r\n'), write('0\r\n\r\n')]],
    [
      'error-frame',
      [
        write(
          `${'data: {"error":{"message":"m"}}\n\n'.length.toString(16)}\r\ndata: {"error":{"message":"m"}}\n\n\r\n0\r\n\r\n`,
        ),
      ],
    ],
    ['second-terminator', [write('e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n')]],
  ] as const
).map(([name, ending]) => ({
  name: `after-the-terminator-${name}`,
  kind: 'terminator-then',
  only: stream,
  script: ({ frames }: Serving) =>
    sse(frames, { ending: typeof ending === 'function' ? ending() : ending }),
  sees: 'whole' as const,
}))

/** Here the runtime may drop what it has read when the connection fails in the same moment. */
const afterEndAtOneGo: readonly UpstreamFault[] = (
  [
    ['reset', reset],
    ['fin', close],
  ] as const
).map(([name, act]) => ({
  name: `after-the-terminator-${name}-at-one-go`,
  kind: 'terminator-then',
  only: stream,
  script: ({ frames }) => sse(frames, { ending: [act] }),
  sees: { either: ['whole', 'upstream-lost'] as const },
}))

const ended = ofKind({ kind: 'terminator', only: stream }, [
  {
    name: 'no-done-after-finish',
    only: { isStream: true, upstream: 'chat-completions' },
    script: ({ frames }) => sse(frames.slice(0, -1)),
    sees: 'whole',
  },
  {
    name: 'no-done-after-finish-fin-without-last-chunk',
    only: { isStream: true, upstream: 'chat-completions' },
    script: ({ frames }) =>
      sse(frames.slice(0, -1), { ending: [waitFor(Bun.sleep(readMs)), close] }),
    sees: { broken: 'upstream-lost' },
  },
  {
    name: 'no-message-stop',
    only: { isStream: true, upstream: 'messages' },
    script: ({ frames }) => sse(frames.slice(0, -1)),
    sees: { broken: 'upstream-lost' },
  },
  {
    name: 'no-message-stop-reset',
    only: { isStream: true, upstream: 'messages' },
    script: ({ frames }) =>
      sse(frames.slice(0, -1), { ending: [waitFor(Bun.sleep(readMs)), reset] }),
    sees: { broken: 'upstream-lost' },
  },
  {
    name: 'no-blank-line-at-the-end',
    script: ({ frames }) => sse([...frames.slice(0, -1), (frames.at(-1) ?? '').trimEnd()]),
    sees: 'whole',
  },
  {
    name: 'terminator-first',
    script: ({ frames }) => sse([frames.at(-1) ?? '']),
    sees: 'upstream-failed',
  },
  {
    name: 'no-content-at-all',
    only: { isStream: true, upstream: 'chat-completions' },
    script: ({ frames }) => sse([frames[0] ?? '', frames.at(-1) ?? '']),
    text: '',
    counted: 'estimated',
    sees: 'whole',
  },
])

export const cutFaults: readonly UpstreamFault[] = [
  ...atOnce,
  ...cuts,
  ...inBytes,
  ...atOneGo,
  ...afterEnd,
  ...afterEndAtOneGo,
  ...ended,
]
