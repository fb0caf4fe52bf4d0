import type { Ledger } from '#ledger/entry.ts'
import { randomText } from '#std/random-id.ts'

import type { Chance } from './seeded.ts'

/** What a ledger said was on disk. */
export interface Acknowledged {
  readonly id: string
  readonly what: 'begun' | 'settled'
  /** What the settled outcome costs: micro-dollars. */
  readonly cost: number
}

export interface LedgerLoad {
  readonly ledger: Ledger
  readonly chance: Chance
  readonly keyId: string
  /** How many exchanges go on at once. */
  readonly atOnce: number
  /** Called at the moment that the ledger says so. */
  readonly onDisk: (said: Acknowledged) => void
  readonly isOver: () => boolean
}

/** Exchanges without HTTP: begun and settled one after the other, some of them never. Resolves when all have ended. */
export async function loadLedger(load: LedgerLoad): Promise<void> {
  const workers = Array.from({ length: load.atOnce }, async () => {
    while (!load.isOver()) await exchange(load)
  })
  await Promise.all(workers)
}

async function exchange({ ledger, chance, keyId, onDisk }: LedgerLoad): Promise<void> {
  const id = randomText(20)
  await ledger.begin({
    id,
    keyId,
    projectId: 'default',
    endpoint: 'chat',
    protocol: 'messages',
    model: `chat/${id}`,
    stream: true,
    startedAt: Date.now(),
    hold: { base: 20, perMillionOutput: 10_000_000, outputCap: 40, leastOutput: 1 },
  })
  onDisk({ id, what: 'begun', cost: 0 })
  if (chance.in(0.1)) return
  const usage = { input: chance.between(1, 10), output: chance.between(1, 40) }
  const cost = usage.input * 2 + usage.output * 10
  await ledger.settle(id, {
    result: 'complete',
    attempts: 1,
    usage,
    counted: 'exact',
    cost,
    totalMs: 5,
    notes: [],
  })
  onDisk({ id, what: 'settled', cost })
}
