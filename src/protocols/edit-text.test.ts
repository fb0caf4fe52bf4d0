import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { elementsOf, membersOf } from '#std/json.ts'

import { editText, removeElements, removeMembers, withValue } from './edit-text.ts'

test('without edits the text is the same', () => {
  expect(editText('abc', [])).toBe('abc')
})

test('edits are done wherever they stand, and one inside another is left out', () => {
  const edits = [
    { start: 4, end: 6, text: 'X' },
    { start: 0, end: 1, text: '' },
    { start: 5, end: 6, text: 'Y' },
  ]
  expect(editText('0123456789', edits)).toBe('123X6789')
})

test('removing elements of an array leaves an array of the others', () => {
  const list = fc.array(fc.tuple(fc.json(), fc.boolean()))
  fc.assert(
    fc.property(list, fc.constantFrom(',', ' , ', ',\n'), (elements, comma) => {
      const text = `[ ${elements.map(([json]) => json).join(comma)} ]`
      const edits = removeElements(elementsOf(text), (index) => elements[index]?.[1] === true)
      const kept = elements.filter(([, isRemoved]) => !isRemoved)
      expect(JSON.parse(editText(text, edits))).toEqual(kept.map(([json]) => JSON.parse(json)))
    }),
  )
})

test('removing members of an object leaves an object of the others, with their values or new ones', () => {
  const names = fc.uniqueArray(fc.string({ maxLength: 4 }), { minLength: 1, maxLength: 6 })
  const fate = fc.constantFrom('removed', 'kept', 'changed')
  const list = names.chain((keys) =>
    fc.tuple(...keys.map((key) => fc.tuple(fc.constant(key), fate))),
  )
  fc.assert(
    fc.property(list, fc.constantFrom(',', ' , ', ',\n'), (entries, comma) => {
      const text = `{ ${entries.map(([key]) => `${JSON.stringify(key)} : [1,2]`).join(comma)} }`
      const members = membersOf(text)
      const fateOf = (key: string) => entries.find(([name]) => name === key)?.[1]
      const edits = [
        ...removeMembers(members, ({ key }) => fateOf(key) === 'removed'),
        ...members.filter(({ key }) => fateOf(key) === 'changed').map((one) => withValue(one, '3')),
      ]
      const kept = entries.filter(([, what]) => what !== 'removed')
      const told = membersOf(editText(text, edits)).map(({ key }) => key)
      expect(told).toEqual(kept.map(([key]) => key))
      expect(
        Object.values(JSON.parse(editText(text, edits))).filter((one) => one === 3),
      ).toHaveLength(kept.filter(([, what]) => what === 'changed').length)
    }),
  )
})
