import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { JsonProgress } from './json-progress.ts'

function stateOf(...fragments: readonly string[]): string {
  const progress = new JsonProgress()
  for (const fragment of fragments) progress.push(fragment)
  return progress.state
}

function endOf(text: string): string {
  const progress = new JsonProgress()
  progress.push(text)
  return progress.end()
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('JSON that arrives in fragments', () => {
  test.each([
    ['', 'blank'],
    [' \n', 'blank'],
    ['{', 'open'],
    ['{"a":{"b":[1,2', 'open'],
    ['{"a":"}"', 'open'],
    ['{"a":"\\"}', 'open'],
    ['{}', 'whole'],
    ['{"a":"}{"} \n', 'whole'],
    ['[1,[],{}]', 'whole'],
    ['"text"', 'whole'],
    ['null ', 'whole'],
    ['{}{', 'broken'],
    ['{"a":1 /', 'broken'],
    ["{'a'", 'broken'],
    ['{"a":1,}', 'broken'],
    ['[1,]', 'broken'],
    ['{]', 'broken'],
    ['{"a" 1', 'broken'],
    ['{"a":12 3', 'broken'],
    ['{"a":nul1', 'broken'],
    ['{"a":01', 'broken'],
    ['{"a":+', 'broken'],
    ['{"a":"\n', 'broken'],
    ['{"a":"\\x', 'broken'],
    ['{"a":"\\u00g', 'broken'],
    [']', 'broken'],
    ['{"a":-}', 'broken'],
  ])('%j is %s', (text, state) => {
    expect(stateOf(text)).toBe(state)
    expect(stateOf(...text.split(''))).toBe(state)
  })

  test('a number at the top is whole only at the end', () => {
    expect(stateOf('12')).toBe('open')
    expect(endOf('12')).toBe('whole')
    expect(endOf('-')).toBe('broken')
    expect(endOf(`{"a":${'1'.repeat(400)}}`)).toBe('whole')
  })

  test('agrees with the parser on every JSON value, however it is cut and however it is spoilt', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.nat(),
        fc.string({ minLength: 1, maxLength: 1 }),
        (value, seed, unit) => {
          const text = JSON.stringify(value)
          expect(endOf(text)).toBe('whole')
          const at = seed % (text.length + 1)
          expect(stateOf(text.slice(0, at), text.slice(at))).toBe(stateOf(text))
          const spoilt = text.slice(0, at) + unit + text.slice(at + (seed % 2))
          expect(endOf(spoilt) === 'whole').toBe(parses(spoilt))
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('says that it is broken as soon as nothing can mend it, never earlier', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, seed) => {
        const text = JSON.stringify(value)
        expect(stateOf(text.slice(0, seed % (text.length + 1)))).not.toBe('broken')
      }),
    )
  })

  test('is completed wherever it is cut, and where it is whole nothing is missing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, seed) => {
        const text = JSON.stringify(value)
        const begun = text.slice(0, 1 + (seed % text.length))
        const progress = new JsonProgress()
        progress.push(begun)
        expect(parses(begun + progress.completion())).toBe(true)
        if (begun === text && progress.state === 'whole') expect(progress.completion()).toBe('')
      }),
    )
  })

  test.each([
    ['', undefined],
    ['{"a":1} x', undefined],
    ['{"a', '":null}'],
    ['{"a"', ':null}'],
    ['{"a":', 'null}'],
    ['{"a":[{"b":"x', '"}]}'],
    ['["\\', '\\"]'],
    ['["\\u00', '00"]'],
    ['[tr', 'ue]'],
    ['[-', '0]'],
    ['[12', ']'],
    ['{"a":1,', '"":null}'],
  ])('%j lacks %j', (text, missing) => {
    const progress = new JsonProgress()
    progress.push(text)
    expect(progress.completion()).toBe(missing)
  })

  test('crosses a hundred thousand levels', () => {
    const depth = 100_000
    expect(stateOf('['.repeat(depth))).toBe('open')
    expect(stateOf('['.repeat(depth), ']'.repeat(depth))).toBe('whole')
  })
})
