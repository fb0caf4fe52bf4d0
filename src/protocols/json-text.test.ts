import { describe, expect, test } from 'bun:test'

import { rawJson } from '#std/json.ts'

import { listText, maybeText, objectText, stringText } from './json-text.ts'

describe('JSON text', () => {
  test('members keep their order, and absent ones are left out', () => {
    const members = [
      ['b', rawJson(1)],
      ['a"', undefined],
      ['a\n', rawJson(null)],
    ] as const
    expect(objectText(members) as string).toBe('{"b":1,"a\\n":null}')
    expect(objectText([]) as string).toBe('{}')
  })

  test('what came as text goes in as it came', () => {
    const raw = objectText([['x', '1.0' as never]])
    expect(listText([raw, raw]) as string).toBe('[{"x":1.0},{"x":1.0}]')
  })

  test('half a surrogate pair becomes the sign for what cannot be read', () => {
    expect(stringText('a\ud83d"') as string).toBe('"a\ufffd\\""')
    expect(stringText('🙂') as string).toBe('"🙂"')
    expect(maybeText(undefined)).toBeUndefined()
  })
})
