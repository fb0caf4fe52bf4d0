import type { ProtocolName } from '#chat/names.ts'
import type { Profile } from '#chat/profile.ts'
import {
  decodeEmbeddingReply,
  encodeEmbeddingRequest,
} from '#protocols/chat-completions/embeddings.ts'
import {
  decodeCountReply,
  encodeCountRequest,
} from '#protocols/messages/encode-request/ask-count.ts'
import type { Protocol } from '#protocols/protocol.ts'
import type { Secret } from '#std/secret.ts'
import type { EmbeddingCodec } from '#upstreams/answers/embed-in-batches.ts'
import { type Deadlines, defaultDeadlines } from '#upstreams/network/deadlines.ts'
import { type Endpoints, endpointsAt } from '#upstreams/vendors/endpoint-url.ts'
import type { AuthForm, Dialect, ModelProfiles, Vendor } from '#upstreams/vendors/vendor.ts'
import { type VendorName, vendorNamed } from '#upstreams/vendors/vendors.ts'

import { type CountCodec, RemoteUpstream } from './remote.ts'

/** What an operator says of an upstream. Whatever is left out comes from the vendor's data or the protocol's defaults. */
export interface RemoteSettings {
  readonly name: string
  readonly vendor?: VendorName | undefined
  readonly protocol?: ProtocolName | undefined
  readonly url?: string | undefined
  readonly key?: Secret | undefined
  readonly auth?: AuthForm | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly query?: Readonly<Record<string, string>> | undefined
  readonly profile?: Partial<Profile> | undefined
  readonly models?: ModelProfiles | undefined
  readonly deadlines?: Partial<Deadlines> | undefined
  readonly serves?: readonly string[] | undefined
}

/** Builds an upstream. Throws a `TypeError` for settings that `problemWith` finds wanting. */
export function buildRemote(
  settings: RemoteSettings,
  protocols: Readonly<Record<ProtocolName, Protocol>>,
): RemoteUpstream {
  const { vendor, protocol, dialect, endpoints } = resolve(settings)
  return new RemoteUpstream({
    name: settings.name,
    vendor: settings.vendor,
    protocol: protocols[protocol],
    endpoints,
    auth: settings.auth ?? dialect.auth ?? usualAuth[protocol],
    key: settings.key,
    headers: settings.headers ?? {},
    profiles: [dialect, { profile: settings.profile, models: settings.models }],
    deadlines: { ...defaultDeadlines, ...settings.deadlines },
    embeddings: protocol === 'chat-completions' ? embeddingCodec : undefined,
    counting: protocol === 'messages' ? countCodec : undefined,
    serves: settings.serves,
    claims: vendor.claims ?? [],
    hides: vendor.hides ?? [],
    listPrefix: vendor.listPrefix ?? '',
  })
}

/** What is missing or wrong in the settings of an upstream, as an operator is told it; undefined if nothing is. */
export function problemWith(settings: RemoteSettings): string | undefined {
  try {
    resolve(settings)
    return undefined
  } catch (error) {
    if (error instanceof TypeError) return error.message
    throw error
  }
}

interface Resolved {
  readonly vendor: Vendor
  readonly protocol: ProtocolName
  readonly dialect: Dialect
  readonly endpoints: Endpoints
}

function resolve(settings: RemoteSettings): Resolved {
  const vendor = settings.vendor === undefined ? noVendor : vendorNamed(settings.vendor)
  const protocol = protocolOf(settings, vendor)
  const dialect: Dialect = vendor.speaks[protocol] ?? {}
  const url = settings.url ?? dialect.url
  if (url === undefined) throw new TypeError('needs a `url`: every installation has its own')
  const endpoints = endpointsAt({ url, protocol, dialect, query: settings.query })
  return { vendor, protocol, dialect, endpoints }
}

const noVendor: Vendor = { speaks: {} }

const usualAuth: Readonly<Record<ProtocolName, AuthForm>> = {
  'chat-completions': 'bearer',
  messages: 'x-api-key',
}

const embeddingCodec: EmbeddingCodec = {
  // Embeddings are asked for and given in one protocol, so what we do not know may be known there.
  encodeRequest: (request, target) =>
    encodeEmbeddingRequest(request, target.model, { forwardUnknown: true }),
  decodeReply: (text, { inputs, encoding }) => decodeEmbeddingReply(text, inputs.length, encoding),
}

const countCodec: CountCodec = {
  encodeRequest: encodeCountRequest,
  decodeReply: decodeCountReply,
}

function protocolOf({ vendor: name, protocol, url }: RemoteSettings, vendor: Vendor): ProtocolName {
  const spoken = (['chat-completions', 'messages'] as const).filter((one) => one in vendor.speaks)
  const chosen = protocol ?? spoken[0]
  if (chosen === undefined) throw new TypeError('needs a `vendor`, or a `protocol` and a `url`')
  if (spoken.length > 0 && !spoken.includes(chosen) && url === undefined)
    throw new TypeError(
      `\`${name}\` does not speak \`${chosen}\` that we know of; give its \`url\``,
    )
  return chosen
}
