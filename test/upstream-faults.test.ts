import { expect, test } from 'bun:test'

import { sampled } from '#test/faults/sampled.ts'
import { judge } from '#test/faults/sdk-judges.ts'
import { runTlsMatrix } from '#test/faults/tls-matrix.ts'
import { type UpstreamFault, variantsOf } from '#test/faults/upstream-fault.ts'
import { upstreamFaults } from '#test/faults/upstream-faults.ts'
import { runUpstreamMatrix } from '#test/faults/upstream-matrix.ts'

import { seed } from './seed.ts'

// Whatever an upstream does, the same invariants hold after it. `npm run faults` does all of it in every variant.

const longestMs = 60_000
const turn = seed % 100
const quick = upstreamFaults.filter(({ isSlow }) => isSlow !== true)

test('there are a hundred and fifty faults of upstreams and more, each under a name of its own', () => {
  const names = upstreamFaults.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThanOrEqual(150)
})

test(
  'an upstream that does anything at all is told as what it is, or another answers (I1–I8)',
  async () => {
    const { violations } = await runUpstreamMatrix({
      faults: quick,
      variants: (fault) => sampled(variantsOf(fault), quick.indexOf(fault) + turn, 2),
      patienceMs: 10_000,
      controlMs: 8000,
      memoryMiB: 400,
    })
    expect(violations).toEqual([])
  },
  longestMs,
)

test(
  'a user of the official clients sees the whole answer or an error with a name, never a half one',
  async () => {
    const faults = [...Map.groupBy(quick, ({ kind }) => kind).values()].flatMap((rows) =>
      some(rows),
    )
    const { violations, truncations, wholes, errors } = await judge({
      faults,
      variants: (fault) =>
        sampled(
          variantsOf(fault).filter(({ hasNext }) => !hasNext),
          quick.indexOf(fault) + turn,
          2,
        ),
      patienceMs: 10_000,
    })
    expect(truncations).toBe(0)
    expect(violations).toEqual([])
    expect(Math.min(wholes, errors)).toBeGreaterThan(0)
  },
  longestMs,
)

/** A few of each kind, others in every turn. */
function some(rows: readonly UpstreamFault[]): UpstreamFault[] {
  return sampled(rows, turn, 4)
}

test('a certificate or a handshake that is not good is refused, and the key is not sent', async () => {
  expect(await runTlsMatrix()).toEqual([])
}, 20_000)
