import { expect, test } from 'bun:test'

import { memoryShare, percentOf } from './memory-share.ts'

test('memory is what is taken and what is free', () => {
  const share = memoryShare(30, 70)
  expect(share).toMatchObject({ wholeBytes: 100, fits: true })
  expect(share.parts).toEqual([
    { kind: 'taken', bytes: 30 },
    { kind: 'free', bytes: 70 },
  ])
})

test('a model that comes on top takes from what is free, and at most all of it', () => {
  expect(memoryShare(0, 70, 20).parts).toEqual([
    { kind: 'more', bytes: 20 },
    { kind: 'free', bytes: 50 },
  ])
  const tooMuch = memoryShare(30, 70, 71)
  expect(tooMuch.fits).toBe(false)
  expect(tooMuch.parts.map(({ kind }) => kind)).toEqual(['taken', 'more'])
})

test('a part of nothing is nothing', () => {
  expect(percentOf(5, 0)).toBe(0)
  expect(percentOf(5, 20)).toBe(25)
})
