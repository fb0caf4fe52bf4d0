import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Budgets } from '#budgets/budgets.ts'
import type { ModelName, UpstreamModel } from '#chat/names.ts'
import { Keys } from '#keys/keys.ts'
import { mostTokens, permit, permitted } from '#keys/permit.ts'
import { SqliteLedger } from '#ledger/ledger.ts'
import { Limiter } from '#limits/limiter.ts'
import { Prices } from '#prices/prices.ts'
import { brandAs } from '#std/brand.ts'
import { randomHex } from '#std/random-id.ts'
import { Storage } from '#storage/database.ts'
import { remote } from '#test/remote-rig.ts'
import { Account } from '#usage/account.ts'

/** What it costs to know who calls and to answer for the bill, without anything of HTTP. */
export interface AccountingFigures {
  /** CPU time of the whole process, the ledger's thread included, for one exchange with budgets and limits. */
  readonly microseconds: number
  /** What of it the main thread took. */
  readonly mainMicroseconds: number
  /** How long an exchange waits for its row to be on disk before it may begin. */
  readonly commitMs: { readonly p50: number; readonly p99: number }
}

export interface AccountingSetting {
  readonly clients?: number
  readonly hasBudget?: boolean
}

/** Runs exchanges of a key that has limits and a strict budget, on a real disk, as many clients at once. */
export async function measureAccounting(
  exchanges: number,
  { clients = 32, hasBudget = true }: AccountingSetting = {},
): Promise<AccountingFigures> {
  const home = mkdtempSync(join(tmpdir(), 'parley-bench-accounting-'))
  try {
    using storage = await Storage.open(join(home, 'parley.db'))
    using keys = new Keys(storage)
    const rates = { requestsPerMinute: 100_000_000, tokensPerDay: 1_000_000_000_000 }
    const { id, key } = await keys.issue({ name: 'bench', policy: { rates, concurrency: 1000 } })
    const budget = { amount: 10 ** 12, isStrict: true }
    if (hasBudget) await new Budgets(storage).set(`key:${id}`, 'month', budget)
    await using ledger = await SqliteLedger.open(storage)
    const work = workOf(keys, ledger, key.reveal())
    // Until the compiler has done its work, it takes as much of the processor as the work itself.
    await run(work, { exchanges, clients })
    const waits: number[] = []
    const before = { all: process.cpuUsage(), main: process.threadCpuUsage() }
    await run(work, { exchanges, clients, waits })
    const all = process.cpuUsage(before.all)
    const main = process.threadCpuUsage(before.main)
    return {
      microseconds: (all.user + all.system) / exchanges,
      mainMicroseconds: (main.user + main.system) / exchanges,
      commitMs: percentilesOf(waits),
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

type Work = () => Promise<number>

function workOf(keys: Keys, ledger: SqliteLedger, key: string): Work {
  const upstream = remote({ name: 'up', protocol: 'chat-completions', url: 'http://127.0.0.1:1' })
  const model = upstream.target(brandAs<UpstreamModel>('bench'))
  const prices = new Prices({
    'up/*': { input: 3_000_000, output: 15_000_000 },
  })
  const limiter = new Limiter()
  const text = JSON.stringify({
    model: 'bench',
    messages: [{ role: 'user', content: 'x'.repeat(400) }],
  })
  const body = { text, value: JSON.parse(text), members: [] }
  const media = { images: 0, files: 0, imageLength: 0, fileLength: 0 }
  const targets = [{ upstream, model }]
  return async () => {
    const caller = keys.verify([key])
    permit(caller, { endpoint: 'chat-completions', address: () => '127.0.0.1' })
    const allowed = permitted(caller, 'bench', targets)
    const admission = limiter.admit(caller, { input: 120, output: mostTokens(caller) ?? Infinity })
    const startedAt = performance.now()
    const account = await Account.open({ ledger, prices }, admission, {
      id: `req_${randomHex(32)}`,
      keyId: caller.keyId,
      projectId: caller.projectId,
      endpoint: 'chat',
      protocol: 'chat-completions',
      model: brandAs<ModelName>('bench'),
      stream: false,
      startedAt: Date.now(),
      body,
      media,
      targets: allowed,
      route: 'only target',
      maxTokens: 200,
    })
    const waited = performance.now() - startedAt
    account.onAttempt({ model }, 1)
    await account.complete({ input: 110, output: 90 })
    return waited
  }
}

interface Load {
  readonly exchanges: number
  readonly clients: number
  /** Told how long each waited, in milliseconds. */
  readonly waits?: number[]
}

async function run(work: Work, { exchanges, clients, waits }: Load): Promise<void> {
  let left = exchanges
  const client = async (): Promise<void> => {
    while (left-- > 0) {
      const waited = await work()
      waits?.push(waited)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
}

function percentilesOf(values: readonly number[]): { p50: number; p99: number } {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

if (import.meta.main) {
  for (const [clients, exchanges] of [
    [1, 2000],
    [8, 10_000],
    [32, 40_000],
    [128, 80_000],
  ] as const) {
    for (const hasBudget of [true, false])
      console.log({
        clients,
        hasBudget,
        ...(await measureAccounting(exchanges, { clients, hasBudget })),
      })
  }
}
