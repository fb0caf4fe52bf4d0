import { expect, test } from 'bun:test'

import { decodeStopReason, wireStopReasons } from './stop-reason.ts'

test('every reason that is said is understood as itself', () => {
  for (const [reason, said] of Object.entries(wireStopReasons)) {
    expect<string | undefined>(decodeStopReason(said)).toBe(reason)
  }
})

test('T-R31: a pause under a newer word is a pause, and other words are unknown', () => {
  expect(decodeStopReason('compaction')).toBe('pause')
  expect(decodeStopReason('odd')).toBeUndefined()
})
