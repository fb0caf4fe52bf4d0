import { expect, test } from 'bun:test'

import { Notes } from '#chat/note.ts'
import type { Profile } from '#chat/profile.ts'
import { decodeRequest } from '#protocols/messages/decode-request/decode-request.ts'
import { bodyOf, headersOf, messagesRequest, noteLines, targetOf } from '#test/requests.ts'

import { encodeRequest } from './encode-request.ts'

// What a chat server is asked for when the key of a messages caller allows no longer answer.

function capped(members: object, cap: number, profile: Partial<Profile> = {}) {
  const notes = new Notes(true)
  const request = { ...decodeRequest(bodyOf(messagesRequest(members)), headersOf()), cap }
  const { body } = encodeRequest(request, targetOf('chat-completions', profile), notes)
  return { said: JSON.parse(body), notes: noteLines(notes.list) }
}

const note = 'max_tokens: lowered to 50 by a limit of the key'

test('a longer answer is lowered to the cap, and the caller told, however strict the translation', () => {
  const { said, notes } = capped({ max_tokens: 500 }, 50, {
    maxTokensField: 'max_completion_tokens',
  })
  expect(said.max_completion_tokens).toBe(50)
  expect(notes).toEqual([note])
})

test('a shorter one is asked for as it was', () => {
  const { said, notes } = capped({ max_tokens: 49 }, 50)
  expect(said.max_tokens).toBe(49)
  expect(notes).toEqual([])
})

test('thoughts are told as the same effort, though the answer is shorter', () => {
  const thinking = { type: 'enabled', budget_tokens: 2000 }
  const notes = new Notes()
  const asked = messagesRequest({ max_tokens: 4000, thinking })
  const request = { ...decodeRequest(bodyOf(asked), headersOf()), cap: 50 }
  const { body } = encodeRequest(request, targetOf('chat-completions'), notes)
  expect(JSON.parse(body)).toMatchObject({ max_tokens: 50, reasoning_effort: 'medium' })
})
