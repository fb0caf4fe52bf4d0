import { expect, test } from 'bun:test'

import { Drafts } from './drafts.ts'

test('what was typed is found by whoever typed it, where it was, until it is forgotten', () => {
  const drafts = new Drafts()
  drafts.keep('/keys/new', { userId: 'ada', fields: { name: 'ci' } })
  expect(drafts.find('/keys/new', 'ada')).toEqual({ name: 'ci' })
  expect(drafts.find('/projects/new', 'ada')).toBeUndefined()
  drafts.forget('/keys/new')
  expect(drafts.find('/keys/new', 'ada')).toBeUndefined()
})

test('nobody finds what another one typed, nor does that one any more', () => {
  const drafts = new Drafts()
  drafts.keep('/keys/new', { userId: 'ada', fields: { name: 'ci' } })
  expect(drafts.find('/keys/new', 'bob')).toBeUndefined()
  expect(drafts.find('/keys/new', 'ada')).toBeUndefined()
})
