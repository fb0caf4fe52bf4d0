import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { fitsGlob } from './glob.ts'

describe('a glob', () => {
  test.each([
    ['gpt-5', 'gpt-5', true],
    ['gpt-5.1', 'gpt-5', false],
    ['gpt-5.1', 'gpt-5*', true],
    ['gpt-5', 'gpt-5*', true],
    ['a-mid-z', 'a*z', true],
    ['a', 'a*a', false],
    ['x/y', '*/y', true],
    ['abcabc', '*bc*bc', true],
    ['abc', '*bc*bc', false],
    ['', '*', true],
    ['a.c', 'abc', false],
  ])('%p against %p is %p', (text, pattern, fits) => {
    expect(fitsGlob(text, pattern)).toBe(fits)
  })

  test('agrees with the regular expression of the same meaning', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 8 })
    fc.assert(
      fc.property(letters, letters, (text, pattern) => {
        const source = pattern
          .split('*')
          .map((part) => part.replaceAll('.', '\\.'))
          .join('[^]*')
        expect(fitsGlob(text, pattern)).toBe(new RegExp(`^${source}$`).test(text))
      }),
    )
  })
})
