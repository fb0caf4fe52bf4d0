import { buildRemote, type RemoteSettings } from '#upstreams/build-remote.ts'
import type { Upstream } from '#upstreams/upstream.ts'

import { Catalogue } from './catalogue.ts'
import type { Alias } from './router.ts'

/** What can be asked for, and who answers. */
export interface Offer {
  readonly upstreams: readonly Upstream[]
  readonly aliases: readonly Alias[]
  readonly catalogue: Catalogue
}

/** What an operator says of it, by name. */
interface Said {
  readonly upstreams: Readonly<Record<string, Omit<RemoteSettings, 'name'>>>
  readonly models: Readonly<Record<string, Omit<Alias, 'name'>>>
}

interface Besides {
  /** Upstreams that were found, for a config that names none. */
  readonly discovered: readonly RemoteSettings[]
  readonly protocols: Parameters<typeof buildRemote>[1]
  /** The gateway's own. */
  readonly own: readonly Upstream[]
}

/** The upstreams, the names of the config, and the list of models that they make together. */
export function offered(said: Said, { discovered, protocols, own }: Besides): Offer {
  const remotes = settingsOf(said, discovered).map((settings) => buildRemote(settings, protocols))
  const upstreams = [...remotes, ...own]
  const aliases = Object.entries(said.models).map(([name, alias]) => ({ name, ...alias }))
  const catalogue = new Catalogue({ upstreams, aliases: aliases.map(({ name }) => name) })
  return { upstreams, aliases, catalogue }
}

/** What was found stands in for what nobody configured: it ends with the first upstream that somebody does. */
function settingsOf(
  { upstreams }: Said,
  discovered: readonly RemoteSettings[],
): readonly RemoteSettings[] {
  const configured = Object.entries(upstreams).map(([name, settings]) => ({ ...settings, name }))
  return configured.length > 0 ? configured : discovered
}
