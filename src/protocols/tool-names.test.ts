import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { nameMap, sentName } from './tool-names.ts'

const limits = fc.constantFrom(16, 64, 128)
const names = fc.string({ unit: 'grapheme', maxLength: 160 })

describe('tool names', () => {
  test('T-I06 a name that every vendor takes is sent as it is', () => {
    expect(sentName('get_weather-2', 64)).toBe('get_weather-2')
    expect(nameMap(['get_weather-2'], 64).callers.size).toBe(0)
  })

  test('T-I06 two names of 70 characters with the same beginning stay apart, and both come back', () => {
    const long = (end: string) => 'a'.repeat(64) + end.padEnd(6, '_')
    const { sent, callers } = nameMap([long('one'), long('two')], 64)
    const told = [...sent.values()]
    expect(new Set(told).size).toBe(2)
    for (const name of told) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(told.map((name) => callers.get(name))).toEqual([long('one'), long('two')])
  })

  test('T-I06 a name with spaces keeps what can be read of it', () => {
    expect(sentName('list all files', 64)).toMatch(/^list_all_files_[0-9a-f]{8}$/)
  })

  test('T-F06 names that objects are born with are names like any other', () => {
    const { sent } = nameMap(['__proto__', 'constructor', 'toString'], 64)
    expect([...sent]).toEqual([
      ['__proto__', '__proto__'],
      ['constructor', 'constructor'],
      ['toString', 'toString'],
    ])
  })

  test('a name that needs a hash gives way to a tool that is really called so', () => {
    const taken = sentName('a b', 64)
    const { sent, callers } = nameMap(['a b', taken], 64)
    expect(sent.get(taken)).toBe(taken)
    expect(sent.get('a b')).not.toBe(taken)
    expect(callers.get(sent.get('a b') ?? '')).toBe('a b')
  })

  test('L10 whatever the names, each is sent as one that the target takes, and comes back as itself', () => {
    fc.assert(
      fc.property(fc.array(names, { maxLength: 20 }), limits, (all, limit) => {
        const { sent, callers } = nameMap(all, limit)
        expect(new Set(sent.values()).size).toBe(new Set(all).size)
        for (const [name, told] of sent) {
          expect(told).toMatch(/^[a-zA-Z0-9_-]+$/)
          expect(told.length).toBeLessThanOrEqual(limit)
          expect(callers.get(told) ?? told).toBe(name)
        }
      }),
    )
  })

  test('L10 a name that was sent is sent unchanged the next time', () => {
    fc.assert(
      fc.property(names, limits, (name, limit) => {
        const told = sentName(name, limit)
        expect(sentName(told, limit)).toBe(told)
      }),
    )
  })
})
