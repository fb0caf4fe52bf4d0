import type { ProtocolName } from '#chat/names.ts'
import type { Protocol } from '#protocols/protocol.ts'
import { Secret } from '#std/secret.ts'
import { isVendorName } from '#upstreams/vendors/vendors.ts'

import { buildRemote } from './build-remote.ts'
import type { RemoteUpstream } from './remote.ts'

/** An upstream that is in no config, as somebody describes it who wants to know whether it would answer. */
export interface TrialSettings {
  readonly name: string
  readonly vendor?: string | undefined
  readonly protocol?: ProtocolName | undefined
  readonly url?: string | undefined
  readonly key?: string | undefined
}

/** Builds it, for one question and no exchange. Throws a `TypeError` that says what is wrong with the settings. */
export function trialUpstream(
  { vendor, key, ...settings }: TrialSettings,
  protocols: Readonly<Record<ProtocolName, Protocol>>,
): RemoteUpstream {
  if (vendor !== undefined && !isVendorName(vendor))
    throw new TypeError(`there is no \`vendor\` of the name ${vendor}`)
  return buildRemote(
    { ...settings, vendor, ...(key !== undefined && { key: new Secret(key) }) },
    protocols,
  )
}
