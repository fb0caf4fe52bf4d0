import { Database } from 'bun:sqlite'

import { examine } from '#test/crash/oracle.ts'

/** What a gateway that has ended left in its ledger. */
export interface Book {
  /** How many exchanges ended in which way. */
  readonly results: Readonly<Record<string, number>>
  /** Complete ones without usage as the upstream told it. */
  readonly uncounted: number
  readonly stillOpen: number
  /** Promises about the ledger that do not hold. */
  readonly violations: readonly string[]
}

export function bookOf(file: string): Book {
  const { violations } = examine(file, { seen: [], served: [], keys: [], isRecovered: false })
  const database = new Database(file, { readwrite: true, strict: true })
  try {
    const rows = database
      .query<{ readonly result: string; readonly count: number }, []>(
        'SELECT result, count(*) AS count FROM ledger GROUP BY result',
      )
      .all()
    const count = (sql: string): number =>
      database.query<{ readonly count: number }, []>(`SELECT count(*) AS count FROM ${sql}`).get()
        ?.count ?? 0
    return {
      results: Object.fromEntries(rows.map(({ result, count: number }) => [result, number])),
      uncounted: count(`ledger WHERE result = 'complete' AND counted <> 'exact'`),
      stillOpen: count('open_exchanges'),
      // Here many exchanges ask for the same model, which tells nothing of rows that stand there twice.
      violations: violations.filter((text) => !/^P3: .* has two rows$/.test(text)),
    }
  } finally {
    database.close()
  }
}
