import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { elementsOf, JsonTextError, membersOf, rawAt } from './json.ts'

/** JSON text with white space in every place where it may be. */
const spaced = (value: unknown) => ` \r\n${JSON.stringify(value, null, '\t')}\n`

describe('members of JSON text', () => {
  test('are found with the text of their values as it was written', () => {
    const text = '{"a":1.0,"b" : {"c":[1,"}"]} ,"d":"x\\"y","a":2}'
    const members = membersOf(text)
    expect(members.map(({ key }) => key)).toEqual(['a', 'b', 'd', 'a'])
    expect(members.map(({ valueStart, valueEnd }) => text.slice(valueStart, valueEnd))).toEqual([
      '1.0',
      '{"c":[1,"}"]}',
      '"x\\"y"',
      '2',
    ])
    expect(rawAt(text, ['b', 'c', 1])).toBe('"}"' as never)
    expect(rawAt(text, ['a'])).toBe('2' as never)
    expect(rawAt(text, ['b', 'x'])).toBeUndefined()
    expect(rawAt(text, ['d', 'x'])).toBeUndefined()
  })

  test('T-F06 have the keys that the parser would give them, escaped or dangerous', () => {
    const text = '{"\\u0061":1,"__proto__":{"x":1},"constructor":2}'
    expect(membersOf(text).map(({ key }) => key)).toEqual(['a', '__proto__', 'constructor'])
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  test('of any value are those that the parser sees, wherever white space stands', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        for (const text of [JSON.stringify(value), spaced(value)]) {
          const members = membersOf(text)
          const parsed: Record<string, unknown> = JSON.parse(text)
          expect(members.map(({ key }) => key).toSorted()).toEqual(Object.keys(parsed).toSorted())
          for (const { key, valueStart, valueEnd } of members) {
            const found: unknown = JSON.parse(text.slice(valueStart, valueEnd))
            expect(found).toEqual(Object.entries(parsed).find(([name]) => name === key)?.[1])
          }
        }
      }),
    )
  })

  test('of an array are its elements', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (value) => {
        const text = spaced(value)
        const elements = elementsOf(text).map(({ start, end }): unknown =>
          JSON.parse(text.slice(start, end)),
        )
        expect(elements).toEqual(JSON.parse(text))
      }),
    )
  })

  test('of text that is cut anywhere are refused, never invented', () => {
    const text = spaced({ a: [1, { b: 'x\\' }], c: null, d: 'end' }).trim()
    for (let length = 0; length < text.length; length++) {
      expect(() => membersOf(text.slice(0, length))).toThrow(JsonTextError)
    }
  })

  test('cost no more than the text is long, also where it only opens', () => {
    expect(() => membersOf(`{"a":${'['.repeat(3_000_000)}`)).toThrow('deeper')
    expect(() => membersOf(`{"a":"${'\\'.repeat(100_001)}"`)).toThrow(JsonTextError)
  })
})
