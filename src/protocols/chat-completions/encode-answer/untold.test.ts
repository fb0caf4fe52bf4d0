import { expect, test } from 'bun:test'

import { brandAs } from '#std/brand.ts'
import type { RawJson } from '#std/json.ts'

import { untold } from './untold.ts'

const raw = (value: object) => brandAs<RawJson>(JSON.stringify(value))

test('T-R25 the steps of server tools cannot be told, and are never told as calls', () => {
  const block = { type: 'other', kind: 'web_search_tool_result', raw: raw({}) } as const
  expect(untold({ type: 'block-start', block })).toEqual({
    field: 'answer.content',
    what: 'web_search_tool_result left out',
  })
  expect(untold({ type: 'block-start', block: { type: 'text' } })).toBeUndefined()
})

test('the kind of a refusal cannot be told, its words can', () => {
  const end = { type: 'answer-end', reason: 'refusal', refusal: 'No.' } as const
  expect(untold(end)).toBeUndefined()
  expect(untold({ ...end, refusalCategory: 'bio' })).toEqual({
    field: 'answer.stop_details.category',
    what: 'left out',
  })
})

test('a citation of a page can be told, any other cannot', () => {
  const page = raw({ type: 'web_search_result_location', url: 'https://example.com/' })
  const place = raw({ type: 'char_location', document_index: 0 })
  expect(untold({ type: 'block-citation', raw: page })).toBeUndefined()
  expect(untold({ type: 'block-citation', raw: place })).toEqual({
    field: 'answer.citations',
    what: 'those of no page left out',
  })
})
