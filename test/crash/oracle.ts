import { Database } from 'bun:sqlite'

import type { Seen } from './client.ts'
import type { Served } from './counting-upstream.ts'
import { type RigKey, tokenPrice } from './rig.ts'

/** What others than the gateway know of some exchanges. */
export interface Evidence {
  readonly seen: readonly Seen[]
  readonly served: readonly Served[]
  readonly keys: readonly RigKey[]
  /** Whether what was open when the gateway died has been closed by one that came after it. */
  readonly isRecovered: boolean
}

/** What an examination found. */
export interface Findings {
  /** Each is a sentence about a promise that was broken. Empty is what everybody hopes for. */
  readonly violations: readonly string[]
  readonly figures: Figures
}

export interface Figures {
  /** Ends that a client saw, each of which has its record. */
  readonly acknowledged: number
  readonly lost: number
  readonly doubled: number
  readonly unrecorded: number
  /** Micro-dollars by which any budget, or any hold of a strict one, was exceeded. */
  readonly overBudget: number
  readonly crashed: number
  readonly abandoned: number
}

/** A row of the ledger, or of what is still open. */
export interface Row {
  readonly id: string
  readonly key_id: string
  readonly model: string
  readonly stream: number
  readonly result: string
  readonly input: number | null
  readonly output: number | null
  readonly counted: string
  readonly held: number
  readonly cost: number
  readonly excess: number
}

/** Compares the database that a gateway left behind with what clients and upstreams saw (P1 to P6). */
export function examine(file: string, evidence: Evidence): Findings {
  const database = new Database(file, { readwrite: true, strict: true })
  try {
    const book = bookOf(rowsOf(database))
    const violations = [...integrity(database), ...conservation(database, evidence)]
    const parts = [
      ...acknowledged(book, evidence),
      ...unrecorded(book, evidence),
      ...doubled(book),
      ...overHeld(book, evidence),
      ...abandoned(book, evidence),
      ...crashed(book),
    ]
    const count = (kind: Offence['kind']) => parts.filter((one) => one.kind === kind).length
    const overBudget = overspent(database) + parts.reduce((sum, { over = 0 }) => sum + over, 0)
    if (overBudget > 0) violations.push(`P4: ${overBudget} micro-dollars over budgets and holds`)
    return {
      violations: [...violations, ...parts.map(({ text }) => text)],
      figures: {
        acknowledged: evidence.seen.filter(isAcknowledged).length,
        lost: count('lost'),
        doubled: count('doubled'),
        unrecorded: count('unrecorded'),
        overBudget,
        crashed: book.rows.filter(({ result }) => result === 'crashed').length,
        abandoned: book.rows.filter(({ result }) => result === 'client-left').length,
      },
    }
  } finally {
    database.close()
  }
}

/** Every exchange that the database knows, by its id. */
export function recordsOf(file: string): ReadonlyMap<string, Row> {
  const database = new Database(file, { readwrite: true, strict: true })
  try {
    return bookOf(rowsOf(database)).byId
  } finally {
    database.close()
  }
}

/** Micro-dollars by which balances exceed their budgets at this moment: a look into a database that is in use. */
export function overspent(database: Database): number {
  const over = database
    .query<{ readonly over: number }, []>(
      `SELECT coalesce(sum(max(0, used + held - amount)), 0) AS over
       FROM balances JOIN budgets USING (holder, period) WHERE is_strict = 1`,
    )
    .get()
  return over?.over ?? 0
}

interface Offence {
  readonly kind: 'lost' | 'doubled' | 'unrecorded' | 'other'
  readonly text: string
  readonly over?: number
}

interface Book {
  readonly rows: readonly Row[]
  readonly byId: ReadonlyMap<string, Row>
  readonly byModel: ReadonlyMap<string, readonly Row[]>
}

function rowsOf(database: Database): Row[] {
  const columns = 'id, key_id, model, stream'
  return database
    .query<Row, []>(
      `SELECT ${columns}, result, input, output, counted, held, cost, excess FROM ledger
       UNION ALL
       SELECT ${columns}, 'open', NULL, NULL, 'none', held, 0, 0 FROM open_exchanges`,
    )
    .all()
}

function bookOf(rows: readonly Row[]): Book {
  const byModel = new Map<string, Row[]>()
  for (const row of rows) byModel.set(row.model, [...(byModel.get(row.model) ?? []), row])
  return { rows, byId: new Map(rows.map((row) => [row.id, row])), byModel }
}

function integrity(database: Database): string[] {
  const found = database.query<unknown, []>('PRAGMA integrity_check').values()
  const said = found.map(([text]) => String(text))
  return said.length === 1 && said[0] === 'ok' ? [] : [`The database is damaged: ${said[0]}`]
}

/** P5: what was charged adds up to what stands in the balance, and what is held to what is open. */
function conservation(database: Database, { isRecovered }: Evidence): string[] {
  const violations = database
    .query<{ readonly holder: string; readonly charged: number; readonly used: number }, []>(
      `WITH charges (holder, amount) AS (
         SELECT 'org', cost FROM ledger
         UNION ALL SELECT 'project:' || project_id, cost FROM ledger
         UNION ALL SELECT 'key:' || key_id, cost FROM ledger
         UNION ALL SELECT 'org', amount FROM corrections
         UNION ALL SELECT 'project:' || project_id, amount FROM corrections
         UNION ALL SELECT 'key:' || key_id, amount FROM corrections
         UNION ALL SELECT holder, retired FROM proven
       ), sums AS (SELECT holder, sum(amount) AS charged FROM charges GROUP BY holder),
       totals AS (SELECT holder, used FROM balances WHERE period = 'total')
       SELECT holder, coalesce(charged, 0) AS charged, coalesce(used, 0) AS used
       FROM sums FULL JOIN totals USING (holder) WHERE coalesce(charged, 0) <> coalesce(used, 0)`,
    )
    .all()
    .map((row) => `P5: ${row.holder} was charged ${row.charged} and its balance says ${row.used}`)
  const held = database
    .query<{ readonly holder: string; readonly held: number; readonly open: number }, []>(
      `WITH holds (holder, held) AS (
         SELECT 'org', held FROM open_exchanges
         UNION ALL SELECT 'project:' || project_id, held FROM open_exchanges
         UNION ALL SELECT 'key:' || key_id, held FROM open_exchanges
       ), sums AS (SELECT holder, sum(held) AS open FROM holds GROUP BY holder)
       SELECT holder, held, coalesce(open, 0) AS open FROM balances LEFT JOIN sums USING (holder)
       WHERE period = 'total' AND held <> coalesce(open, 0)`,
    )
    .all()
    .map((row) => `P5: ${row.holder} holds ${row.held} and has ${row.open} open`)
  // The budgets of every rig are there from the beginning, so all that was ever used was used in their periods.
  const periods = database
    .query<{ readonly holder: string; readonly period: string }, []>(
      `WITH sums AS (SELECT holder, period, sum(used) AS used, sum(held) AS held
         FROM balances WHERE period <> 'total' GROUP BY holder, period)
       SELECT holder, sums.period FROM sums JOIN balances AS totals USING (holder)
       WHERE totals.period = 'total' AND (sums.used <> totals.used OR sums.held <> totals.held)`,
    )
    .all()
    .map(({ holder, period }) => `P5: the ${period}s of ${holder} do not add up to its total`)
  violations.push(...periods)
  if (!isRecovered) return [...violations, ...held]
  const open = database.query<{ readonly id: string }, []>('SELECT id FROM open_exchanges').all()
  return [...violations, ...held, ...open.map(({ id }) => `P2: ${id} is open after the recovery`)]
}

const isAcknowledged = ({ status, isWhole }: Seen): boolean => status === 200 && isWhole

/** P1: whoever saw the end has a record of all that was used, as the upstream counted it. */
function acknowledged(book: Book, { seen, served }: Evidence): Offence[] {
  const known = new Map(served.map((serving) => [serving.model, serving]))
  return seen.filter(isAcknowledged).flatMap(({ id = '', asking }) => {
    const row = book.byId.get(id)
    const serving = known.get(asking.model)
    const fault = serving === undefined ? 'was never served' : faultOf(row, serving)
    if (fault === undefined) return []
    return [
      { kind: 'lost' as const, text: `P1: ${id} (${asking.model}) was seen whole and ${fault}` },
    ]
  })
}

function faultOf(row: Row | undefined, serving: Served): string | undefined {
  if (row === undefined) return 'has no record'
  if (row.result !== 'complete' && row.result !== 'budget-stop') return `is "${row.result}"`
  if (row.counted === 'none') return 'has no usage'
  if (row.result === 'budget-stop') return undefined
  if (!serving.isWhole) return 'its upstream never ended it'
  if (serving.manner === 'uncounted')
    return row.counted === 'estimated' && (row.output ?? 0) > 0 ? undefined : 'has no estimate'
  const isExact =
    row.counted === 'exact' && row.input === serving.input && row.output === serving.output
  if (!isExact)
    return `says ${row.input}+${row.output} (${row.counted}), not ${serving.input}+${serving.output}`
  const due = serving.input * tokenPrice.input + serving.output * tokenPrice.output
  return row.cost + row.excess === due ? undefined : `cost ${row.cost}+${row.excess}, not ${due}`
}

/** P2: whatever reached an upstream has a row, whether or not its client ever heard of it. */
function unrecorded(book: Book, { served }: Evidence): Offence[] {
  return served
    .filter(({ model }) => !book.byModel.has(model))
    .map(({ model }) => ({
      kind: 'unrecorded',
      text: `P2: ${model} reached an upstream and has no row`,
    }))
}

/** P3: no exchange stands there twice. Every exchange asks for a model of its own. */
function doubled(book: Book): Offence[] {
  const twice = [...book.byModel].filter(([, rows]) => rows.length > 1)
  const ids = book.rows.length - book.byId.size
  return [
    ...twice.map(([model]) => ({ kind: 'doubled' as const, text: `P3: ${model} has two rows` })),
    ...(ids > 0 ? [{ kind: 'doubled' as const, text: `P3: ${ids} ids stand there twice` }] : []),
  ]
}

/** P4: where a budget is strict nobody is charged more than what was held. */
function overHeld(book: Book, { keys }: Evidence): Offence[] {
  const strict = new Set(keys.filter(({ budget }) => budget?.isStrict === true).map(({ id }) => id))
  return book.rows
    .filter(({ key_id, cost, held }) => strict.has(key_id) && cost > held)
    .map(({ id, cost, held }) => ({
      kind: 'other',
      text: `P4: ${id} was charged ${cost} and ${held} was held`,
      over: cost - held,
    }))
}

/** P6: what a client got before it left is charged, and no more than what the upstream can have said. */
function abandoned(book: Book, { seen }: Evidence): Offence[] {
  return seen.flatMap(({ id = '', hasLeft, tokens }) => {
    const row = book.byId.get(id)
    if (!hasLeft || row === undefined || row.result === 'crashed' || row.result === 'open')
      return []
    const output = row.output ?? 0
    const fault =
      output < tokens
        ? `was given ${tokens} tokens, and its row says ${output}`
        : tokens > 0 && row.cost === 0
          ? 'was charged nothing'
          : undefined
    if (fault === undefined) return []
    const text = `P6: ${id} (${row.model}, ${row.counted}) left: it ${fault}`
    return [{ kind: 'other' as const, text }]
  })
}

/** P2: what nobody can know any more is charged at what was held for it. */
function crashed(book: Book): Offence[] {
  return book.rows
    .filter(({ result, cost, held }) => result === 'crashed' && cost !== held)
    .map(({ id, cost, held }) => ({
      kind: 'other',
      text: `P2: ${id} crashed, was held at ${held} and charged ${cost}`,
    }))
}
