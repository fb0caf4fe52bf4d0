import { Database } from 'bun:sqlite'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Keys } from '#keys/keys.ts'
import { Storage } from '#storage/database.ts'

import {
  type CountingUpstream,
  type Served,
  startCountingUpstream,
  type Temper,
} from './counting-upstream.ts'

/** A key of the rig, with what it may spend in all: micro-dollars. */
export interface RigKey {
  readonly name: 'free' | 'roomy' | 'tight' | 'soft'
  readonly id: string
  readonly text: string
  readonly budget?: { readonly amount: number; readonly isStrict: boolean }
}

/** A home for gateways that are started and killed, and upstreams that outlive them all. */
export interface Rig extends AsyncDisposable {
  readonly folder: string
  readonly database: string
  readonly upstreams: {
    readonly chat: CountingUpstream
    readonly messages: CountingUpstream
  }
  readonly keys: readonly RigKey[]
}

/** What a token costs at the upstreams of the rig: micro-dollars. */
export const tokenPrice = { input: 2, output: 10 } as const

export interface RigOptions {
  readonly temper: Temper
  /** A folder to use in place of a new one: on a file system of its own, say. */
  readonly folder?: string
  /** What the key `tight` may spend. */
  readonly tight?: number
  /** Sections of the config beside those that every rig has. */
  readonly config?: object
}

export async function newRig({ temper, tight = 40_000, ...options }: RigOptions): Promise<Rig> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'parley-crash-'))
  const chat = await startCountingUpstream({ name: 'chat', protocol: 'chat-completions' }, temper)
  const messages = await startCountingUpstream(
    { name: 'messages', protocol: 'messages' },
    { ...temper, seed: temper.seed + 1 },
  )
  const upstreams = { chat, messages }
  writeFileSync(join(folder, 'parley.yaml'), JSON.stringify(configOf(upstreams, options.config)))
  mkdirSync(join(folder, 'state'), { mode: 0o700 })
  const database = join(folder, 'state', 'parley.db')
  const keys = await issueKeys(database, tight)
  return {
    folder,
    database,
    upstreams,
    keys,
    async [Symbol.asyncDispose]() {
      await Promise.all([chat[Symbol.asyncDispose](), messages[Symbol.asyncDispose]()])
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** As an operator would before a round: gives the key `tight` room for a few exchanges more. */
export function refill({ database: file, keys }: Rig, amount = 40_000): void {
  const tight = keys.find(({ name }) => name === 'tight')?.id ?? ''
  const database = new Database(file, { readwrite: true })
  database.run(
    `UPDATE budgets SET amount = ?2 + coalesce(
       (SELECT used + held FROM balances WHERE holder = ?1 AND period = 'total'), 0)
     WHERE holder = ?1`,
    [`key:${tight}`, amount],
  )
  database.close()
}

/** What all of the upstreams did since they were told to forget. */
export function servedBy({ upstreams }: Rig): Served[] {
  return Object.values(upstreams).flatMap(({ served }) => served)
}

function configOf({ chat, messages }: Rig['upstreams'], more: object = {}): object {
  return {
    upstreams: {
      chat: { protocol: 'chat-completions', url: chat.url },
      messages: { protocol: 'messages', url: messages.url },
    },
    log: { level: 'silent' },
    engine: { enabled: false },
    ...pricesOf('chat/*', 'messages/*'),
    ...more,
  }
}

const generous = 1_000_000_000

async function issueKeys(database: string, tight: number): Promise<RigKey[]> {
  const budgets = {
    free: undefined,
    roomy: { amount: generous, isStrict: true },
    tight: { amount: tight, isStrict: true },
    soft: { amount: generous, isStrict: false },
  } as const
  using storage = await Storage.open(database)
  const keys = new Keys(storage)
  // Budgets that are never reached make holds that lie on several periods of several holders.
  budgetFor(storage, { holder: 'org', period: 'week', isStrict: false })
  budgetFor(storage, { holder: 'project:default', period: 'month', isStrict: false })
  const issued: RigKey[] = []
  for (const [name, budget] of Object.entries(budgets)) {
    const { id, key } = await keys.issue({ name })
    if (budget !== undefined)
      budgetFor(storage, { holder: `key:${id}`, period: 'total', ...budget })
    if (name === 'roomy') budgetFor(storage, { holder: `key:${id}`, period: 'day', isStrict: true })
    issued.push({
      name: name as RigKey['name'],
      id,
      text: key.reveal(),
      ...(budget !== undefined && { budget }),
    })
  }
  return issued
}

/** What the config says of prices: every model that fits costs the same, in dollars for a million tokens. */
export function pricesOf(...models: readonly string[]): object {
  return { prices: Object.fromEntries(models.map((model) => [model, tokenPrice])) }
}

interface Endowment {
  readonly holder: string
  readonly period: 'day' | 'week' | 'month' | 'total'
  readonly amount?: number
  readonly isStrict: boolean
}

function budgetFor({ database }: Storage, endowment: Endowment): void {
  const { holder, period, amount = generous, isStrict } = endowment
  database.run('INSERT INTO budgets VALUES (?, ?, ?, ?)', [
    holder,
    period,
    amount,
    isStrict ? 1 : 0,
  ])
}
