import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import type { Key } from '#console/web/api/contract.ts'

import { fieldsOfKey, newKeyFields, readKeyChange, readKeyOrder } from './key-fields.ts'
import { readTime, timeToType } from './local-time.ts'

const minute = 60_000
const key: Key = {
  id: 'k',
  name: 'ci',
  status: 'active',
  projectId: 'default',
  projectName: 'default',
  owner: 'Ann',
  createdAt: 0,
  expiresAt: Date.UTC(2030, 0, 1) + 12_345,
  policy: { maxTokens: 5 },
}

describe('a time in a field', () => {
  test('is the same to the minute when it is read again', () => {
    // The years in which no clock here was ever between two offsets of seconds.
    const times = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2100, 0) })
    fc.assert(
      fc.property(times, (at) => {
        const text = timeToType(at)
        const read = readTime(text)
        expect(read.type).toBe('time')
        // An hour that a clock goes through twice is written the same both times.
        expect(read.type === 'time' && timeToType(read.at)).toBe(text)
      }),
    )
    expect(timeToType(undefined)).toBe('')
    expect(readTime(' ')).toEqual({ type: 'none' })
    expect(readTime('2026-13-01T00:00').type).toBe('problem')
    expect(readTime('tomorrow').type).toBe('problem')
  })
})

describe('the fields of a new key', () => {
  test('are sent as whole micro-dollars, Unix milliseconds and a policy', () => {
    const read = readKeyOrder({
      ...newKeyFields('p'),
      name: ' bot ',
      owner: 'Ann',
      expiresAt: timeToType(key.expiresAt),
      policy: { ...newKeyFields('p').policy, maxTokens: '1,000' },
      budgets: [{ period: 'month', amount: '12.50', isStrict: false }],
    })
    expect(read).toEqual({
      type: 'body',
      body: {
        name: 'bot',
        projectId: 'p',
        owner: 'Ann',
        expiresAt: Date.UTC(2030, 0, 1),
        policy: { maxTokens: 1000 },
        budgets: [{ period: 'month', amount: 12_500_000, isStrict: false }],
      },
    })
  })

  test('have all problems told at once', () => {
    const read = readKeyOrder({
      ...newKeyFields('p'),
      notBefore: '2026-01-02T00:00',
      expiresAt: '2026-01-01T00:00',
      policy: { ...newKeyFields('p').policy, concurrency: 'many' },
      budgets: [
        { period: 'day', amount: '1', isStrict: true },
        { period: 'day', amount: 'x', isStrict: true },
        { period: 'week', amount: '', isStrict: true },
      ],
    })
    expect(read.type === 'problems' && Object.keys(read.problems).toSorted()).toEqual([
      'budgets.1',
      'budgets.2',
      'concurrency',
      'expiresAt',
      'name',
    ])
  })
})

describe('a change of a key', () => {
  test('is nothing where nothing was changed, though a field does not show seconds', () => {
    expect(readKeyChange(key, fieldsOfKey(key))).toEqual({ type: 'body', body: {} })
  })

  test('names what is other, and null for what is taken away', () => {
    const fields = { ...fieldsOfKey(key), name: 'cd', owner: ' ', expiresAt: '' }
    const policy = { ...fields.policy, maxTokens: '', models: 'gpt-*' }
    expect(readKeyChange(key, { ...fields, policy })).toEqual({
      type: 'body',
      body: {
        name: 'cd',
        owner: null,
        expiresAt: null,
        policy: { maxTokens: null, models: ['gpt-*'] },
      },
    })
  })

  test('of a time is exact to the minute that was typed', () => {
    const at = Date.UTC(2031, 5, 1, 12, 30)
    const read = readKeyChange(key, { ...fieldsOfKey(key), notBefore: timeToType(at - minute) })
    expect(read.type === 'problems' && read.problems['expiresAt']).toMatch(/before it begins/)
    const later = readKeyChange(key, { ...fieldsOfKey(key), expiresAt: timeToType(at) })
    expect(later).toEqual({ type: 'body', body: { expiresAt: at } })
  })
})
