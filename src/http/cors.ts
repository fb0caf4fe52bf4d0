/** Which origins a browser may call from: none, some, or `*`. */
export interface CorsRules {
  readonly origins: readonly string[]
}

const exposed = [
  'x-request-id',
  'request-id',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'x-parley-target',
  'x-parley-notes',
  'x-parley-route',
  'x-parley-rescue',
  'x-parley-content-logging',
  'server-timing',
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].flatMap((kind) =>
    ['limit', 'remaining', 'reset'].flatMap((what) => [
      `x-ratelimit-${what}-${kind}`,
      `anthropic-ratelimit-${kind}-${what}`,
    ]),
  ),
].join(', ')

const none: ReadonlyMap<string, string> = new Map()

/** The headers that let a page of an allowed origin read a response. Empty for everybody else. */
export function corsHeaders(rules: CorsRules, request: Headers): ReadonlyMap<string, string> {
  if (rules.origins.length === 0) return none
  const origin = request.get('origin')
  if (origin === null) return none
  const isAllowed = rules.origins.includes('*') || rules.origins.includes(origin)
  if (!isAllowed) return none
  return new Map([
    ['access-control-allow-origin', origin],
    ['access-control-expose-headers', exposed],
    ['vary', 'origin'],
  ])
}

/** Answers a browser's question before its request. The headers asked for are echoed: `*` would not cover `authorization`. */
export function preflight(
  cors: ReadonlyMap<string, string>,
  { asked, headers }: { readonly asked: Headers; readonly headers: Headers },
): Response {
  if (cors.size > 0) {
    headers.set('access-control-allow-methods', 'GET, POST, OPTIONS')
    headers.set('access-control-allow-headers', asked.get('access-control-request-headers') ?? '')
    headers.set('access-control-max-age', '600')
  }
  return new Response(null, { status: 204, headers })
}
