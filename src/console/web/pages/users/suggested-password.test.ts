import { expect, test } from 'bun:test'

import { suggestedPassword } from './suggested-password.ts'

test('a suggested password is long enough, and another one each time', () => {
  const made = Array.from({ length: 100 }, suggestedPassword)
  for (const password of made)
    expect(password).toMatch(/^([a-hj-km-np-z2-9]{5}-){3}[a-hj-km-np-z2-9]{5}$/)
  expect(new Set(made).size).toBe(100)
})
