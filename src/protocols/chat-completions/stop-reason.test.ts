import { describe, expect, test } from 'bun:test'

import { decodeFinish, type Ending, finishReasons } from './stop-reason.ts'

const plain: Ending = { hasCalls: false, hasRefusal: false }
const called: Ending = { hasCalls: true, hasRefusal: false }
const matched: Ending = { ...plain, stopSequence: 'END' }

describe('why an answer ended', () => {
  test.each([
    ['stop', plain, 'end'],
    ['stop', called, 'tool-use'],
    ['stop', matched, 'stop-sequence'],
    ['stop', { ...plain, hasRefusal: true }, 'refusal'],
    ['tool_calls', called, 'tool-use'],
    ['function_call', called, 'tool-use'],
    ['length', plain, 'length'],
    ['length', called, 'length'],
    ['content_filter', plain, 'refusal'],
    ['content_filter', called, 'refusal'],
    ['RECITATION', plain, 'refusal'],
    ['eos', plain, 'end'],
    ['pause_turn', called, 'pause'],
    ['error', called, 'failure'],
    ['insufficient_system_resource', plain, 'failure'],
    ['MALFORMED_FUNCTION_CALL', plain, 'failure'],
  ] as const)('T-S30, T-N20, T-N23, T-N24: %s is, for %j, %s', (said, ending, reason) => {
    expect(decodeFinish(said, ending)).toEqual({ reason })
  })

  test.each([
    ['tool_calls', plain, 'end'],
    ['odd', plain, 'end'],
    ['odd', called, 'tool-use'],
    [undefined, plain, 'end'],
    [undefined, called, 'tool-use'],
  ] as const)('T-N22: %s is, for %j, %s, and that is noted', (said, ending, reason) => {
    const decoded = decodeFinish(said, ending)
    expect(decoded.reason).toBe(reason)
    expect(decoded.note).toContain(`told as ${reason}`)
  })

  test('what we say for a reason means that reason, as far as this protocol can tell', () => {
    const kept = Object.entries(finishReasons).map(([reason, said]) => [
      reason,
      decodeFinish(said, reason === 'tool-use' ? called : plain).reason,
    ])
    expect(Object.fromEntries(kept)).toEqual({
      end: 'end',
      'stop-sequence': 'end',
      length: 'length',
      'context-full': 'length',
      'tool-use': 'tool-use',
      refusal: 'refusal',
      pause: 'end',
    })
  })
})
