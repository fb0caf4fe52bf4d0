import { expect, test } from 'bun:test'

import { detailWords } from './detail-words.ts'

test.each([
  ['key-update', { name: 'ci', changed: ['name', 'policy'] }, 'name: ci, changed: name policy'],
  ['budget-set', { period: 'day', amount: 2_500_000 }, 'period: day, amount: $2.50'],
  [
    'exchange-correct',
    { before: 10, after: 0, reason: 'x' },
    'before: $0.00001, after: $0.00, reason: x',
  ],
  ['user-create', { projects: null, role: 'admin' }, 'projects: null, role: admin'],
  ['user-update', { projects: [], isDisabled: true }, 'projects: none, isDisabled: true'],
  ['sign-out', {}, ''],
])('%s with %p says %p', (action, details, words) => {
  expect(detailWords(action, details)).toBe(words)
})
