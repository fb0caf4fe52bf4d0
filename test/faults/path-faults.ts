import { type ClientFault, clientFaults, type Kit } from './client-fault.ts'
import { say } from './raw-client.ts'
import { shapes } from './smuggling-faults.ts'

// Hosts and paths that are meant to be taken for others.

const hosts = shapes(
  'host',
  (
    [
      ['missing', []],
      ['empty', ['host:']],
      ['two', ['host: gateway', 'host: evil.example']],
      ['two-alike', ['host: gateway', 'host: gateway']],
      ['with-path', ['host: gateway/v1/models?x']],
      ['with-query', ['host: gateway?x=/v1/models']],
      ['with-fragment', ['host: gateway#/v1/models']],
      ['with-user', ['host: user:pass@gateway']],
      ['with-backslash', ['host: gateway\\v1\\models']],
      ['with-blank', ['host: gate way']],
      ['with-comma', ['host: gateway, evil.example']],
      ['bad-ipv6', ['host: [::1']],
      ['bad-port', ['host: gateway:99999999']],
      ['with-nul', ['host: gate\u0000way']],
      ['very-long', [`host: ${'h'.repeat(10_000)}`]],
    ] as const
  ).map(([name, lines]) => [
    `host-${name}`,
    (kit) => kit.request({ lines, headers: { host: undefined }, body: kit.poison() }),
  ]),
  // Never the answer to what the body hides, and never to a path that the host names.
  { hits: 0, row: ['none'], status: [[400, 404, 431]] },
)

/** Ways to write a path so that one reader takes it for another than the next does. */
const mutations: readonly (readonly [name: string, (path: string) => string])[] = [
  ['double-slash', (path) => `/${path}`],
  ['triple-slash', (path) => `//${path}`],
  ['slash-at-the-end', (path) => `${path}/`],
  ['dot-at-the-end', (path) => `${path}/.`],
  ['dots-at-the-end', (path) => `${path}/..`],
  ['dot-inside', (path) => path.replace('/v1/', '/v1/./')],
  ['up-and-down', (path) => path.replace('/v1/', '/v1/x/../')],
  ['up-beyond', (path) => `/../..${path}`],
  ['dot-encoded', (path) => path.replace('/v1/', '/v1/%2e/')],
  ['dots-encoded', (path) => path.replace('/v1/', '/v1/x/%2e%2e/')],
  ['slash-encoded', (path) => path.replace('/v1/', '/v1%2f')],
  ['slash-encoded-upper', (path) => path.replace('/v1/', '/v1%2F')],
  ['slash-encoded-twice', (path) => path.replace('/v1/', '/v1%252f')],
  ['letter-encoded', (path) => path.replace('/v1', '/%761')],
  ['letter-encoded-twice', (path) => path.replace('/v1', '/%25761')],
  ['backslash', (path) => path.replaceAll('/', '\\')],
  ['backslash-first', (path) => `\\${path}`],
  ['backslash-encoded', (path) => path.replace('/v1/', '/v1%5c')],
  ['upper-case', (path) => path.toUpperCase()],
  ['mixed-case', (path) => path.replace('v1', 'V1')],
  ['semicolon', (path) => `${path};x=y`],
  ['semicolon-inside', (path) => path.replace('/v1/', '/v1;x/')],
  ['nul-encoded', (path) => `${path}%00`],
  ['nul-encoded-more', (path) => `${path}%00.json`],
  ['overlong-slash', (path) => path.replace('/v1/', '/v1%c0%af')],
  ['overlong-dot', (path) => path.replace('/v1/', '/v1/%c0%ae/')],
  ['fullwidth-slash', (path) => path.replace('/v1/', '/v1%ef%bc%8f')],
  ['raw-utf-8', (path) => `${path}\u00e9`],
  ['blank-encoded', (path) => `${path}%20`],
  ['plus', (path) => `${path}+`],
  ['tab-encoded', (path) => `${path}%09`],
  ['crlf-encoded', (path) => `${path}%0d%0ax-injected:%20yes`],
  ['bad-encoding', (path) => `${path}%zz`],
  ['half-encoding', (path) => `${path}%`],
  ['unicode-encoding', (path) => path.replace('/v1/', '/v1%u2215')],
  ['extension', (path) => `${path}.json`],
  ['no-slash', (path) => path.slice(1)],
  ['query-in-front', (path) => `/?${path}`],
  ['query-encoded', (path) => `${path}%3fx`],
  ['fragment', (path) => `${path}#/v1/models`],
  ['at', (path) => `@${path}`],
  ['scheme-relative', (path) => `//gateway${path}`],
  ['other-scheme', (path) => `ftp://gateway${path}`],
  ['file-scheme', (path) => `file://${path}`],
  ['admin', () => '/admin'],
  ['admin-api', () => '/api/keys'],
  ['metrics', () => '/metrics'],
  ['debug', () => '/debug/pprof'],
  ['dot-env', () => '/.env'],
  ['dot-git', () => '/.git/config'],
  ['internals', () => '/_bun/client'],
  ['prototype', () => '/__proto__'],
]

const pathsTaken = clientFaults(
  {
    kind: 'path-confusion',
    patienceMs: 700,
    due: { status: [[400, 401, 404, 405]], row: ['none'], hits: 0 },
  },
  mutations.map(([name, change]) => ({
    name: `path-${name}`,
    steps: (kit: Kit) => [
      say(kit.request({ path: change(kit.path), headers: { authorization: undefined } })),
    ],
  })),
)

export const pathFaults: readonly ClientFault[] = [...hosts, ...pathsTaken]
