import type { Budgets } from '#budgets/budgets.ts'
import type { ModelCard } from '#chat/model-card.ts'
import type { ProtocolName, UpstreamModel } from '#chat/names.ts'
import type { TargetModel } from '#chat/target.ts'
import type { Attempts } from '#console/access/attempts.ts'
import type { AuditLog } from '#console/access/audit.ts'
import type { BooksReader } from '#console/access/books-reader.ts'
import type { Passwords } from '#console/access/passwords.ts'
import type { PlaygroundKeys } from '#console/access/playground-keys.ts'
import type { Scope } from '#console/access/role.ts'
import { ScopedBudgets } from '#console/access/scoped-budgets.ts'
import { ScopedKeys } from '#console/access/scoped-keys.ts'
import { ScopedLive } from '#console/access/scoped-live.ts'
import { ScopedProjects } from '#console/access/scoped-projects.ts'
import { ScopedUsage } from '#console/access/scoped-usage.ts'
import type { Sessions } from '#console/access/sessions.ts'
import type { SetupTokens } from '#console/access/setup.ts'
import type { Users } from '#console/access/users.ts'
import type { ContentLog } from '#content/content-log.ts'
import type { Engine } from '#engine/engine.ts'
import type { PullOptions } from '#engine/files/pull.ts'
import type { Keys } from '#keys/keys.ts'
import type { Prices } from '#prices/prices.ts'
import type { Health } from '#routing/health.ts'
import type { ServedModel } from '#routing/served-models.ts'
import type { Secret } from '#std/secret.ts'
import type { Storage } from '#storage/database.ts'

import type { Route } from './route.ts'

/** An upstream, as far as an administrator looks at it. */
export interface SeenUpstream {
  readonly name: string
  target(model: UpstreamModel): TargetModel
  listModels(signal: AbortSignal): Promise<readonly ModelCard[]>
  /** Asks it although the config names its models. */
  askModels?(signal: AbortSignal): Promise<readonly ModelCard[]>
}

/** What whoever adds an upstream is offered. */
export interface OfferedVendor {
  readonly name: string
  readonly speaks: readonly { readonly protocol: ProtocolName; readonly url: string | null }[]
  readonly keyVariable: string | null
}

/** An upstream that is in no config. */
export interface TriedUpstream {
  readonly name: string
  readonly vendor?: string | undefined
  readonly protocol?: ProtocolName | undefined
  readonly url?: string | undefined
  readonly key?: string | undefined
}

/** Where the config comes from: of what is not named, the default is in force. */
export interface ConfigOrigins {
  readonly path: string | undefined
  readonly origins: readonly {
    readonly path: readonly string[]
    readonly from: 'file' | 'environment' | 'command-line'
  }[]
}

/** What Prometheus is told. */
export interface Metrics {
  /** What whoever asks has to show, if the config says so. */
  token(): Secret | undefined
  /** Undefined while metrics are switched off. */
  exposition(): Promise<{ readonly contentType: string; readonly text: string } | undefined>
}

/** What of the running gateway is administered. What a reload may change is asked for each time. */
export interface Administered {
  readonly storage: Storage
  readonly keys: Keys
  readonly budgets: Budgets
  /** Deletes what is kept of what was said. */
  readonly content: Pick<ContentLog, 'erase'>
  readonly health: Pick<Health, 'states'>
  readonly prices: () => Pick<Prices, 'list' | 'of'>
  readonly engine: () => Engine | undefined
  readonly upstreams: () => readonly SeenUpstream[]
  readonly models: () => Promise<readonly ServedModel[]>
  readonly vendors: () => readonly OfferedVendor[]
  /** One that is in no config, to be asked something. Throws a `TypeError` that says what is wrong with it. */
  readonly trial: (tried: TriedUpstream) => SeenUpstream
  /** The config in force, as a value. */
  readonly config: () => unknown
  /** Its file, and who said what of it, where that is known. */
  readonly configOrigins: () => ConfigOrigins | undefined
  /** Why nothing can be answered, if that is so. */
  readonly failure: () => Error | undefined
  readonly metrics: Metrics
  /** Where clients on this machine reach the gateway: an origin, with no path. */
  readonly gatewayUrl: () => string
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
  readonly playgroundKeys: PlaygroundKeys
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
