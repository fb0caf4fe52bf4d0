import { expect, test } from 'bun:test'

import { clientVariantsOf } from '#test/faults/client-fault.ts'
import { clientFaults } from '#test/faults/client-faults.ts'
import { runClientMatrix } from '#test/faults/client-matrix.ts'
import { runMediaUrls } from '#test/faults/media-urls.ts'
import { sampled } from '#test/faults/sampled.ts'

import { seed } from './seed.ts'

// Whatever a client does, the same invariants hold after it. `npm run faults` does all of it in every variant.

const longestMs = 60_000
const turn = seed % 100
const quick = clientFaults.filter(({ isSlow }) => isSlow !== true)

test('there are a hundred faults of clients and more, each under a name of its own', () => {
  const names = clientFaults.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThanOrEqual(100)
  expect(clientFaults.filter(({ kind }) => kind === 'smuggling').length).toBeGreaterThanOrEqual(40)
})

test(
  'a client that does anything at all disturbs nobody, and nothing hidden is carried out (I1–I8)',
  async () => {
    const { violations } = await runClientMatrix({
      faults: quick,
      variants: (fault) => sampled(clientVariantsOf(fault), quick.indexOf(fault) + turn, 1),
      patienceMs: 10_000,
      controlMs: 8000,
      memoryMiB: 400,
      atOnce: 32,
    })
    expect(violations).toEqual([])
  },
  longestMs,
)

test(
  'no URL of a request is fetched, however it is written',
  async () => {
    const { violations, forms } = await runMediaUrls()
    expect(forms).toBeGreaterThanOrEqual(60)
    expect(violations).toEqual([])
  },
  longestMs,
)
