import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { issueKey, readKey } from './key-format.ts'

describe('a key of ours', () => {
  test('is gk_live_, twelve letters, 43 letters of secret and six of checksum', () => {
    const { id, text } = issueKey()
    expect(text).toMatch(/^gk_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/)
    expect(text.slice(8, 20)).toBe(id)
    expect(readKey(text)).toEqual({ type: 'ours', id })
  })

  test('ends with the CRC-32 of all that stands before it, to the base 62', () => {
    const covered = `gk_live_${'0'.repeat(12)}_${'A'.repeat(43)}`
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    let rest = Bun.hash.crc32(covered)
    let checksum = ''
    while (checksum.length < 6) {
      checksum = `${digits[rest % 62]}${checksum}`
      rest = Math.floor(rest / 62)
    }
    expect(readKey(covered + checksum)).toEqual({ type: 'ours', id: '0'.repeat(12) })
  })

  test('is another one each time, also for the same id', () => {
    const texts = Array.from({ length: 1000 }, () => issueKey('AAAAAAAAAAAA').text)
    expect(new Set(texts).size).toBe(1000)
  })

  test('is damaged by any one letter that was mistyped', () => {
    fc.assert(
      fc.property(fc.nat(69), fc.constantFrom('a', 'Z', '0', '_', ' '), (at, letter) => {
        const { text } = issueKey()
        fc.pre(text[at] !== letter)
        const mistyped = text.slice(0, at) + letter + text.slice(at + 1)
        expect(readKey(mistyped).type).toBe(at < 3 ? 'chosen' : 'damaged')
      }),
    )
  })

  test('is damaged when it is cut short or runs on', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 69 }), fc.string({ minLength: 1 }), (length, more) => {
        const { text } = issueKey()
        expect(readKey(text.slice(0, length))).toEqual({ type: 'damaged' })
        expect(readKey(text + more)).toEqual({ type: 'damaged' })
      }),
    )
  })
})

test('any text that does not begin like a key of ours may be one that an operator chose', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!text.startsWith('gk_'))
      expect(readKey(text)).toEqual({ type: 'chosen' })
    }),
  )
})
