import type { ProtocolName } from '#chat/names.ts'
import type { Profile } from '#chat/profile.ts'

/** How a key is shown: `Authorization: Bearer`, `x-api-key`, `api-key`, or not at all. */
export type AuthForm = 'bearer' | 'x-api-key' | 'api-key' | 'none'

/** Overrides for the models whose names fit a glob; later ones win. */
export type ModelProfiles = Readonly<Record<string, Partial<Profile>>>

/** What an upstream is asked for. */
export type Endpoint = 'chat' | 'embeddings' | 'models' | 'count'

/** How a vendor speaks one protocol. */
export interface Dialect {
  /** The base as that protocol's SDK takes it. Absent where every installation has its own. */
  readonly url?: string
  readonly auth?: AuthForm
  readonly profile?: Partial<Profile>
  readonly models?: ModelProfiles
  /** Paths other than the protocol's own, below the base; `{model}` stands for the model. */
  readonly paths?: Partial<Record<Endpoint, string>>
  readonly query?: Readonly<Record<string, string>>
}

/** A vendor is data. What a name here brings, an operator can also write in the config. */
export interface Vendor {
  /** How it is spoken to; the first is the one that is used unless the operator names the other. */
  readonly speaks: Partial<Record<ProtocolName, Dialect>>
  /** The environment variable in which its key is usually kept. */
  readonly keyVariable?: string
  /** The port on which a local one usually listens. */
  readonly port?: number
  /** Globs of the models that it is known for, for names that no list has. */
  readonly claims?: readonly string[]
  /** Globs of listed models that neither answer chats nor embed. */
  readonly hides?: readonly string[]
  /** What its list puts before every name, and its requests may leave out. */
  readonly listPrefix?: string
}
