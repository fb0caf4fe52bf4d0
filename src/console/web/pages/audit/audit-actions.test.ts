import { expect, test } from 'bun:test'

import { routes } from '#console/api/route-table.ts'

import { everyAction } from './audit-actions.ts'

test('the audit log can be narrowed to everything that a route writes into it', () => {
  const written = Object.values(routes)
    .map(({ action }) => action)
    .filter((action) => action !== '')
  expect(written.filter((action) => !everyAction.includes(action))).toEqual([])
  expect(new Set(everyAction).size).toBe(everyAction.length)
})
