import { describe, expect, test } from 'bun:test'

import { Notes } from '#chat/note.ts'
import type { Profile } from '#chat/profile.ts'
import { decodeRequest } from '#protocols/chat-completions/decode-request/decode-request.ts'
import { bodyOf, noteLines, targetOf } from '#test/requests.ts'

import { encodeRequest } from './encode-request.ts'

// What an upstream of this protocol is asked for when the key of a chat caller allows no longer answer.

function capped(members: object, cap: number, profile: Partial<Profile> = {}) {
  const notes = new Notes(true)
  const said = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...members }
  const request = { ...decodeRequest(bodyOf(said), new Map()), cap }
  const { body } = encodeRequest(request, targetOf('messages', profile), notes)
  return { said: JSON.parse(body), notes: noteLines(notes.list) }
}

const note = 'max_tokens: lowered to 2000 by a limit of the key'

describe('a cap on the answer', () => {
  test('lowers the number that the caller gave', () => {
    const { said, notes } = capped({ max_tokens: 9000 }, 2000)
    expect(said.max_tokens).toBe(2000)
    expect(notes).toEqual([note])
  })

  test('lowers the number that is said for a caller who gave none', () => {
    for (const profile of [{ maxOutput: 2001 }, { defaultMaxTokens: 2001 }]) {
      const { said, notes } = capped({}, 2000, profile)
      expect(said.max_tokens).toBe(2000)
      expect(notes).toEqual([note])
    }
  })

  test('raises nothing', () => {
    expect(capped({}, 2000, { defaultMaxTokens: 1500 })).toMatchObject({
      said: { max_tokens: 1500 },
      notes: [],
    })
    expect(capped({ max_tokens: 7 }, 2000).said.max_tokens).toBe(7)
  })

  test('leaves room for the answer beside the thoughts that were asked for by effort', () => {
    const asked = { max_tokens: 9000, reasoning_effort: 'high' }
    const { said } = capped(asked, 2000, { thinking: 'budget' })
    expect(said).toMatchObject({ max_tokens: 2000, thinking: { budget_tokens: 1600 } })
  })

  test('lowers the budget of thoughts that were asked for in the words of this protocol', () => {
    const asked = { max_tokens: 9000, thinking: { type: 'enabled', budget_tokens: 6000 } }
    const { said, notes } = capped(asked, 2000, { thinking: 'budget' })
    expect(said).toMatchObject({
      max_tokens: 2000,
      thinking: { type: 'enabled', budget_tokens: 1333 },
    })
    expect(notes).toEqual([note, 'thinking.budget_tokens: lowered to 1333'])
  })

  test('turns thoughts off for which it leaves no room', () => {
    const asked = { max_tokens: 9000, thinking: { type: 'enabled', budget_tokens: 6000 } }
    const { said } = capped(asked, 1000, { thinking: 'budget' })
    expect(said).toMatchObject({ max_tokens: 1000, thinking: { type: 'disabled' } })
  })
})
