import type { ProtocolName } from '#chat/names.ts'
import { type Origin, originOf } from '#upstreams/network/reachable.ts'

import type { Dialect, Endpoint } from './vendor.ts'

/** Where the endpoints of an upstream are. */
export interface Endpoints {
  /** Undefined where the upstream has no such endpoint. */
  urlOf(endpoint: Endpoint, model: string): string | undefined
  /** The host alone, for messages to callers. */
  readonly host: string
  readonly origin: Origin
}

export interface EndpointOptions {
  readonly url: string
  readonly protocol: ProtocolName
  readonly dialect?: Pick<Dialect, 'paths' | 'query'>
  /** What an operator adds to every URL. */
  readonly query?: Readonly<Record<string, string>> | undefined
}

const protocolPaths: Readonly<Record<ProtocolName, Partial<Record<Endpoint, string>>>> = {
  'chat-completions': {
    chat: '/chat/completions',
    embeddings: '/embeddings',
    models: '/models',
  },
  messages: {
    chat: '/v1/messages',
    count: '/v1/messages/count_tokens',
    models: '/v1/models?limit=1000',
  },
}

/**
 * The endpoints below a base URL. The base is understood as that protocol's SDK takes it (with `/v1` for chat
 * completions, without for messages), in the other form, and as the URL of the endpoint itself.
 * Throws a `TypeError` that says what is wrong with the URL.
 */
export function endpointsAt(options: EndpointOptions): Endpoints {
  const { url, protocol, dialect = {}, query: operatorQuery } = options
  const base = parseBase(url)
  const given = base.pathname.replace(/\/+$/, '').replace(/\/(chat\/completions|messages)$/, '')
  // A vendor's own paths start at its bare address; whoever writes a path means the usual ones below it.
  const hasOwnPaths = dialect.paths !== undefined && given === ''
  const prefix = hasOwnPaths ? '' : prefixOf(given, protocol)
  const paths = { ...protocolPaths[protocol], ...(hasOwnPaths ? dialect.paths : {}) }
  const query = new URLSearchParams({
    ...(hasOwnPaths ? dialect.query : {}),
    ...Object.fromEntries(base.searchParams),
    ...operatorQuery,
  })
  const templates = new Map(
    Object.entries(paths).map(([endpoint, path]) => [
      endpoint,
      withQuery(`${base.origin}${prefix}${path}`, query),
    ]),
  )
  return {
    host: base.host,
    origin: originOf(base.origin),
    urlOf: (endpoint, model) =>
      templates.get(endpoint)?.replace('{model}', () => encodeURIComponent(model)),
  }
}

function prefixOf(path: string, protocol: ProtocolName): string {
  if (protocol === 'messages') return path.replace(/\/v1$/, '')
  return path === '' ? '/v1' : path
}

function parseBase(url: string): URL {
  const base = URL.canParse(url) ? new URL(url) : undefined
  if (base === undefined || !/^https?:$/.test(base.protocol))
    throw new TypeError('`url` must be an http or https URL, such as http://10.0.0.5:8000/v1')
  if (base.username !== '' || base.password !== '')
    throw new TypeError('`url` must not hold a user name or password; use `key` or `headers`')
  if (/^(169\.254\.|\[fe[89ab]|\[::ffff:a9fe:|metadata\.google\.internal$)/i.test(base.hostname))
    throw new TypeError('`url` must not be a link-local address: cloud metadata lives there')
  return base
}

function withQuery(url: string, query: URLSearchParams): string {
  if (query.size === 0) return url
  return `${url}${url.includes('?') ? '&' : '?'}${query.toString()}`
}
