import type { ProtocolName } from '#chat/names.ts'
import type { Incoming, Job } from '#exchange.ts'

export interface Route {
  readonly job: Job | 'health'
  /** The word that a key's policy has for it. */
  readonly endpoint: Incoming['endpoint']
  readonly methods: readonly string[]
  /** Whose words failures are in. `either`: the version header decides. */
  readonly protocol: ProtocolName | 'either'
  /** The model that the path names. */
  readonly modelId?: string
}

const read = ['GET', 'HEAD']

const chat = { job: 'chat', methods: ['POST'] } as const
const table: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/v1/chat/completions', { ...chat, endpoint: 'chat-completions', protocol: 'chat-completions' }],
  ['/v1/messages', { ...chat, endpoint: 'messages', protocol: 'messages' }],
  [
    '/v1/embeddings',
    { job: 'embed', endpoint: 'embeddings', methods: ['POST'], protocol: 'chat-completions' },
  ],
  [
    '/v1/messages/count_tokens',
    { job: 'count', endpoint: 'count-tokens', methods: ['POST'], protocol: 'messages' },
  ],
  ['/v1/models', { job: 'list-models', endpoint: 'models', methods: read, protocol: 'either' }],
  ['/healthz', { job: 'health', endpoint: 'models', methods: read, protocol: 'either' }],
])

const modelPrefix = '/v1/models/'

/** The route of a request target, or undefined. Forms that people get wrong are understood (`cleaned`). */
export function routeOf(url: string): Route | undefined {
  const path = pathOf(url)
  return table.get(path) ?? modelRoute(path) ?? routeOfClean(cleaned(path))
}

/** The path of a URL as Bun gives it: whole, or from the path on if the caller's `Host` is no host. */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  const query = url.indexOf('?', start)
  return query === -1 ? url.slice(start) : url.slice(start, query)
}

/** The query of a URL. */
export function queryOf(url: string): URLSearchParams {
  const query = url.indexOf('?')
  return new URLSearchParams(query === -1 ? '' : url.slice(query + 1))
}

function routeOfClean(path: string): Route | undefined {
  return table.get(path) ?? modelRoute(path)
}

function modelRoute(path: string): Route | undefined {
  if (!path.startsWith(modelPrefix) || path.length === modelPrefix.length) return undefined
  return {
    job: 'show-model',
    endpoint: 'models',
    methods: read,
    protocol: 'either',
    modelId: decoded(path.slice(modelPrefix.length)),
  }
}

/**
 * The path that a misconfigured base URL meant: doubled slashes, a slash at the end, no `/v1` or two of them,
 * or a prefix that tells the protocol.
 */
function cleaned(path: string): string {
  const single = path.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
  const bare = single.replace(/^\/(?:anthropic|openai)(?=\/)/, '').replace(/^(?:\/v1)+(?=\/)/, '')
  return `/v1${bare}`
}

/** An id may hold slashes, raw or encoded; what is no valid encoding is taken as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray percent sign: then it is part of the name.
    return text
  }
}
