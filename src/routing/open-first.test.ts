import { describe, expect, test } from 'bun:test'

import { GatewayError } from '#chat/error.ts'
import { Notes } from '#chat/note.ts'
import {
  chunk,
  chunks,
  events,
  failureOf,
  hear,
  model,
  remote,
  reply,
  requestIn,
} from '#test/remote-rig.ts'
import {
  dataFrames,
  eventFrames,
  json,
  neverAnswer,
  reset,
  type ScriptedUpstream,
  sse,
  startScriptedUpstream,
  waitFor,
} from '#test/scripted-upstream.ts'
import type { RemoteSettings } from '#upstreams/build-remote.ts'
import type { Target } from '#upstreams/upstream.ts'

import { Health } from './health.ts'
import { type Asking, firstOf, openFirst } from './open-first.ts'

const chat = requestIn('chat-completions')
const stream = requestIn('chat-completions', { stream: true })
const busy = json(503, { error: { message: 'busy' } })
const never = new Promise<never>(() => {})

function asking(signal = new AbortController().signal, members: Partial<Asking> = {}): Asking {
  return {
    signal,
    notes: new Notes(),
    health: new Health(),
    deadlineAt: Infinity,
    repeats: 0,
    isRepeatable: true,
    random: () => 0,
    ...members,
  }
}

function targetAt(up: ScriptedUpstream, settings: Partial<RemoteSettings> = {}): Target {
  const protocol = settings.protocol ?? 'chat-completions'
  const upstream = remote({ name: `at-${up.port}`, protocol, url: up.origin, ...settings })
  return { upstream, model: model(upstream) }
}

describe('the first target that answers', () => {
  test('is the first, if it does', async () => {
    await using one = await startScriptedUpstream([json(200, reply)])
    await using two = await startScriptedUpstream([json(200, reply)])
    const first = targetAt(one)
    const opened = await openFirst([first, targetAt(two)], chat, asking())
    expect(opened.target).toBe(first)
    expect(opened.attempts).toBe(1)
    expect((await hear(opened.answer)).text).toBe(JSON.stringify(reply))
    expect(two.requests.length).toBe(0)
  })

  test.each([
    ['answers 503', busy],
    ['answers 429', json(429, { error: { message: 'slow' } })],
    ['answers with HTML', json(200, '<html></html>')],
    ['refuses our key', json(401, { error: { message: 'no' } })],
    ['resets the connection', [reset]],
    [
      'accepts a stream and fails as its first event',
      sse(dataFrames({ error: { message: 'no', code: 500 } })),
    ],
    [
      'fails after a mere role',
      sse(dataFrames(chunks[0], { error: { message: 'no', code: 500 } })),
    ],
    ['breaks off after a mere role', sse(dataFrames(chunks[0]).slice(0, 1))],
    ['accepts a stream and says nothing', sse([])],
  ])('is the second, if the first %s (T-E09)', async (_, script) => {
    await using one = await startScriptedUpstream([script])
    await using two = await startScriptedUpstream([sse(dataFrames(...chunks))])
    const second = targetAt(two)
    const targets = [targetAt(one), second]
    const { target, attempts, answer } = await openFirst(targets, stream, asking())
    expect(target).toBe(second)
    expect(attempts).toBe(2)
    expect((await hear(answer)).text).toBe(dataFrames(...chunks).join(''))
  })

  test('is the second across protocols too, and of the first there is not even a note', async () => {
    await using one = await startScriptedUpstream([sse(eventFrames(...events.slice(0, 1)))])
    await using two = await startScriptedUpstream([sse(dataFrames(...chunks))])
    const request = requestIn('chat-completions', { stream: true, seed: 7 })
    const notes = new Notes()
    notes.add('before', 'kept')
    const targets = [targetAt(one, { protocol: 'messages' }), targetAt(two)]
    const { answer, attempts } = await openFirst(targets, request, { ...asking(), notes })
    expect(attempts).toBe(2)
    expect((await hear(answer)).text).toBe(dataFrames(...chunks).join(''))
    expect(notes.list).toEqual([{ field: 'before', what: 'kept' }])
  })

  test('is none once content has come: what fails then breaks the answer (R05)', async () => {
    const frames = dataFrames(chunks[0], chunk({ content: 'Hel' })).slice(0, 2)
    await using one = await startScriptedUpstream([sse(frames)])
    await using two = await startScriptedUpstream([sse(dataFrames(...chunks))])
    const { answer } = await openFirst([targetAt(one), targetAt(two)], stream, asking())
    const { text, failure } = await hear(answer)
    expect(text).toBe(frames.join(''))
    expect(failure?.code).toBe('upstream-lost')
    expect(two.requests.length).toBe(0)
  })

  test('is not looked for after a refusal of what the caller said', async () => {
    await using one = await startScriptedUpstream([json(400, { error: { message: 'bad tool' } })])
    await using two = await startScriptedUpstream([json(200, reply)])
    const failure = await failureOf(openFirst([targetAt(one), targetAt(two)], chat, asking()))
    expect([failure?.code, failure?.message]).toEqual(['upstream-refused', 'bad tool'])
    expect(two.requests.length).toBe(0)
  })

  test('is not looked for once the caller has left', async () => {
    await using one = await startScriptedUpstream([neverAnswer])
    await using two = await startScriptedUpstream([json(200, reply)])
    const leaving = new AbortController()
    const opening = failureOf(
      openFirst([targetAt(one), targetAt(two)], chat, asking(leaving.signal)),
    )
    await one.request(0)
    const gone = new GatewayError('client-gone', 'The caller left.')
    leaving.abort(gone)
    expect(await opening).toBe(gone)
    expect(two.requests.length).toBe(0)
  })

  test('is looked for three times at most, and the last failure is told', async () => {
    await using up = await startScriptedUpstream([busy])
    const targets = Array.from({ length: 5 }, () => targetAt(up))
    const asked: number[] = []
    const failed: string[] = []
    const failure = await failureOf(
      openFirst(targets, chat, {
        ...asking(),
        onAttempt: (_, attempt) => asked.push(attempt),
        onFailure: (_, { code }) => failed.push(code),
      }),
    )
    expect([failure?.code, failure?.status]).toEqual(['upstream-overloaded', 503])
    expect(asked).toEqual([1, 2, 3])
    expect(failed).toEqual(Array(3).fill('upstream-overloaded'))
    expect(up.requests.length).toBe(3)
  })
})

test('a name that no list holds and the upstream does not know is an unknown model (V06)', async () => {
  await using up = await startScriptedUpstream([json(404, { error: { message: 'no such model' } })])
  const listed = await failureOf(openFirst([targetAt(up)], chat, asking()))
  expect(listed?.status).toBe(502)
  const unlisted = { ...targetAt(up), isUnlisted: true }
  const failure = await failureOf(openFirst([unlisted], chat, asking()))
  expect(failure).toMatchObject({ code: 'model-unknown', status: 404, param: 'model' })
  expect(failure?.message).toBe('The model `m-1` does not exist or you do not have access to it.')
})

test('a preamble is held back until content comes, and then nothing of it is missing', async () => {
  const gate = Promise.withResolvers<void>()
  const frames = dataFrames(...chunks)
  const cutAt = [frames[0]?.length ?? 0]
  await using up = await startScriptedUpstream([
    sse(frames, { cutAt, between: () => gate.promise }),
  ])
  let isOpen = false
  const opening = openFirst([targetAt(up)], stream, asking()).then((opened) => {
    isOpen = true
    return opened
  })
  await up.request(0)
  // The role chunk is read in well under a hundred turns of the event loop.
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
  expect(isOpen).toBe(false)
  gate.resolve()
  expect((await hear((await opening).answer)).text).toBe(frames.join(''))
})

test('an opened answer that nobody reads closes its upstream when it is given back', async () => {
  const frames = dataFrames(...chunks).slice(0, 2)
  await using up = await startScriptedUpstream([sse(frames, { ending: [waitFor(never)] })])
  const { answer } = await openFirst([targetAt(up)], stream, asking())
  await answer.steps[Symbol.asyncIterator]().return?.()
  await (
    await up.request(0)
  ).closed
})

test('any question can be put to the targets in turn', async () => {
  await using one = await startScriptedUpstream([busy])
  await using two = await startScriptedUpstream([busy])
  const targets = [targetAt(one), targetAt(two)]
  const { value, attempts } = await firstOf(targets, asking(), async (target) => {
    if (target === targets[0]) throw new GatewayError('upstream-busy', 'no')
    return 42
  })
  expect([value, attempts]).toEqual([42, 2])
  const bug = await failureOf(
    firstOf(targets, asking(), async () => {
      throw new RangeError('ours')
    }),
  )
  expect(bug?.code).toBe('internal')
  expect((await failureOf(firstOf([], asking(), async () => 1)))?.code).toBe('model-unknown')
})
