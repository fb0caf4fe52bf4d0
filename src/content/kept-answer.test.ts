import { describe, expect, test } from 'bun:test'

import { overlap, Redactor } from '#redaction/redactor.ts'
import { builtInRules } from '#redaction/rule.ts'

import { keptAnswer } from './kept-answer.ts'

const redactor = new Redactor({ rules: builtInRules, redact: [] })

/** The one call of an answer as it is kept. */
function keptCall(text: string, maxBytes: number, isTruncated = false) {
  const call = { type: 'call', text, name: 'log_in', id: 'call_1' } as const
  const answer = { isCut: false, blocks: [call], end: null, error: null, vectors: null }
  const keeping = { redaction: redactor.begin(), maxBytes }
  const { blocks, isCut } = keptAnswer({ answer, isTruncated }, keeping)
  return { text: blocks[0]?.text ?? '', isCut }
}

describe('an answer that is kept', () => {
  const secret = 'open sesame now please'
  const call = JSON.stringify({ password: secret, more: 'x y '.repeat(10_000) })

  test('has no secret in the arguments of a call, and says once that there was one', () => {
    const { text, isCut } = keptCall('{"password":"open sesame now please"}', 1000)
    expect(text).toBe('{"password":"[redacted: secret]"}')
    expect(isCut).toBe(false)
  })

  test('has none where the arguments are cut, wherever that is', () => {
    for (let most = 1; most < 100; most++) {
      const { text, isCut } = keptCall(call, most)
      expect(text).not.toMatch(/open|sesame|now|please/)
      expect(text).toMatch(/\[cut: \d+ characters\]$/)
      expect(isCut).toBe(true)
    }
  })

  test('has none where nobody heard the end of the arguments', () => {
    const most = 1000
    const { text, isCut } = keptCall(call.slice(0, most + overlap + 1), most, true)
    expect(text).toStartWith('{"password":"[redacted: secret]","more":"x y x y ')
    expect(text).toMatch(/\[cut: \d+ characters\]$/)
    expect(isCut).toBe(true)
  })

  test('has none where the arguments broke off, and completes nothing', () => {
    const { text } = keptCall('{"user":"ann","password":"open sesame n', 1000)
    expect(text).toBe('{"user":"ann","password":"[redacted: secret]')
    expect(keptCall('{"user": "ann", "pa', 1000).text).toBe('{"user": "ann", "pa')
  })
})
