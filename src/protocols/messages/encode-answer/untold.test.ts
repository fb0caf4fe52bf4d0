import { expect, test } from 'bun:test'

import type { Opaque } from '#chat/conversation.ts'

import { untold } from './untold.ts'

const noteOf = (opaque: Opaque) => untold({ type: 'block-mark', opaque })

test('what a vendor puts beside its calls has no place in this protocol', () => {
  expect(noteOf({ family: 'google', kind: 'extra', data: '{}' })).toEqual({
    field: 'answer.tool_calls.extra_content',
    what: 'dropped',
  })
})

test('a withheld thought can be told only where its maker takes it back', () => {
  expect(noteOf({ family: 'anthropic', kind: 'redacted', data: 'x' })).toBeUndefined()
  expect(noteOf({ family: 'openai', kind: 'redacted', data: 'x' })).toEqual({
    field: 'answer.reasoning',
    what: 'withheld thought dropped',
  })
})

test('a signature and everything else is told', () => {
  expect(noteOf({ family: 'google', kind: 'signature', data: 'x' })).toBeUndefined()
  expect(untold({ type: 'idle' })).toBeUndefined()
})
