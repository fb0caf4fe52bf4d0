import type { ProtocolName } from '#chat/names.ts'

import type { Vendor } from './vendor.ts'
import { vendorNamed, vendorNames } from './vendors.ts'

/** What whoever adds an upstream has to know of a vendor. */
export interface VendorFacts {
  readonly name: string
  /** How it can be spoken to, the usual way first, with the URL where every installation has the same one. */
  readonly speaks: readonly { readonly protocol: ProtocolName; readonly url: string | null }[]
  /** The environment variable in which its key is usually kept; null where it needs none. */
  readonly keyVariable: string | null
}

/** Every vendor, in the order in which they are offered. */
export function vendorFacts(): readonly VendorFacts[] {
  return vendorNames.map((name) => {
    const { speaks, keyVariable }: Vendor = vendorNamed(name)
    const ways = (['chat-completions', 'messages'] as const).flatMap((protocol) => {
      const dialect = speaks[protocol]
      return dialect === undefined ? [] : [{ protocol, url: dialect.url ?? null }]
    })
    return { name, speaks: ways, keyVariable: keyVariable ?? null }
  })
}
