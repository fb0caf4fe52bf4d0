import { describe, expect, test } from 'bun:test'

import type { Conversation } from '#chat/conversation.ts'
import { Notes } from '#chat/note.ts'
import { type RawJson, rawJson } from '#std/json.ts'

import { noteUnheard } from './unheard.ts'

function told(members: Partial<Conversation>, protocol: 'messages' | 'chat-completions') {
  const notes = new Notes()
  const bare: Conversation = {
    turns: [],
    tools: [],
    sampling: {},
    stop: [],
    choices: 1,
    extra: new Map(),
  }
  noteUnheard({ ...bare, ...members }, protocol, notes)
  return notes.list.map(({ field, what }) => `${field} ${what}`)
}

const extra = (members: Readonly<Record<string, unknown>>): Partial<Conversation> => ({
  extra: new Map<string, RawJson>(
    Object.entries(members).map(([key, value]) => [key, rawJson(value)]),
  ),
})

describe('what the engine has no use for', () => {
  test('is noted in the words of the caller', () => {
    const members = { verbosity: 'low', caller: { user: 'u' }, tier: 'flex' }
    const rest = ['verbosity dropped', 'service_tier dropped']
    expect(told(members, 'messages').toSorted()).toEqual(
      ['metadata.user_id dropped', ...rest].toSorted(),
    )
    expect(told(members, 'chat-completions').toSorted()).toEqual(
      ['user dropped', ...rest].toSorted(),
    )
    expect(told(extra({ made_up: 1, store: true }), 'messages')).toEqual([
      'made_up dropped',
      'store dropped',
    ])
  })

  test('is not noted where it says what would be so anyway', () => {
    expect(told({ verbosity: 'medium', tier: 'auto' }, 'chat-completions')).toEqual([])
    expect(told(extra({ store: false, modalities: ['text'] }), 'chat-completions')).toEqual([])
  })

  test('is refused where the answer would be another one', () => {
    expect(() => told({ choices: 2 }, 'chat-completions')).toThrow("'n' is nothing for the engine")
    for (const members of [
      { modalities: ['audio'] },
      { response_format: { type: 'x' } },
      { mcp_servers: [] },
      { web_search_options: {} },
    ])
      expect(() => told(extra(members), 'messages')).toThrow('is nothing for the engine')
  })
})
