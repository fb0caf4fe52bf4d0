import type { Budgets } from '#budgets/budgets.ts'
import type { ModelCard } from '#chat/model-card.ts'
import type { Attempts } from '#console/access/attempts.ts'
import type { AuditLog } from '#console/access/audit.ts'
import type { BooksReader } from '#console/access/books-reader.ts'
import type { Passwords } from '#console/access/passwords.ts'
import type { Scope } from '#console/access/role.ts'
import { ScopedBudgets } from '#console/access/scoped-budgets.ts'
import { ScopedKeys } from '#console/access/scoped-keys.ts'
import { ScopedLive } from '#console/access/scoped-live.ts'
import { ScopedProjects } from '#console/access/scoped-projects.ts'
import { ScopedUsage } from '#console/access/scoped-usage.ts'
import type { Sessions } from '#console/access/sessions.ts'
import type { SetupTokens } from '#console/access/setup.ts'
import type { Users } from '#console/access/users.ts'
import type { Engine } from '#engine/engine.ts'
import type { PullOptions } from '#engine/files/pull.ts'
import type { Keys } from '#keys/keys.ts'
import type { Prices } from '#prices/prices.ts'
import type { Health } from '#routing/health.ts'
import type { Storage } from '#storage/database.ts'

import type { Route } from './route.ts'

/** An upstream, as far as an administrator looks at it. */
export interface SeenUpstream {
  readonly name: string
  listModels(signal: AbortSignal): Promise<readonly ModelCard[]>
}

/** What of the running gateway is administered. What a reload may change is asked for each time. */
export interface Administered {
  readonly storage: Storage
  readonly keys: Keys
  readonly budgets: Budgets
  readonly health: Pick<Health, 'states'>
  readonly prices: () => Pick<Prices, 'list'>
  readonly engine: () => Engine | undefined
  readonly upstreams: () => readonly SeenUpstream[]
  readonly models: () => Promise<readonly ModelCard[]>
  /** The config in force, as a value. */
  readonly config: () => unknown
  /** Why nothing can be answered, if that is so. */
  readonly failure: () => Error | undefined
  /** Where pulled models go, and by what environment; absent where there is no home. */
  readonly pulls?: Pick<PullOptions, 'folder' | 'environment'> | undefined
  /** The folder of all state, if there is one. */
  readonly home?: string | undefined
}

/** All that a route works with, but for what belongs to projects. */
export interface AdminParts extends Administered {
  readonly users: Users
  readonly sessions: Sessions
  readonly setup: SetupTokens
  readonly passwords: Passwords
  readonly attempts: Attempts
  readonly audit: AuditLog
  readonly reader: BooksReader
  /** Unix milliseconds. */
  readonly now: () => number
  /** How long a live stream waits between two looks, in milliseconds. */
  readonly liveEveryMs: number
  /** Whoever watches a live stream. */
  readonly watchers: Set<object>
  /** All routes, for whoever describes them. */
  readonly routes: () => Readonly<Record<string, Route>>
}

/** What belongs to projects, as one actor sees it. */
export interface ScopedData {
  readonly keys: ScopedKeys
  readonly projects: ScopedProjects
  readonly budgets: ScopedBudgets
  readonly usage: ScopedUsage
  readonly live: ScopedLive
}

/** The data of the projects of a scope. Routes have no other way to it. */
export function scopedData(parts: AdminParts, scope: Scope): ScopedData {
  return {
    keys: new ScopedKeys(parts, scope),
    projects: new ScopedProjects(parts, scope),
    budgets: new ScopedBudgets(parts, scope),
    usage: new ScopedUsage(parts, scope),
    live: new ScopedLive(parts, scope),
  }
}
