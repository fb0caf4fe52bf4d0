import { describe, expect, test } from 'bun:test'
import { isIP } from 'node:net'

import fc from 'fast-check'

import { isNetwork } from './network-text.ts'

describe('a text is an address', () => {
  // Near enough to addresses that most of what can be wrong with one comes up.
  const group = fc.oneof(
    fc.stringMatching(/^[0-9a-fA-F]{0,5}$/),
    fc.constant(''),
    fc.ipV4(),
    fc.constantFrom('256.1.1.1', '01.2.3.4', '1.2.3', 'g'),
  )
  const nearly = fc.array(group, { maxLength: 9 }).map((groups) => groups.join(':'))
  const digits = fc.stringMatching(/^[0-9.]{1,15}$/)

  test('where the runtime says that it is one', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), nearly, digits), (text) => {
        expect({ text, is: isNetwork(text) }).toEqual({ text, is: isIP(text) !== 0 })
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['::', true],
    ['::1', true],
    ['1::', true],
    ['1:2:3:4:5:6:7:8', true],
    ['1:2:3:4:5:6:7::', true],
    ['::2:3:4:5:6:7:8', true],
    ['1:2:3:4::5:6:7:8', false],
    ['::ffff:10.0.0.1', true],
    ['1:2:3:4:5:6:1.2.3.4', true],
    ['1:2:3:4:5:6:7:1.2.3.4', false],
    ['1.2.3.4::', false],
    ['::1.2.3.4:5', false],
    [':::', false],
    ['1::2::3', false],
    [':1', false],
    ['1:', false],
    ['10.0.0.01', false],
    ['10.0.0', false],
    ['', false],
  ])('%p: %p', (text, is) => {
    expect(isNetwork(text)).toBe(is)
    expect(isIP(text) !== 0).toBe(is)
  })
})

test.each([
  ['10.0.0.0/8', true],
  ['10.0.0.0/32', true],
  ['10.0.0.0/33', false],
  ['fd00::/128', true],
  ['fd00::/129', false],
  ['10.0.0.0/08', false],
  ['10.0.0.0/', false],
  ['10.0.0.0/8/8', false],
  ['10.0.0.0/-1', false],
  ['fe80::1%eth0', false],
  ['/8', false],
])('%p is a network: %p', (text, is) => {
  expect(isNetwork(text)).toBe(is)
})
