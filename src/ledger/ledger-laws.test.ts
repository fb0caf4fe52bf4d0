import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'

import fc from 'fast-check'

import { Budgets } from '#budgets/budgets.ts'
import type { HoldTerms } from '#budgets/hold-terms.ts'
import { type Period, periods } from '#budgets/periods.ts'
import { GatewayError } from '#chat/error.ts'
import { Storage } from '#storage/database.ts'

import { verify } from './conservation.ts'
import { correct } from './corrections.ts'
import type { Grant } from './entry.ts'
import { SqliteLedger } from './ledger.ts'

/** How many times as long as in `npm test`. */
const times = Number(env['PARLEY_RUNS'] ?? 1)

const keys = { a: 'default', b: 'default', c: 'side' } as const
type Key = keyof typeof keys
const holders = ['org', 'project:default', 'project:side', 'key:a', 'key:c'] as const

/** The same books, as simply as they can be kept: what the ledger has to agree with after every step. */
class Model {
  now = Date.UTC(2026, 0, 28, 12)
  readonly budgets = new Map<string, { amount: number; isStrict: boolean }>()
  readonly balances = new Map<string, { used: number; held: number; beyond: number }>()
  readonly open = new Map<string, Open>()
  readonly closed: Closed[] = []

  at(holder: string, period: Period, startsAt = this.running(holder, period)) {
    const name = `${holder} ${period} ${startsAt}`
    const balance = this.balances.get(name) ?? { used: 0, held: 0, beyond: 0 }
    return { name, balance, save: () => this.balances.set(name, balance) }
  }

  running(holder: string, period: Period): number {
    const known = [...this.balances.keys()].filter((name) =>
      name.startsWith(`${holder} ${period} `),
    )
    return Math.max(startOf(period, this.now), ...known.map((name) => Number(name.split(' ')[2])))
  }

  reserve(id: string, key: Key, terms: HoldTerms): Grant | undefined {
    const whose = holdersOf(key)
    const bound = whose.flatMap((holder) =>
      periods.flatMap((period) => {
        const budget = this.budgets.get(`${holder} ${period}`)
        return budget === undefined ? [] : [{ ...budget, row: this.at(holder, period) }]
      }),
    )
    const room = Math.min(
      2 ** 52,
      ...bound.map(({ amount, row: { balance } }) => amount - balance.used - balance.held),
    )
    const outputCap = [terms.outputCap, affordable(terms, room)].find(
      (cap) => cost(terms, cap) <= room && (cap === terms.outputCap || cap >= terms.leastOutput),
    )
    const isFree = cost(terms, terms.outputCap) === 0
    const cap = isFree ? terms.outputCap : outputCap
    if (cap === undefined || (cap === 0 && terms.outputCap > 0)) return undefined
    const held = cost(terms, cap)
    const totals = whose.map((holder) => this.at(holder, 'total'))
    const rows = [
      ...new Map(
        [...totals, ...bound.map(({ row }) => row)].map((row) => [row.name, row]),
      ).values(),
    ]
    for (const { balance, save } of rows) {
      balance.held += held
      save()
    }
    const isStrict = bound.some((budget) => budget.isStrict)
    this.open.set(id, {
      key,
      held,
      isStrict,
      startedAt: this.now,
      rows: rows.map(({ name }) => name),
    })
    return { outputCap: cap, held, isStrict, isLowered: cap < terms.outputCap }
  }

  settle(id: string, actual: number | 'crashed'): void {
    const open = this.open.get(id)
    if (open === undefined) return
    const { held, isStrict, rows } = open
    const wanted = actual === 'crashed' ? held : Math.min(actual, 1e12)
    const charged = isStrict ? Math.min(wanted, held) : wanted
    for (const name of rows) {
      const balance = this.balances.get(name)
      if (balance === undefined) continue
      balance.held -= held
      balance.used += charged
      balance.beyond += Math.max(0, charged - held)
    }
    this.open.delete(id)
    this.closed.push({ id, ...open, charged, excess: wanted - charged, corrected: charged })
  }

  /** Whether the budget may be set. */
  set(holder: string, period: Period, amount: number, isStrict: boolean): boolean {
    const parents =
      holder === 'org'
        ? []
        : holder.startsWith('project')
          ? ['org']
          : ['org', `project:${keys[holder.slice(4) as Key]}`]
    if (
      parents.some(
        (parent) => amount > (this.budgets.get(`${parent} ${period}`)?.amount ?? Infinity),
      )
    )
      return false
    const row = this.at(holder, period)
    const isNew = !this.budgets.has(`${holder} ${period}`) && period !== 'total'
    const before = { ...row.balance }
    const joining: Open[] = []
    if (isNew) {
      const startsAt = this.running(holder, period)
      const counts = ({ key, startedAt }: { key: Key; startedAt: number }) =>
        holdersOf(key).includes(holder) && startedAt >= startsAt
      const names = (open: Open) =>
        open.rows.find((name) => name.startsWith(`${holder} ${period} `))
      const charged = this.closed.filter(
        (closed) => counts(closed) && closed.startedAt < endOf(period, startsAt),
      )
      row.balance.used = sum(charged.map(({ corrected }) => corrected))
      const open = [...this.open.values()].filter(
        (one) => names(one) === row.name || (counts(one) && names(one) === undefined),
      )
      row.balance.held = sum(open.map(({ held }) => held))
      row.balance.beyond = 0
      joining.push(...open.filter((one) => names(one) === undefined))
    }
    if (amount < row.balance.used + row.balance.held) {
      Object.assign(row.balance, before)
      return false
    }
    row.save()
    for (const open of joining) open.rows.push(row.name)
    this.budgets.set(`${holder} ${period}`, { amount, isStrict })
    return true
  }

  correct(closed: Closed, to: number): void {
    const change = to - closed.corrected
    closed.corrected = to
    for (const holder of holdersOf(closed.key))
      for (const period of periods) {
        const name = `${holder} ${period} ${startOf(period, closed.startedAt)}`
        const balance = this.balances.get(name)
        if (balance === undefined) continue
        balance.used = Math.max(0, balance.used + change)
        balance.beyond += Math.max(0, change)
      }
  }
}

interface Open {
  readonly key: Key
  readonly held: number
  readonly isStrict: boolean
  readonly startedAt: number
  readonly rows: string[]
}

interface Closed extends Open {
  readonly id: string
  readonly charged: number
  readonly excess: number
  corrected: number
}

const holdersOf = (key: Key): string[] => [`key:${key}`, `project:${keys[key]}`, 'org']
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

function cost({ base, perMillionOutput }: HoldTerms, cap: number): number {
  const exact = BigInt(base) + (BigInt(perMillionOutput) * BigInt(cap) + 999_999n) / 1_000_000n
  return exact > 10n ** 12n ? 1e12 : Number(exact)
}

/** The largest number of tokens that there is room for, found by halving. */
function affordable(terms: HoldTerms, room: number): number {
  let [low, high] = [0, terms.outputCap]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (cost(terms, middle) <= room) low = middle
    else high = middle - 1
  }
  return low
}

function startOf(period: Period, time: number): number {
  const date = new Date(time)
  const midnight = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
  if (period === 'day') return midnight
  if (period === 'week') return midnight - ((date.getUTCDay() + 6) % 7) * 86_400_000
  return period === 'month' ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) : 0
}

function endOf(period: Period, startsAt: number): number {
  const date = new Date(startsAt)
  if (period === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
  return period === 'total' ? Infinity : startsAt + (period === 'week' ? 7 : 1) * 86_400_000
}

type Step =
  | {
      readonly type: 'reserve'
      readonly asked: readonly Asked[]
      readonly settled: number | undefined
    }
  | {
      readonly type: 'settle'
      readonly which: number
      readonly share: number
      readonly twice: boolean
    }
  | { readonly type: 'crash' }
  | {
      readonly type: 'set'
      readonly holder: string
      readonly period: Period
      readonly amount: number
      readonly isStrict: boolean
    }
  | { readonly type: 'remove'; readonly holder: string; readonly period: Period }
  | { readonly type: 'clock'; readonly by: number }
  | { readonly type: 'correct'; readonly which: number; readonly to: number }
  | { readonly type: 'keep-up' }

interface Asked {
  readonly key: Key
  readonly terms: HoldTerms
}

const terms = fc.oneof(
  fc.record({
    base: fc.nat(200),
    perMillionOutput: fc.nat(20_000_000),
    outputCap: fc.nat(100),
    leastOutput: fc.integer({ min: 1, max: 16 }),
  }),
  fc.constant({ base: 0, perMillionOutput: 0, outputCap: 1000, leastOutput: 16 }),
  fc.constant({ base: 1, perMillionOutput: 75_000_000, outputCap: 1e15, leastOutput: 16 }),
)
const key = fc.constantFrom('a', 'a', 'b', 'c') as fc.Arbitrary<Key>
const holder = fc.constantFrom(...holders)
const period = fc.constantFrom(...periods)
const hour = 3_600_000

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('reserve' as const),
      asked: fc.array(fc.record({ key, terms }), { minLength: 1, maxLength: 4 }),
      settled: fc.option(fc.nat(9), { nil: undefined }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('settle' as const),
      which: fc.nat(9),
      share: fc.double({ min: 0, max: 1.5, noNaN: true }),
      twice: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'crash' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('set' as const),
      holder,
      period,
      amount: fc.nat(5000),
      isStrict: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('remove' as const), holder, period }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('clock' as const),
      by: fc.oneof(
        fc.integer({ min: 0, max: hour }),
        fc.integer({ min: -40 * 24 * hour, max: 40 * 24 * hour }),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('correct' as const),
      which: fc.nat(9),
      to: fc.nat(500),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'keep-up' as const }) },
)

/** Short ones find most faults, and long ones the rest. */
const history = fc.oneof(
  { weight: 2, arbitrary: fc.array(step, { maxLength: 60 }) },
  { weight: 1, arbitrary: fc.array(step, { maxLength: 60, size: 'max' }) },
)

/** A ledger and its model, and the clock that both look at. */
class Rig {
  readonly model = new Model()
  readonly budgets: Budgets
  ledger: SqliteLedger | undefined
  readonly storage: Storage
  #count = 0

  constructor(storage: Storage) {
    this.storage = storage
    this.budgets = new Budgets(storage, () => this.model.now)
  }

  async start(): Promise<void> {
    const onAlarm = (alarm: unknown): never => {
      throw new Error(`The books do not add up: ${JSON.stringify(alarm)}`)
    }
    this.ledger = await SqliteLedger.open(this.storage, { now: () => this.model.now, onAlarm })
  }

  async stop(): Promise<void> {
    await this.ledger?.[Symbol.asyncDispose]()
    this.ledger = undefined
  }

  async take(step: Step): Promise<void> {
    const { model, storage } = this
    switch (step.type) {
      case 'reserve':
        return this.#reserve(step.asked, step.settled)
      case 'settle': {
        const id = pick([...model.open.keys()], step.which) ?? 'nobody'
        const actual = Math.round((model.open.get(id)?.held ?? 10) * step.share)
        const settling = [this.#settle(id, actual)]
        if (step.twice) settling.push(this.#settle(id, actual + 7))
        await Promise.all(settling)
        return model.settle(id, actual)
      }
      case 'crash':
        // What was begun on a boot that has ended is found by the next, as after a crash.
        await this.stop()
        await this.start()
        for (const id of model.open.keys()) model.settle(id, 'crashed')
        return
      case 'set': {
        const { holder: whose, period: which, amount, isStrict } = step
        const setting = await refusal(this.budgets.set(whose, which, { amount, isStrict }))
        expect(setting === undefined).toBe(model.set(whose, which, amount, isStrict))
        return
      }
      case 'remove':
        expect(await this.budgets.remove(step.holder, step.period)).toBe(
          model.budgets.delete(`${step.holder} ${step.period}`),
        )
        return
      case 'clock':
        model.now += step.by
        return
      case 'correct': {
        const closed = pick(model.closed, step.which)
        if (closed === undefined) return
        await correct(
          storage,
          { exchangeId: closed.id, cost: step.to, reason: 'r', actor: 'me' },
          model.now,
        )
        return model.correct(closed, step.to)
      }
      case 'keep-up':
        return this.ledger?.keepUp()
    }
  }

  async #reserve(asked: readonly Asked[], settled: number | undefined): Promise<void> {
    const { model, ledger } = this
    const other = settled === undefined ? undefined : pick([...model.open.keys()], settled)
    const all = asked.map((one) => ({ ...one, id: `id-${this.#count++}` }))
    const beginning = all.map(({ id, key: keyId, terms: hold }) =>
      ledger
        ?.begin({
          id,
          keyId,
          projectId: keys[keyId],
          endpoint: 'chat',
          protocol: 'messages',
          model: 'm',
          stream: false,
          startedAt: model.now,
          hold,
        })
        .catch((error: unknown) => {
          if (error instanceof GatewayError && error.code === 'budget-spent') return undefined
          throw error
        }),
    )
    const settling = other === undefined ? undefined : this.#settle(other, 5)
    const expected = all.map(({ id, key: whose, terms: hold }) => model.reserve(id, whose, hold))
    const grants = await Promise.all(beginning)
    if (!Bun.deepEquals(grants, expected)) expect(grants).toEqual(expected)
    await settling
    if (other !== undefined) model.settle(other, 5)
  }

  async #settle(id: string, actual: number): Promise<void> {
    await this.ledger?.settle(id, {
      result: 'complete',
      attempts: 1,
      usage: { output: 1 },
      counted: 'exact',
      cost: actual,
      totalMs: 1,
      notes: [],
    })
  }

  /** P3, P4, P5 and I2, as of now. */
  check(): void {
    const { model } = this
    const { database } = this.storage
    const found = database
      .query<BalanceRow, []>('SELECT holder, period, starts_at, used, held FROM balances')
      .all()
    const balances = found.map(
      ({ holder: whose, period: which, starts_at, used, held }) =>
        `${whose} ${which} ${starts_at}: ${used} ${held}`,
    )
    const expected = [...model.balances].map(([name, { used, held }]) => `${name}: ${used} ${held}`)
    same(balances, expected)
    for (const [name, { amount }] of model.budgets) {
      const [whose, which] = name.split(' ') as [string, Period]
      const { used, held, beyond } = model.at(whose, which).balance
      if (used + held > amount + beyond) throw new Error(`${name} is overspent.`)
    }
    const rows = database.query<Row, []>('SELECT id, cost, excess, held FROM ledger').all()
    same(
      rows.map(({ id, cost: charged, excess, held }) => `${id} ${charged} ${excess} ${held}`),
      model.closed.map(({ id, charged, excess, held }) => `${id} ${charged} ${excess} ${held}`),
    )
    const open = database.query<Row, []>('SELECT id, held FROM open_exchanges').all()
    same(
      open.map(({ id, held }) => `${id} ${held}`),
      [...model.open].map(([id, { held }]) => `${id} ${held}`),
    )
  }
}

/** Every step looks at everything, so the usual case has to be a cheap one. */
function same(found: readonly string[], expected: readonly string[]): void {
  const [one, other] = [found.toSorted(), expected.toSorted()]
  if (one.join('\n') !== other.join('\n')) expect(one).toEqual(other)
}

interface BalanceRow {
  readonly holder: string
  readonly period: Period
  readonly starts_at: number
  readonly used: number
  readonly held: number
}

interface Row {
  readonly id: string
  readonly cost: number
  readonly excess: number
  readonly held: number
}

function pick<T>(list: readonly T[], which: number): T | undefined {
  return list[which % Math.max(1, list.length)]
}

async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof GatewayError) return error.message
    throw error
  }
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-laws-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function filled(file: string): Promise<Storage> {
  const storage = await Storage.open(file)
  storage.database.run("INSERT INTO projects (id, name, created_at) VALUES ('side', 'side', 0)")
  for (const [id, project] of Object.entries(keys))
    storage.database.run(
      `INSERT INTO keys (id, name, created_at, project_id) VALUES ('${id}', '${id}', 0, '${project}')`,
    )
  return storage
}

const emptied = [
  'open_exchanges',
  'ledger',
  'budgets',
  'balances',
  'prices',
  'corrections',
  'proven',
]

function empty({ database }: Storage): void {
  database.transaction(() => {
    for (const table of emptied) database.run(`DELETE FROM ${table}`)
    database.run(`UPDATE proven_until SET ledger_seq = 0, correction_seq = 0, next_holder = ''`)
  })()
}

describe.each([
  ['in memory', 970],
  ['on disk', 30],
] as const)('the ledger %s', (place, runs) => {
  test(
    'agrees with the simplest books there are, after every step (P3, P4, P5, I2)',
    async () => {
      using storage = await filled(place === 'in memory' ? ':memory:' : join(folder, 'parley.db'))
      await fc.assert(
        fc.asyncProperty(history, async (steps) => {
          empty(storage)
          const rig = new Rig(storage)
          await rig.start()
          try {
            for (const one of steps) {
              await rig.take(one)
              rig.check()
            }
            await rig.ledger?.keepUp()
            expect((await verify(storage)).wrong).toEqual([])
          } finally {
            await rig.stop()
          }
        }),
        { numRuns: Math.round(runs * times) },
      )
    },
    600_000 * Math.max(1, times),
  )
})
