import { expect, test } from 'bun:test'

import { type Band, bandColor, upperEdges } from './stack.ts'

const band = (values: readonly number[], isRest = false): Band => ({
  id: 'x',
  name: 'x',
  values,
  total: 0,
  isRest,
})

test('each band stands on those before it', () => {
  const bands = [band([1, 0, 3]), band([2, 5, 0]), band([0, 1])]
  expect(upperEdges({ times: [0, 1, 2], bands })).toEqual([
    [1, 0, 3],
    [3, 5, 3],
    [3, 6, 3],
  ])
  expect(upperEdges({ times: [], bands: [] })).toEqual([])
})

test('the rest has a colour that no band has', () => {
  const colors = [0, 1, 2, 3, 4, 5, 6].map((at) => bandColor(band([]), at))
  expect(new Set(colors).size).toBe(7)
  expect(colors).not.toContain(bandColor(band([], true), 7))
})
