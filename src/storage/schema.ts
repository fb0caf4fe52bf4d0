import type { Generated, Selectable } from 'kysely'

/** The tables as this version knows them. Times are Unix milliseconds. */
export interface Schema {
  readonly organisation: OrganisationTable
  readonly projects: ProjectsTable
  readonly keys: KeysTable
  readonly key_secrets: KeySecretsTable
  readonly open_exchanges: OpenExchangesTable
  readonly ledger: LedgerTable
  readonly budgets: BudgetsTable
  readonly balances: BalancesTable
  readonly prices: PricesTable
  readonly corrections: CorrectionsTable
  readonly proven: ProvenTable
  readonly proven_until: ProvenUntilTable
  readonly users: UsersTable
  readonly sessions: SessionsTable
  readonly setup_token: SetupTokenTable
  readonly audit: AuditTable
  readonly audit_head: AuditHeadTable
}

/** The one row that everybody belongs to. */
interface OrganisationTable {
  readonly id: number
  readonly name: string
  /** JSON of a policy. */
  readonly policy: string
}

/** What keys belong to. */
interface ProjectsTable {
  readonly id: string
  readonly name: string
  readonly created_at: number
  readonly archived_at: number | null
  readonly policy: string
}

/** Who may call. */
interface KeysTable {
  readonly id: string
  readonly name: string
  readonly created_at: number
  readonly expires_at: number | null
  readonly revoked_at: number | null
  readonly project_id: Generated<string>
  readonly owner: string | null
  readonly not_before: number | null
  readonly policy: Generated<string>
}

/** What a caller shows, as a hash. A key has two of them while it is being rotated. */
interface KeySecretsTable {
  /** SHA-256 of the whole text. */
  readonly hash: Uint8Array
  readonly key_id: string
  readonly created_at: number
  readonly expires_at: number | null
  readonly last_used_at: number | null
}

/** What every exchange is known by from its beginning. */
interface ExchangeColumns {
  readonly id: string
  readonly key_id: string
  readonly project_id: Generated<string>
  readonly endpoint: string
  readonly protocol: string
  readonly model: string
  readonly stream: number
  readonly started_at: number
}

/** Exchanges under way: a small table, however old the ledger is. */
interface OpenExchangesTable extends ExchangeColumns {
  /** The run of the server that opened it. */
  readonly boot: string
  /** Micro-dollars that are held for it. */
  readonly held: Generated<number>
  /** Whether it can be charged no more than what is held. */
  readonly is_strict: Generated<number>
  /** JSON: the balances, `[holder, period, starts_at]`, that the hold lies on. */
  readonly periods: string | null
}

/** Exchanges that have ended. Rows are added and never changed. */
interface LedgerTable extends ExchangeColumns {
  readonly seq: Generated<number>
  readonly result: string
  readonly target: string | null
  readonly attempts: number
  readonly input: number | null
  readonly cache_read: number | null
  readonly cache_write: number | null
  readonly output: number | null
  readonly reasoning: number | null
  readonly counted: string
  readonly first_byte_ms: number | null
  readonly total_ms: number
  /** JSON; absent if there are none. */
  readonly notes: string | null
  /** What was held for it, what was charged, and what the upstream will bill beyond the hold: micro-dollars. */
  readonly held: Generated<number>
  readonly cost: Generated<number>
  readonly excess: Generated<number>
  /** The price that it was charged at; absent where the model has none. */
  readonly price: number | null
  /** Time spent waiting for a place. */
  readonly queue_ms: number | null
  /** JSON: every target that was asked, and how it went. */
  readonly tries: string | null
  /** Why this target: what the router decided by. */
  readonly route: string | null
}

/** What a holder may spend in a period. A holder is `org`, `project:<id>` or `key:<id>`. */
interface BudgetsTable {
  readonly holder: string
  readonly period: string
  readonly amount: number
  readonly is_strict: number
}

/** What a holder has spent, and what is held for exchanges under way. Every holder has one for the period `total`. */
interface BalancesTable {
  readonly holder: string
  readonly period: string
  readonly starts_at: number
  readonly used: number
  readonly held: number
}

/** Every price that anything was ever charged at: JSON of its terms. */
interface PricesTable {
  readonly id: Generated<number>
  readonly terms: string
}

/** What an operator changed of a charge afterwards. Rows are added and never changed. */
interface CorrectionsTable {
  readonly seq: Generated<number>
  readonly exchange_id: string
  readonly key_id: string
  readonly project_id: string
  /** When the exchange began. */
  readonly started_at: number
  readonly amount: number
  readonly reason: string
  readonly actor: string
  readonly made_at: number
}

/** What a holder was charged by the rows that were proven, and how much of it by rows that were retired since. */
interface ProvenTable {
  readonly holder: string
  readonly used: number
  readonly retired: Generated<number>
}

/** The one row that says up to where the books were proven, and with which holder the next look at balances begins. */
interface ProvenUntilTable {
  readonly id: number
  readonly ledger_seq: number
  readonly correction_seq: number
  readonly next_holder: string
}

/** Who may administer. */
interface UsersTable {
  readonly id: string
  readonly name: string
  readonly role: 'viewer' | 'operator' | 'admin'
  /** JSON: the ids of the projects that the user is bound to; absent for all. */
  readonly projects: string | null
  /** What checks the password, with the parameters it was made with. */
  readonly password: string
  readonly created_at: number
  readonly disabled_at: number | null
}

/** Who is signed in. */
interface SessionsTable {
  /** SHA-256 of what the browser shows. */
  readonly hash: Uint8Array
  /** What it is called where it is listed. */
  readonly id: string
  readonly user_id: string
  readonly created_at: number
  readonly seen_at: number
  readonly address: string | null
  readonly agent: string | null
}

/** The one token, if any, that lets somebody on this machine make an administrator. */
interface SetupTokenTable {
  readonly id: number
  readonly hash: Uint8Array
  readonly expires_at: number
}

/** What was done by whom. Rows are added, each with the hash of all before it, and never changed. */
interface AuditTable {
  readonly seq: number
  readonly at: number
  readonly actor: string
  readonly actor_name: string
  readonly address: string | null
  readonly action: string
  readonly object: string
  /** JSON of what may be known of it. */
  readonly details: string | null
  readonly before_hash: string | null
  readonly after_hash: string | null
  readonly request_id: string
  readonly hash: Uint8Array
}

/** The one row that names the last row of the audit log. */
interface AuditHeadTable {
  readonly id: number
  readonly seq: number
  readonly hash: Uint8Array
}

export type AuditRow = Selectable<AuditTable>
export type LedgerRow = Selectable<LedgerTable>
