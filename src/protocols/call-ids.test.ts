import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { sentCallId } from './call-ids.ts'

describe('call ids', () => {
  test('T-I01 ids of either protocol go through unchanged', () => {
    for (const id of ['toolu_01A', 'call_9xYz', 'chatcmpl-tool-7'])
      for (const rule of ['any', 'word'] as const) expect(sentCallId(id, rule)).toBe(id)
  })

  test('T-I02 an id that the target refuses becomes a word, always the same one', () => {
    const told = sentCallId('functions.Bash:0', 'word')
    expect(told).toMatch(/^functions_Bash_0_[0-9a-f]{8}$/)
    expect(sentCallId('functions.Bash:0', 'word')).toBe(told)
  })

  test('T-I03 where nine letters and digits are asked for, nine it is', () => {
    expect(sentCallId('abcDEF123', 'nine')).toBe('abcDEF123')
    const told = sentCallId('call_0123456789', 'nine')
    expect(told).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(sentCallId('call_0123456789', 'nine')).toBe(told)
  })

  test('T-I04 nothing in an id is a mark of ours: what looks like one goes through whole', () => {
    for (const id of ['call_ts_1700000000', 'call__thought__abc'])
      expect(sentCallId(id, 'word')).toBe(id)
  })

  test('T-I07 ids that differ only in a character that is replaced stay apart', () => {
    expect(sentCallId('a.b', 'word')).not.toBe(sentCallId('a:b', 'word'))
    expect(sentCallId('a.b', 'nine')).not.toBe(sentCallId('a:b', 'nine'))
  })

  test('L10 every id becomes one that fits, and a fitting one stays', () => {
    const shapes = { word: /^[a-zA-Z0-9_-]+$/, nine: /^[a-zA-Z0-9]{9}$/ } as const
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('word', 'nine'), (id, rule) => {
        const told = sentCallId(id, rule)
        expect(told).toMatch(shapes[rule])
        expect(sentCallId(told, rule)).toBe(told)
      }),
    )
  })
})
