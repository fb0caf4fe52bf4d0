import { gzipSync } from 'node:zlib'

import type { ErrorCode } from '#chat/error.ts'
import { head, json, type Script, write } from '#test/scripted-upstream.ts'

import { errorBody, goodAnswer } from './answers.ts'
import type { Seen } from './seen.ts'
import type { UpstreamFault } from './upstream-fault.ts'

// An upstream that says by its status that it will not answer, and headers that are none of the caller's business.

/** What every status means; a status that is not here is told as its hundred is. */
const meanings: readonly (readonly [number, ErrorCode])[] = [
  [400, 'upstream-refused'],
  [401, 'upstream-unauthorised'],
  [402, 'upstream-busy'],
  [403, 'upstream-unauthorised'],
  [404, 'upstream-failed'],
  [405, 'upstream-failed'],
  [406, 'upstream-failed'],
  [407, 'upstream-unauthorised'],
  [408, 'upstream-timeout'],
  [409, 'upstream-refused'],
  [410, 'upstream-failed'],
  [411, 'upstream-refused'],
  [412, 'upstream-refused'],
  [413, 'upstream-refused'],
  [415, 'upstream-failed'],
  [418, 'upstream-refused'],
  [422, 'upstream-refused'],
  [423, 'upstream-refused'],
  [424, 'upstream-refused'],
  [425, 'upstream-refused'],
  [429, 'upstream-busy'],
  [431, 'upstream-refused'],
  [451, 'upstream-refused'],
  [498, 'upstream-overloaded'],
  [499, 'upstream-failed'],
  [500, 'upstream-failed'],
  [501, 'upstream-failed'],
  [502, 'upstream-failed'],
  [503, 'upstream-overloaded'],
  [504, 'upstream-timeout'],
  [507, 'upstream-failed'],
  [511, 'upstream-failed'],
  [520, 'upstream-failed'],
  [521, 'upstream-failed'],
  [522, 'upstream-timeout'],
  [524, 'upstream-timeout'],
  [529, 'upstream-overloaded'],
  [599, 'upstream-failed'],
]

const statuses: readonly UpstreamFault[] = meanings.map(([status, sees]) => ({
  name: `status-${status}`,
  kind: status < 500 ? '4xx' : '5xx',
  script: ({ protocol }) => json(status, errorBody(protocol, typeOf(status), `It is ${status}.`)),
  sees,
}))

/** The type that a messages upstream gives with a status. */
function typeOf(status: number): string {
  return types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
}

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

/** Successes and others that are no answer. */
const odd: readonly UpstreamFault[] = [204, 205, 304].map((status) => ({
  name: `status-${status}`,
  kind: '1xx-204-304',
  script: () => [write(head(status, { 'content-type': 'application/json' }))],
  sees: 'upstream-failed' as const,
}))

const switching: UpstreamFault = {
  name: 'status-101',
  kind: '1xx-204-304',
  script: () => [write(head(101, { upgrade: 'websocket', connection: 'upgrade' }))],
  sees: 'upstream-failed',
}

/** The path at which no request may ever arrive. */
export const canaryPath = '/canary'

const redirects: readonly UpstreamFault[] = [300, 301, 302, 303, 307, 308].flatMap((status) =>
  (['same-host', 'other-host', 'file', 'relative'] as const).map((where) => ({
    name: `status-${status}-${where}`,
    kind: '3xx',
    script: ({ request }) =>
      json(status, '', { location: targets[where](request.headers.get('host') ?? '') }),
    sees: 'upstream-failed' as const,
  })),
)

const targets = {
  'same-host': (host: string) => `http://${host}${canaryPath}`,
  'other-host': (host: string) => `http://localhost:${host.split(':')[1]}${canaryPath}`,
  file: () => 'file:///etc/passwd',
  relative: () => `${canaryPath}?x=1`,
} as const

/** Bodies of an error that nobody should be shown. */
const bodies: readonly UpstreamFault[] = [
  [
    'html',
    () =>
      json(500, '<html><body>secret stack trace</body></html>', { 'content-type': 'text/html' }),
  ],
  [
    'html-400',
    () =>
      json(400, '<!doctype html><html>secret stack trace</html>', { 'content-type': 'text/html' }),
  ],
  ['empty', () => json(500, '')],
  ['half-json', () => json(500, '{"error":{"message":"secret stack tr')],
  ['array', () => json(500, [])],
  ['null', () => json(500, 'null')],
  ['error-null', () => json(500, { error: null })],
  ['error-number', () => json(500, { error: 7 })],
  ['error-deep', () => json(500, '['.repeat(100_000))],
  ['message-number', () => json(500, { error: { message: 5, type: 6, code: {} } })],
  ['huge', () => json(500, { error: { message: 'x'.repeat(4_000_000), type: 't' } })],
  [
    'not-utf8',
    () => [write(head(500, { 'content-length': '4' })), write(new Uint8Array([255, 254, 0, 200]))],
  ],
  [
    'gzip',
    () => gzipped(500, { error: { message: 'It failed.', type: 't', param: null, code: null } }),
  ],
  ['gzip-lie', () => json(500, { error: { message: 'x' } }, { 'content-encoding': 'gzip' })],
].map(([name, script]) => ({
  name: `error-body-${String(name)}`,
  kind: 'error-body',
  script: script as () => Script,
  sees: name === 'html-400' ? 'upstream-refused' : 'upstream-failed',
  inspect: ({ response }) => {
    const size = response?.body.length ?? 0
    if (size > 16_384) return `was sent ${size} bytes of the upstream's error`
    return response?.body.includes('secret stack') === true
      ? "was shown the upstream's page"
      : undefined
  },
}))

const leaks: readonly UpstreamFault[] = [400, 401, 403, 404, 422, 429, 500, 529].map((status) => ({
  name: `error-repeats-the-key-${status}`,
  kind: 'secrets',
  script: ({ protocol, request }) => {
    const shown = request.headers.get('authorization') ?? request.headers.get('x-api-key') ?? ''
    return json(status, errorBody(protocol, typeOf(status), `Incorrect key provided: ${shown}.`))
  },
  sees: meanings.find(([known]) => known === status)?.[1] ?? 'upstream-failed',
}))

/** Forms of a wait, and whether it can be passed on to the caller. */
const waits: readonly (readonly [
  name: string,
  headers: Readonly<Record<string, string>>,
  seconds: number | undefined,
])[] = [
  ['none', {}, undefined],
  ['seconds', { 'retry-after': '7' }, 7],
  ['zero', { 'retry-after': '0' }, 1],
  ['fraction', { 'retry-after': '1.5' }, 2],
  ['milliseconds', { 'retry-after-ms': '2500' }, 3],
  ['date-past', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 1],
  ['date-garbage', { 'retry-after': 'next tuesday' }, undefined],
  ['negative', { 'retry-after': '-5' }, undefined],
  ['minute', { 'retry-after': '60' }, 60],
  ['hour', { 'retry-after': '3600' }, undefined],
  ['ten-days', { 'retry-after': '864000' }, undefined],
  ['huge', { 'retry-after': '9'.repeat(400) }, undefined],
  ['words', { 'retry-after': 'soon' }, undefined],
  ['empty', { 'retry-after': '' }, undefined],
  ['twice', { 'retry-after': '5, 9' }, undefined],
  ['hex', { 'retry-after': '0x10' }, undefined],
]

const busy: readonly UpstreamFault[] = [429, 503].flatMap((status) =>
  waits.map(([name, headers, seconds]) => ({
    name: `${status}-retry-after-${name}`,
    kind: '429-retry-after',
    script: ({ protocol }) =>
      json(status, errorBody(protocol, 'rate_limit_error', 'Slow down.'), headers),
    sees: status === 429 ? ('upstream-busy' as const) : ('upstream-overloaded' as const),
    inspect: (seen: Seen) => (seen.ending === 'refused' ? wrongWait(seen, seconds) : undefined),
  })),
)

/** No client is ever asked to sleep for more than a minute, and every wait that is told is a whole number of seconds. */
function wrongWait({ response }: Seen, seconds: number | undefined): string | undefined {
  const said = response?.headers.get('retry-after')
  if (said !== undefined && !(Number(said) >= 1 && Number(said) <= 60))
    return `was told to wait ${said}`
  if (seconds === undefined) return said === undefined ? undefined : `was told to wait ${said}`
  return said === String(seconds) ? undefined : `was told to wait ${said}, not ${seconds}`
}

/** Headers of an answer that must not go through, one to a row. */
const unwanted: readonly (readonly [name: string, line: string])[] = [
  ['set-cookie', 'set-cookie: session=1; Path=/'],
  ['server', 'server: nginx'],
  ['powered-by', 'x-powered-by: Express'],
  ['hop-by-hop', 'connection: x-hop\r\nx-hop: 1'],
  ['keep-alive', 'keep-alive: timeout=5'],
  ['upgrade', 'upgrade: h2c'],
  ['proxy-authenticate', 'proxy-authenticate: Basic'],
  ['www-authenticate', 'www-authenticate: Bearer'],
  ['cors', 'access-control-allow-origin: *'],
  ['location', 'location: http://evil.example'],
  ['refresh', 'refresh: 0; url=http://evil.example'],
  ['own-target', 'x-parley-target: forged/target'],
  ['own-notes', 'x-parley-notes: forged'],
  ['own-request-id', 'x-request-id: forged'],
  ['own-retry', 'x-should-retry: true'],
  ['proto', '__proto__: x\r\nconstructor: y'],
  ['long', `x-long: ${'a'.repeat(12_000)}`],
  ['many', Array.from({ length: 90 }, (_, index) => `x-many-${index}: 1`).join('\r\n')],
  ['alt-svc', 'alt-svc: h3=":443"'],
  ['hsts', 'strict-transport-security: max-age=1'],
  ['clear-site-data', 'clear-site-data: "*"'],
  ['limit-evil', 'x-ratelimit-limit-requests: 1\u0001'],
]

const headerFaults: readonly UpstreamFault[] = unwanted.map(([name, line]) => ({
  name: `header-${name}`,
  kind: 'header-injection',
  script: ({ protocol, isStream }) => withHeader(goodAnswer(protocol, isStream), line),
  sees: name === 'limit-evil' ? 'upstream-failed' : 'whole',
  inspect: ({ response }) => strangerIn(response?.headers ?? new Map()),
}))

/** Every header that an answer of the gateway may have. */
const known =
  /^(x-request-id|request-id|x-upstream-request-id|content-type|content-length|transfer-encoding|date|cache-control|x-accel-buffering|x-parley-(target|notes)|server-timing|connection|x-should-retry|retry-after(-ms)?|(x-ratelimit|anthropic-ratelimit|anthropic-priority)-[a-z-]+|openai-processing-ms|anthropic-organization-id)$/

function strangerIn(headers: ReadonlyMap<string, string>): string | undefined {
  for (const [name, value] of headers) {
    if (!known.test(name)) return `was sent the header ${name}`
    if (value.includes('forged') && name !== 'x-upstream-request-id') return `${name} was forged`
  }
  return undefined
}

function withHeader(script: Script, line: string): Script {
  const [first, ...rest] = script
  if (first?.type !== 'write') return script
  const bytes = Buffer.from(first.bytes)
  const at = bytes.indexOf('\r\n') + 2
  return [
    write(
      Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(`${line}\r\n`, 'latin1'),
        bytes.subarray(at),
      ]),
    ),
    ...rest,
  ]
}

function gzipped(status: number, body: unknown): Script {
  const bytes = gzipSync(JSON.stringify(body))
  const headers = {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'content-length': `${bytes.length}`,
  }
  return [write(head(status, headers)), write(bytes)]
}

export const statusFaults: readonly UpstreamFault[] = [
  ...statuses,
  ...odd,
  switching,
  ...redirects,
  ...bodies,
  ...leaks,
  ...busy,
  ...headerFaults,
]
