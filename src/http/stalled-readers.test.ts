import { expect, test } from 'bun:test'

import { StalledReaders } from './stalled-readers.ts'

function named(names: string): {
  readonly readers: Record<string, { cut(): void }>
  readonly cut: string[]
} {
  const cut: string[] = []
  const readers = names.split('').map((name) => [name, { cut: () => cut.push(name) }] as const)
  return { readers: Object.fromEntries(readers), cut }
}

test('of too many readers that stand still, those go that have done so for longest', () => {
  const stalled = new StalledReaders()
  const { readers, cut } = named('abcd')
  for (const reader of Object.values(readers)) stalled.add(reader, 2)
  expect(cut).toEqual(['a', 'b'])
  expect(stalled.count).toBe(2)
})

test('one that goes on is none of them, and is the last if it stops again', () => {
  const stalled = new StalledReaders()
  const { readers, cut } = named('abc')
  const { a, b, c } = readers
  if (a === undefined || b === undefined || c === undefined) throw new Error('Three were made.')
  stalled.add(a, 2)
  stalled.add(b, 2)
  stalled.remove(a)
  stalled.add(a, 2)
  stalled.add(c, 2)
  expect(cut).toEqual(['b'])
})
