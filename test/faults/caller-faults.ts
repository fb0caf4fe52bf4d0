import { asking, type ClientFault, clientFaults, type Due, refused, whole } from './client-fault.ts'

// Requests that ask in the wrong way, with the wrong key or version, or in words that are meant for a log.

const methods = clientFaults({ kind: 'wrong-method', due: refused(405) }, [
  ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'].map((method) => ({
    name: `method-${method}`,
    steps: asking({ method }),
  })),
  ...['TRACE', 'CONNECT', 'FOO', 'post', 'PRI', 'PROPFIND', 'G\u0000T'].map((method) => ({
    name: `method-${method.replace('\u0000', 'nul')}`,
    steps: asking({ method }),
    due: { row: ['none'], hits: 0, status: [[400, 404, 405, 501, 505]] } satisfies Due,
  })),
])

const credentials = clientFaults({ kind: 'credentials', due: refused(401) }, [
  { name: 'no-key', steps: asking({ headers: { authorization: undefined } }) },
  { name: 'empty-bearer', steps: asking({ headers: { authorization: 'Bearer ' } }) },
  {
    name: 'bearer-without-blank',
    steps: asking(({ key }) => ({ headers: { authorization: `Bearer${key}` } })),
  },
  {
    name: 'basic',
    steps: asking(({ key }) => ({ headers: { authorization: `Basic ${btoa(`x:${key}`)}` } })),
  },
  { name: 'bare-key', steps: asking(({ key }) => ({ headers: { authorization: key } })) },
  {
    name: 'key-in-the-query',
    steps: asking(({ key, path }) => ({
      path: `${path}?key=${key}&api_key=${key}`,
      headers: { authorization: undefined },
    })),
  },
  {
    name: 'key-in-a-cookie',
    steps: asking(({ key }) => ({ headers: { authorization: undefined, cookie: `key=${key}` } })),
  },
  {
    name: 'key-cut',
    steps: asking(({ key }) => ({ headers: { authorization: `Bearer ${key.slice(0, -1)}` } })),
  },
  {
    name: 'key-longer',
    steps: asking(({ key }) => ({ headers: { authorization: `Bearer ${key}x` } })),
  },
  {
    name: 'key-in-upper-case',
    steps: asking(({ key }) => ({ headers: { authorization: `Bearer ${key.toUpperCase()}` } })),
  },
  {
    name: 'key-of-the-upstream',
    steps: asking({ headers: { authorization: 'Bearer sk-proj-not-ours-0123456789' } }),
  },
  {
    name: 'two-keys-both-wrong',
    steps: asking({ headers: { authorization: 'Bearer wrong-1', 'x-api-key': 'wrong-2' } }),
  },
  {
    name: 'two-keys-that-differ',
    steps: asking(({ otherKey }) => ({ headers: { 'x-api-key': otherKey } })),
    due: refused([400, 401]),
  },
  {
    name: 'the-same-key-twice',
    steps: asking(({ key }) => ({ headers: { 'x-api-key': key } })),
    due: whole,
  },
  { name: 'one-good-key-of-two', steps: asking({ headers: { 'x-api-key': 'wrong' } }), due: whole },
  {
    name: 'two-authorizations',
    steps: asking(({ otherKey }) => ({ lines: [`authorization: Bearer ${otherKey}`] })),
    due: refused([400, 401]),
  },
  {
    name: 'good-key-in-lower-case-scheme',
    steps: asking(({ key }) => ({ headers: { authorization: `bearer ${key}` } })),
    due: whole,
  },
  {
    name: 'key-with-nul',
    steps: asking(({ key }) => ({ headers: { authorization: `Bearer ${key}\0` } })),
    due: refused([400, 401]),
  },
])

const versions = clientFaults(
  { kind: 'version-header', only: { caller: 'messages' }, due: refused(400) },
  [
    { name: 'version-missing', steps: asking({ headers: { 'anthropic-version': undefined } }) },
    { name: 'version-empty', steps: asking({ headers: { 'anthropic-version': '' } }) },
    { name: 'version-unknown', steps: asking({ headers: { 'anthropic-version': '1999-01-01' } }) },
    {
      name: 'version-of-the-future',
      steps: asking({ headers: { 'anthropic-version': '2099-01-01' } }),
    },
    {
      name: 'versions-that-differ',
      steps: asking({ headers: { 'altvendor-version': '2023-01-01' } }),
    },
    {
      name: 'version-twice-in-one',
      steps: asking({ headers: { 'anthropic-version': '2023-06-01, 2023-01-01' } }),
    },
    {
      name: 'version-with-more',
      steps: asking({ headers: { 'anthropic-version': '2023-06-01; x' } }),
    },
    { name: 'version-long', steps: asking({ headers: { 'anthropic-version': '2'.repeat(8000) } }) },
  ],
)

/** Words of the caller's that reach a log or a header. */
const injections = clientFaults(
  { kind: 'injection', due: { status: [[400, 404]], hits: 0, row: ['none'] } },
  [
    ['crlf', 'a\r\nx-injected: yes'],
    ['newline', 'a\n{"level":50,"msg":"forged"}'],
    ['ansi', '\u001b[31mred\u001b[0m'],
    ['line-separator', 'a\u2028b'],
    ['nul', 'a\u0000b'],
    ['long', 'm'.repeat(150_000)],
    ['sql', "x'; DROP TABLE ledger; --"],
    ['template', '${7*7}{{7*7}}'],
    ['path', '../../../etc/passwd'],
    ['right-to-left', '\u202Egpj.exe'],
    ['percent', '%s%n%x%0d%0a'],
    ['html', '<script>alert(1)</script>'],
  ].map(([name, model]) => ({
    name: `model-${name}`,
    steps: asking({ members: { model } }),
    inspect: ({ bytes }: { readonly bytes: Buffer }) =>
      /^x-injected/im.test(bytes.toString('latin1', 0, Math.max(0, bytes.indexOf('\r\n\r\n'))))
        ? 'a header was injected'
        : undefined,
  })),
)

export const callerFaults: readonly ClientFault[] = [
  ...methods,
  ...credentials,
  ...versions,
  ...injections,
]
