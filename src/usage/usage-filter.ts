import { type RawBuilder, sql, type SqlBool } from 'kysely'

/** Which exchanges are meant. What is absent leaves none out. */
export interface UsageFilter {
  /** Unix milliseconds: exchanges that began then or later, and those that began before. */
  readonly since?: number
  readonly until?: number
  readonly keyId?: string
  readonly projectId?: string
  /** One of these, besides. */
  readonly projectIds?: readonly string[]
  /** What was asked for, or who answered. */
  readonly model?: string
  /** Who answered last. */
  readonly target?: string
  /** How it ended; `failed` stands for every error. */
  readonly result?: string
  /** Part of the request id, or of what was asked for or who answered. */
  readonly search?: string
  /** The places in the ledger before which and after which it stands. */
  readonly beforeSeq?: number
  readonly afterSeq?: number
}

/** The same as a condition on the table `ledger`. */
export function inLedger(filter: UsageFilter): RawBuilder<SqlBool> {
  const { since, until, keyId, projectId, projectIds, model } = filter
  const { target, result, search, beforeSeq, afterSeq } = filter
  const conditions = [
    since !== undefined && sql<SqlBool>`ledger.started_at >= ${since}`,
    until !== undefined && sql<SqlBool>`ledger.started_at < ${until}`,
    keyId !== undefined && sql<SqlBool>`ledger.key_id = ${keyId}`,
    projectId !== undefined && sql<SqlBool>`ledger.project_id = ${projectId}`,
    model !== undefined && sql<SqlBool>`(ledger.model = ${model} OR ledger.target = ${model})`,
    projectIds !== undefined && oneOf(projectIds),
    target !== undefined && sql<SqlBool>`ledger.target = ${target}`,
    result !== undefined && ending(result),
    afterSeq !== undefined && sql<SqlBool>`ledger.seq > ${afterSeq}`,
    beforeSeq !== undefined && sql<SqlBool>`ledger.seq < ${beforeSeq}`,
    search !== undefined && containing(search),
  ].filter((condition) => condition !== false)
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `)
}

/** What ends well, a caller that left and a budget that stopped an answer are no errors. */
function ending(result: string): RawBuilder<SqlBool> {
  if (result !== 'failed') return sql<SqlBool>`ledger.result = ${result}`
  return sql<SqlBool>`ledger.result NOT IN ('complete', 'client-left', 'budget-stop')`
}

function oneOf(projectIds: readonly string[]): RawBuilder<SqlBool> {
  if (projectIds.length === 0) return sql<SqlBool>`false`
  return sql<SqlBool>`ledger.project_id IN (${sql.join(projectIds)})`
}

function containing(search: string): RawBuilder<SqlBool> {
  const like = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const escape = sql.lit('\\')
  return sql<SqlBool>`(ledger.id LIKE ${like} ESCAPE ${escape}
    OR ledger.model LIKE ${like} ESCAPE ${escape} OR ledger.target LIKE ${like} ESCAPE ${escape})`
}
