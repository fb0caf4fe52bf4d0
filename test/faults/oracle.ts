import { Database } from 'bun:sqlite'
import { existsSync, readFileSync } from 'node:fs'

import type { LedgerRow } from '#storage/schema.ts'
import { until } from '#test/until.ts'

import type { Seen } from './seen.ts'

/** What is written nowhere but where it belongs: if it is found in an output, that output leaks. */
export const canaries = {
  upstreamKey: 'sk-canary-upstream-5Qv8TzKw2LpXc7Nd',
  upstreamHeader: 'canary-header-Hq3Zr9Wm4Ty6',
  prompt: 'canary-prompt-Jb7Vx2Ks5Gd8',
} as const

export interface Watched {
  /** The gateway's database file. */
  readonly database: string
  readonly inFlight: () => number
  /** Everything that was logged, at the level of debug. */
  readonly log: () => string
  /** The secret of the caller's key. */
  readonly callerKey: string
  /** Resolves with how long a good request to a good upstream took, in milliseconds; rejects if it fails. */
  readonly control: () => Promise<number>
  /** How long things may take to come to rest, in milliseconds. */
  readonly patienceMs: number
}

/** What a row of a matrix is held to beside its own expectation, whatever the fault was. */
export class Oracle implements Disposable {
  readonly #watched: Watched
  readonly #database: Database
  readonly #rows
  readonly #open
  readonly #rss = process.memoryUsage.rss()
  readonly #rejected: string[] = []
  readonly #onRejection = (reason: unknown): void => {
    this.#rejected.push(String(reason))
  }
  slowestControlMs = 0

  constructor(watched: Watched) {
    this.#watched = watched
    this.#database = new Database(watched.database, { readwrite: true, strict: true })
    this.#rows = this.#database.query<LedgerRow, [string]>('SELECT * FROM ledger WHERE model = ?')
    this.#open = this.#database.query<{ readonly count: number }, [string]>(
      'SELECT count(*) AS count FROM open_exchanges WHERE model = ?',
    )
    process.on('unhandledRejection', this.#onRejection)
    process.on('uncaughtException', this.#onRejection)
  }

  /** The rows of a model that only one request asked for, when none of them is open any more (I1). */
  async rowsOf(model: string): Promise<LedgerRow[]> {
    await this.#within(() => this.#open.get(model)?.count === 0)
    return this.#rows.all(model)
  }

  /** What is wrong with one exchange: I1 and I3. */
  async exchange(
    model: string,
    seen: Pick<Seen, 'ending' | 'hasTerminator' | 'requestId'>,
    isAdmitted: 'yes' | 'no' | 'maybe' = 'yes',
  ): Promise<{ readonly violations: string[]; readonly row: LedgerRow | undefined }> {
    const rows = await this.rowsOf(model)
    const [row] = rows
    const violations: string[] = []
    if ((this.#open.get(model)?.count ?? 0) > 0)
      violations.push('I1: it is still open in the ledger')
    if (rows.length > 1) violations.push(`I1: it has ${rows.length} rows`)
    if (isAdmitted === 'yes' && row === undefined) violations.push('I1: it has no row')
    if (isAdmitted === 'no' && row !== undefined) violations.push('I1: it has a row')
    if (seen.ending === 'truncated') violations.push('I3: it was cut off and looks complete')
    if (seen.hasTerminator && row?.result !== 'complete')
      violations.push(`I3: its end was seen, and its row is ${row?.result ?? 'missing'}`)
    if (seen.hasTerminator && row?.counted === 'none') violations.push('I3: its row has no usage')
    if (row !== undefined && seen.requestId !== undefined && row.id !== seen.requestId)
      violations.push('I1: its row has another id than the caller was told')
    return { violations, row }
  }

  /** Whether a good request succeeds now (I6). */
  async control(limitMs: number): Promise<string[]> {
    try {
      const tookMs = await this.#watched.control()
      this.slowestControlMs = Math.max(this.slowestControlMs, tookMs)
      return tookMs > limitMs ? [`I6: a good request took ${Math.round(tookMs)} ms`] : []
    } catch (error) {
      return [`I6: a good request failed: ${String(error)}`]
    }
  }

  /** Whether something comes to be so in good time (I5). */
  async comesToRest(what: string, isAtRest: () => boolean): Promise<string[]> {
    return (await this.#within(isAtRest)) ? [] : [`I5: ${what}`]
  }

  /** Which secrets are in a text (I7). */
  secretsIn(where: string, text: Buffer | string): string[] {
    const all = { ...canaries, callerKey: this.#watched.callerKey }
    return Object.entries(all)
      .filter(([, secret]) => text.includes(secret))
      .map(([name]) => `I7: the canary ${name} is in ${where}`)
  }

  /** What must be so when everything is at rest: I2, I4, I5, I7, I8. */
  async atRest(memoryMiB: number): Promise<string[]> {
    const { inFlight, log, database } = this.#watched
    const files = [database, `${database}-wal`].filter((file) => existsSync(file))
    return [
      ...(await this.comesToRest(`${inFlight()} exchanges are under way`, () => inFlight() === 0)),
      ...this.#books(),
      ...this.#rejected.map((reason) => `I4: an unhandled rejection: ${reason}`),
      ...this.secretsIn('the log', log()),
      ...files.flatMap((file) => this.secretsIn('the database', readFileSync(file))),
      ...this.#memory(memoryMiB),
    ]
  }

  /** MiB by which the process has grown since the oracle was made. */
  get growthMiB(): number {
    Bun.gc(true)
    return (process.memoryUsage.rss() - this.#rss) / 1024 ** 2
  }

  [Symbol.dispose](): void {
    process.off('unhandledRejection', this.#onRejection)
    process.off('uncaughtException', this.#onRejection)
    this.#database.close()
  }

  #books(): string[] {
    const open = this.#database
      .query<{ readonly count: number }, []>('SELECT count(*) AS count FROM open_exchanges')
      .get()
    const wrong = this.#database
      .query<
        {
          readonly holder: string
          readonly charged: number
          readonly used: number
          readonly held: number
        },
        []
      >(
        `WITH charges (holder, amount) AS (
           SELECT 'org', cost FROM ledger
           UNION ALL SELECT 'project:' || project_id, cost FROM ledger
           UNION ALL SELECT 'key:' || key_id, cost FROM ledger
         ), sums AS (SELECT holder, sum(amount) AS charged FROM charges GROUP BY holder)
         SELECT holder, coalesce(charged, 0) AS charged, coalesce(used, 0) AS used, coalesce(held, 0) AS held
         FROM sums FULL JOIN (SELECT * FROM balances WHERE period = 'total') USING (holder)
         WHERE coalesce(charged, 0) <> coalesce(used, 0) OR coalesce(held, 0) <> 0`,
      )
      .all()
    return [
      ...((open?.count ?? 0) > 0 ? [`I1: ${open?.count} exchanges are open at rest`] : []),
      ...wrong.map(
        ({ holder, charged, used, held }) =>
          `I2: ${holder} was charged ${charged}, its balance says ${used}, and ${held} is held`,
      ),
    ]
  }

  #memory(limitMiB: number): string[] {
    const grown = this.growthMiB
    return grown > limitMiB ? [`I8: the process has grown by ${Math.round(grown)} MiB`] : []
  }

  /** Whether something becomes true within the patience. */
  async #within(isTrue: () => boolean): Promise<boolean> {
    if (isTrue()) return true
    const deadline = performance.now() + this.#watched.patienceMs
    await until(() => isTrue() || performance.now() > deadline)
    return isTrue()
  }
}
