import { describe, expect, test } from 'bun:test'

import { seed as newSeed } from '#test/seed.ts'

import { newHttpRig } from './http-rig.ts'
import { corpusOf, type KindName, kinds } from './kinds.ts'
import { referenceFrames } from './reference-sse.ts'
import { told, tryMany } from './runs.ts'
import { shrunk } from './shrink.ts'

/** How many inputs of each kind are tried here, with the seed that is always the same and with one that is new. */
const counts: Readonly<Record<KindName, number>> = { sse: 150, json: 1000, http: 200 }

/** A machine that is busy with everything else is slow. */
const longestMs = 60_000

describe.each(Object.keys(counts) as KindName[])('what is sent to break %s', (name) => {
  test('and once did, does no more', async () => {
    await using kind = await kinds[name]()
    for (const { name: file, bytes } of corpusOf(name)) {
      expect({ file, failure: await kind.failureOf(bytes) }).toEqual({ file, failure: undefined })
    }
    expect(corpusOf(name).length).toBeGreaterThan(0)
  })

  test.each([
    ['the usual seed', 1],
    ['a new seed', newSeed],
  ])(
    'breaks nothing, T11, T12: %s (%i)',
    async (_name, seed) => {
      await using kind = await kinds[name]()
      const { found, tried } = await tryMany(kind, {
        seed,
        isOver: (count) => count >= counts[name],
      })
      expect(found.map(told)).toEqual([])
      expect(tried).toBeGreaterThanOrEqual(counts[name])
    },
    longestMs,
  )
})

test('a gateway that was sent nothing but rubbish answers the next good request', async () => {
  await using rig = await newHttpRig()
  await Promise.all(corpusOf('http').map(({ bytes }) => rig.failureOf(bytes)))
  expect(await rig.control()).toBeUndefined()
  expect(rig.statuses.size).toBeGreaterThan(1)
})

describe('the slow reference reader', () => {
  // The examples of the standard's own section on the format.
  test.each([
    [
      ': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n',
      ['first event', 'second event', ' third event'],
    ],
    ['data\n\ndata\ndata\n\ndata:\n\n', ['', '\n', '']],
    ['data:test\n\ndata: test\n\n', ['test', 'test']],
    ['data: YHOO\r\ndata: +2\r\ndata: 10\r\n\r\n', ['YHOO\n+2\n10']],
  ])('reads %j as the standard says', (text, data) => {
    const frames = referenceFrames(Buffer.from(text)).filter(({ isComment }) => !isComment)
    expect(frames.map((frame) => frame.data)).toEqual(data)
  })
})

test('an input that breaks something is shrunk to what it needs for that', async () => {
  const failureOf = (bytes: Uint8Array) =>
    bytes.includes(7) && bytes.includes(9) ? 'both' : undefined
  const input = Uint8Array.from({ length: 300 }, (_, at) => at % 50)
  expect([...(await shrunk(input, failureOf))]).toHaveLength(2)
})
