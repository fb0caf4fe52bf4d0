import { describe, expect, setDefaultTimeout, test } from 'bun:test'

import fc from 'fast-check'

import { PatternError } from './pattern-syntax.ts'
import { Pattern, type PatternOptions } from './pattern.ts'

// A machine with much else to do is slow.
setDefaultTimeout(60_000)

const found = (pattern: string, text: string, options?: PatternOptions) =>
  new Pattern(pattern, options).spansIn(text).map(({ start, end }) => text.slice(start, end))

describe('a pattern', () => {
  test.each([
    ['abc', 'xabcabc', ['abc', 'abc']],
    ['a|bc', 'abcb', ['a', 'bc']],
    ['ab*c?', 'abbc a', ['abbc', 'a']],
    ['[a-c-]+', 'a-b_c', ['a-b', 'c']],
    ['[^\\s,]+', 'é, x', ['é', 'x']],
    ['\\d{2,3}', '1 12 1234', ['12', '1234']],
    ['\\bcat\\b', 'cat concat cat.', ['cat', 'cat']],
    ['\\Bat', 'at cat', ['at']],
    ['^a|z$', 'aaz', ['a', 'z']],
    ['TICKET-\\d+', 'TICKET-1 ticket-2', ['TICKET-1']],
    ['(?:\\x41|\\u0042)+', 'xABAx', ['ABA']],
    ['[\\]\\\\]+', 'a]\\b', [']\\']],
    ['.{3}', 'ab\ncde', ['cde']],
    ['é+', 'éé', ['éé']],
    ['{}', 'a{}', ['{}']],
  ])('%s in %j finds %j', (pattern, text, expected) => {
    expect(found(pattern, text)).toEqual(expected)
  })

  test('may take small and capital letters for the same, those beyond ASCII too', () => {
    expect(found('straße-[a-c]', 'STRAßE-B straße-a', { ignoresCase: true })).toEqual([
      'STRAßE-B',
      'straße-a',
    ])
    expect(found('é', 'É é', { ignoresCase: true })).toEqual(['É', 'é'])
  })

  test('finds everything that lies in any match: overlapping matches are one', () => {
    expect(found('aba', 'ababa')).toEqual(['ababa'])
    expect(found('a.*b', 'xa b a bx')).toEqual(['a b a b'])
  })

  test.each([
    ['(a', 'nothing closes'],
    ['a)', 'nothing opens'],
    ['[a', 'nothing closes'],
    ['[]', 'nothing in it'],
    ['[b-a]', 'ends before it begins'],
    ['*a', 'nothing before it'],
    ['a**', 'repeats a repetition'],
    ['a{3,2}', 'ends too early'],
    ['a{2000}', 'more than 1000'],
    ['a.*?b', 'lazy'],
    ['(a)\\1', 'refers back'],
    ['(?=a)b', 'no looking ahead'],
    ['(?<!a)b', 'no looking ahead'],
    ['\\p{L}', 'not understood'],
    ['\\x4', 'too few'],
    ['\\b*', 'no character'],
    ['a*', 'fits where there is nothing'],
    ['', 'fits where there is nothing'],
    ['(?:a|b?)', 'fits where there is nothing'],
    ['(?:(?:a{100}){100}){100}', 'too long'],
    ['('.repeat(100) + 'a' + ')'.repeat(100), 'too deeply'],
    ['a'.repeat(501), 'over 500'],
  ])('refuses %s', (pattern, why) => {
    expect(() => new Pattern(pattern)).toThrow(PatternError)
    expect(() => new Pattern(pattern)).toThrow(why)
  })

  test('finds what regular expressions find, whatever the pattern and the text', () => {
    const atom = fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', '\\w', 'ab')
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        atom,
        fc
          .tuple(tie('tree'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{2,}'))
          .map(([part, count]) => `(?:${part})${count}`),
        fc.tuple(tie('tree'), tie('tree')).map(([one, other]) => `(?:${one}|${other})`),
        fc.tuple(tie('tree'), tie('tree')).map(([one, other]) => one + other),
      ),
    }))
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '\n'), maxLength: 9 })
    let compared = 0
    fc.assert(
      fc.property(tree, text, (pattern, within) => {
        if (new RegExp(`^(?:${pattern})$`).test('')) return
        compared++
        expect(new Pattern(pattern).spansIn(within)).toEqual(unionOfMatches(pattern, within))
      }),
      { numRuns: 1000 },
    )
    expect(compared).toBeGreaterThan(100)
  })

  test.each([
    ['(a+)+b', 'a'.repeat(20_000)],
    ['(?:a|a)*c', 'a'.repeat(20_000)],
    ['(?:a*)*b', 'a'.repeat(20_000)],
    ['(?:x+x+)+y', 'x'.repeat(20_000)],
    ['\\s+$', `${' '.repeat(20_000)}x`],
  ])('%s comes to an end on a text that has no match', (pattern, text) => {
    // A search that goes back would take longer than there has been time.
    expect(new Pattern(pattern).spansIn(text)).toEqual([])
  })
})

/** Every part of the text that fits as a whole, and what lies in any of them. */
function unionOfMatches(pattern: string, text: string) {
  const whole = new RegExp(`^(?:${pattern})$`)
  const spans: { start: number; end: number }[] = []
  for (let end = 1; end <= text.length; end++)
    for (let start = 0; start < end; start++) {
      if (!whole.test(text.slice(start, end))) continue
      const earlier = spans.filter((span) => span.end > start)
      const first = Math.min(start, ...earlier.map((span) => span.start))
      spans.splice(spans.length - earlier.length, earlier.length, { start: first, end })
      break
    }
  return spans
}
