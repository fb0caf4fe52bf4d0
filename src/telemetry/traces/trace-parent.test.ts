import { expect, test } from 'bun:test'

import fc from 'fast-check'

import {
  cleanTraceState,
  isSampled,
  parseTraceParent,
  samplingThreshold,
  traceParentText,
} from './trace-parent.ts'

const hex = (length: number) =>
  fc.string({
    unit: fc.constantFrom(...Array.from('0123456789abcdef')),
    minLength: length,
    maxLength: length,
  })
const id = (length: number) => hex(length).filter((text) => /[^0]/.test(text))

test('what is written is read again', () => {
  fc.assert(
    fc.property(id(32), id(16), fc.boolean(), (traceId, spanId, isOn) => {
      const parent = { traceId, spanId, isSampled: isOn }
      expect(parseTraceParent(traceParentText(parent))).toEqual(parent)
    }),
  )
})

const valid = traceParentText({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true })
const good = /^(?!ff)[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/

test('anything else than the form of the standard is no parent, and throws nothing', () => {
  const piece = fc.string({ maxLength: 3 })
  fc.assert(
    fc.property(fc.nat(valid.length - 1), piece, (at, text) => {
      const changed = `${valid.slice(0, at)}${text}${valid.slice(at + 1)}`
      if (!good.test(changed)) expect(parseTraceParent(changed)).toBeUndefined()
    }),
  )
  expect(parseTraceParent(null)).toBeUndefined()
  expect(parseTraceParent(`${valid}-extra`)).toBeUndefined()
  // A later version may say more, and what it says first is the same.
  expect(parseTraceParent(`01${valid.slice(2)}-extra`)).toMatchObject({ traceId: 'a'.repeat(32) })
  expect(parseTraceParent(`01${valid.slice(2)}extra`)).toBeUndefined()
})

test('one comparison samples the share that was asked for, and a larger share takes in a smaller one', () => {
  const ids = Array.from({ length: 20_000 }, (_, at) =>
    new Bun.CryptoHasher('md5').update(String(at)).digest('hex'),
  )
  for (const ratio of [0.01, 0.1, 0.5]) {
    const threshold = samplingThreshold(ratio)
    const share = ids.filter((one) => isSampled(one, threshold)).length / ids.length
    expect(Math.abs(share - ratio)).toBeLessThan(0.015)
  }
  expect(ids.some((one) => isSampled(one, samplingThreshold(0)))).toBe(false)
  expect(ids.every((one) => isSampled(one, samplingThreshold(1)))).toBe(true)
  expect(samplingThreshold(1)).toBe('0'.repeat(14))
  const few = ids.filter((one) => isSampled(one, samplingThreshold(0.01)))
  expect(few.every((one) => isSampled(one, samplingThreshold(0.1)))).toBe(true)
})

test('a trace state is passed on as it is, unless it cannot be one', () => {
  expect(cleanTraceState('rojo=00f067aa0ba902b7,congo=t61rcWkgMzE')).toBe(
    'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE',
  )
  for (const text of [null, '', 'nothing', 'a=\u0007', `a=${'x'.repeat(600)}`])
    expect(cleanTraceState(text)).toBeUndefined()
})
