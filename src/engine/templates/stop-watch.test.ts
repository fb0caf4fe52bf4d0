import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { watchEnd, watchFor, watchPiece } from './stop-watch.ts'

function watched(needles: readonly string[], pieces: readonly string[]) {
  const watch = watchFor(needles)
  let clear = ''
  for (const [index, piece] of pieces.entries()) {
    const seen = watchPiece(watch, piece)
    clear += seen.clear
    if (seen.found !== undefined) {
      const rest = seen.found.rest + pieces.slice(index + 1).join('')
      return { clear, needle: seen.found.needle, rest }
    }
  }
  return { clear: clear + watchEnd(watch) }
}

test('what could still become a needle is held back, and nothing more', () => {
  const watch = watchFor(['END', 'EX'])
  expect(watchPiece(watch, 'aE')).toEqual({ clear: 'a' })
  expect(watchPiece(watch, 'N')).toEqual({ clear: '' })
  expect(watchPiece(watch, 'E')).toEqual({ clear: 'EN' })
  expect(watchPiece(watch, 'XY')).toEqual({ clear: '', found: { needle: 'EX', rest: 'Y' } })
})

test('of two needles that begin together the longer one is found', () => {
  expect(watched(['ab', 'abc'], ['xabcd'])).toEqual({ clear: 'x', needle: 'abc', rest: 'd' })
})

test('an empty needle is never found', () => {
  expect(watched([''], ['abc'])).toEqual({ clear: 'abc' })
})

test('no needle is lost and no text is changed, wherever the pieces are cut', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(
      fc.array(letters, { maxLength: 3 }),
      fc.array(letters, { maxLength: 12 }),
      (needles, pieces) => {
        const text = pieces.join('')
        const seen = watched(needles, pieces)
        expect(seen.clear + (seen.needle ?? '') + (seen.rest ?? '')).toBe(text)
        const places = needles.map((needle) => text.indexOf(needle)).filter((at) => at !== -1)
        if (places.length === 0) expect(seen.needle).toBeUndefined()
        else expect(needles.some((needle) => seen.clear.includes(needle))).toBe(false)
      },
    ),
  )
})
