import { type ClientFault, clientFaults, type Kit } from './client-fault.ts'
import { say } from './raw-client.ts'

// Requests whose end is seen differently by different readers, a second request hidden where they differ. None of the
// hidden requests may ever be carried out.

type Shape = (kit: Kit) => Buffer | string

/** Refused, or closed without a word. What is hidden in it is looked for in every case. */
const shut = { status: [[400, 413, 414, 431, 501, 505]], row: ['none'], hits: 0 } as const
const anyway = { hits: 'any' } as const

/** Faults that are one piece of bytes each. */
export function shapes(
  kind: string,
  rows: readonly (readonly [name: string, shape: Shape])[],
  due: ClientFault['due'] = shut,
): ClientFault[] {
  return clientFaults(
    { kind, due, patienceMs: 700 },
    rows.map(([name, shape]) => ({ name, steps: (kit) => [say(shape(kit))] })),
  )
}

/** A head with these lines in place of those that tell the length, and then these bytes. */
function framed(
  kit: Kit,
  lines: readonly string[],
  body: Buffer | string,
  version = 'HTTP/1.1',
): Buffer {
  return kit.request({ lines, body, version, headers: { 'content-length': undefined } })
}

/** An end of a chunked body, and the hidden request behind it. */
function behindChunks({ poison }: Kit, last = '0\r\n\r\n'): Buffer {
  return Buffer.concat([Buffer.from(last, 'latin1'), poison()])
}

/** Both lengths: who goes by one sees a body, who goes by the other a second request. */
const codings = shapes(
  'smuggling',
  [
    'transfer-encoding: chunked',
    'Transfer-Encoding: CHUNKED',
    'transfer-encoding : chunked',
    'transfer-encoding:\tchunked',
    'transfer-encoding: xchunked',
    'transfer-encoding: chunked, identity',
    'transfer-encoding: identity, chunked',
    'transfer-encoding: chunked;q=1',
    'transfer-encoding: "chunked"',
    'transfer-encoding: chunked,',
    'transfer-encoding: , chunked',
    'transfer-encoding: \u000bchunked',
    'transfer-encoding: chunked\u000b',
    'transfer-encoding: chunked\u0000',
    'transfer-encoding: cow',
    'transfer-encoding: chunked\r\ntransfer-encoding: cow',
    'transfer-encoding: cow\r\ntransfer-encoding: chunked',
    'transfer-encoding:\r\n chunked',
    ' transfer-encoding: chunked',
    'x: y\ntransfer-encoding: chunked',
    'x: y\rtransfer-encoding: chunked',
    'transfer-encoding: gzip, chunked',
  ].map((line, index) => [
    `length-and-coding-${index}`,
    (kit) => {
      const body = behindChunks(kit)
      return framed(kit, [line, `content-length: ${body.length}`], body)
    },
  ]),
)

/** The same the other way round: the length ends before the hidden request. */
const shortLengths = shapes(
  'smuggling',
  [
    'transfer-encoding: chunked',
    'transfer-encoding: xchunked',
    'transfer-encoding : chunked',
    'transfer-encoding\u0000: chunked',
    'transfer-encoding: chun\tked',
  ].map((line, index) => [
    `short-length-and-coding-${index}`,
    (kit) => {
      const hidden = kit.poison()
      const body = Buffer.concat([
        Buffer.from(`${hidden.length.toString(16)}\r\n`),
        hidden,
        Buffer.from('\r\n0\r\n\r\n'),
      ])
      return framed(kit, [line, `content-length: ${hidden.length.toString(16).length + 2}`], body)
    },
  ]),
)

/** Lengths that can be read in two ways, one of which is nothing. */
const lengths = shapes(
  'smuggling',
  (
    [
      ['two', (n) => ['content-length: 0', `content-length: ${n}`]],
      ['two-reversed', (n) => [`content-length: ${n}`, 'content-length: 0']],
      ['list', (n) => [`content-length: 0, ${n}`]],
      ['plus', (n) => [`content-length: +${n}`]],
      ['minus', (n) => [`content-length: -${n}`]],
      ['hex', (n) => [`content-length: 0x${n.toString(16)}`]],
      ['fraction', (n) => [`content-length: ${n}.0`]],
      ['exponent', (n) => [`content-length: ${n}e0`]],
      ['letters-behind', (n) => [`content-length: ${n}x`]],
      ['blank-inside', (n) => [`content-length: 0 ${n}`]],
      ['empty', () => ['content-length:']],
      ['underscore', (n) => [`content-length: 0_${n}`]],
      ['blank-before-colon', (n) => ['content-length : 0', `content-length: ${n}`]],
      ['folded', (n) => [`content-length:\r\n ${n}`]],
      ['nul', (n) => [`content-length: ${n}\u0000`]],
      ['overflow', () => ['content-length: 18446744073709551616']],
      ['behind-a-line-feed', (n) => [`x: y\ncontent-length: 0`, `content-length: ${n}`]],
    ] satisfies (readonly [string, (n: number) => readonly string[]])[]
  ).map(([name, lines]) => [
    `length-${name}`,
    (kit) => {
      const hidden = kit.poison()
      return framed(kit, lines(hidden.length), hidden)
    },
  ]),
)

/** Sizes of a chunk that only a careless reader takes for nothing. */
const chunks = shapes(
  'smuggling',
  (
    [
      ['hex-prefix', '0x0\r\n\r\n'],
      ['minus', '-0\r\n\r\n'],
      ['plus', '+0\r\n\r\n'],
      ['underscore', '0_0\r\n\r\n'],
      ['empty', '\r\n\r\n'],
      ['nul', '0\u0000\r\n\r\n'],
      ['letters', 'zz\r\n\r\n'],
      ['overflow', '10000000000000000\r\n\r\n'],
      ['overflow-more', 'f0000000000000000\r\n\r\n'],
      ['line-feeds', '0\n\n'],
      ['carriage-returns', '0\r\r'],
      ['extension-with-line-feed', '0;a\nb\r\n\r\n'],
      ['extension-with-nul', '0;a\u0000b\r\n\r\n'],
      ['data-without-its-end', '2\r\n{}0\r\n\r\n'],
      ['data-longer-than-said', '2\r\n{}x\r\n0\r\n\r\n'],
    ] as const
  ).map(([name, end]) => [
    `chunk-${name}`,
    (kit) => framed(kit, ['transfer-encoding: chunked'], behindChunks(kit, end)),
  ]),
)

/** Heads that are none. The hidden request is their body, to whoever can read them. */
const heads = shapes(
  'smuggling',
  (
    [
      ['no-colon', 'this is no header'],
      ['empty-name', ': value'],
      ['blank-in-name', 'x y: z'],
      ['nul-in-name', 'x\u0000y: z'],
      ['nul-in-value', 'x: y\u0000z'],
      ['bare-cr', 'x: y\rz'],
      ['folded', 'x: y\r\n z'],
      ['folded-with-tab', 'x: y\r\n\tz'],
      ['del-in-name', 'x\u007f: y'],
      ['latin1-in-name', 'x\u00e9: y'],
    ] as const
  ).map(([name, line]) => [`head-${name}`, (kit) => withHidden(kit, [line])]),
)

function withHidden(
  kit: Kit,
  lines: readonly string[],
  made: { readonly version?: string; readonly path?: string; readonly method?: string } = {},
): Buffer {
  const hidden = kit.poison()
  return kit.request({ lines, body: hidden, ...made })
}

const firstLines = shapes(
  'smuggling',
  (
    [
      ['two-blanks', (kit) => withHidden(kit, [], { path: ` ${kit.path}` })],
      ['tab', (kit) => swapped(kit, / /, '\t')],
      ['no-version', (kit) => swapped(kit, / HTTP\/1\.1/, '')],
      ['version-2', (kit) => withHidden(kit, [], { version: 'HTTP/2.0' })],
      ['version-9', (kit) => withHidden(kit, [], { version: 'HTTP/9.9' })],
      ['version-lower-case', (kit) => withHidden(kit, [], { version: 'http/1.1' })],
      ['version-and-more', (kit) => withHidden(kit, [], { version: 'HTTP/1.1 x' })],
      ['version-letters', (kit) => withHidden(kit, [], { version: 'HTTP/x.y' })],
      ['two-paths', (kit) => withHidden(kit, [], { path: `${kit.path} /v1/models` })],
      ['nul-in-path', (kit) => withHidden(kit, [], { path: `${kit.path}\u0000` })],
      ['line-feed-in-path', (kit) => withHidden(kit, [], { path: `${kit.path}\nx: y` })],
      [
        'line-feeds-only',
        (kit) =>
          Buffer.from(withHidden(kit, []).toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
      ],
      [
        'carriage-returns-only',
        (kit) =>
          Buffer.from(withHidden(kit, []).toString('latin1').replaceAll('\r\n', '\r'), 'latin1'),
      ],
      ['tls-hello', () => Buffer.from('160301020001000', 'hex')],
      [
        'http-2-preface',
        ({ poison }) => Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), poison()]),
      ],
      ['nothing-but-nuls', ({ poison }) => Buffer.concat([Buffer.alloc(64), poison()])],
    ] satisfies (readonly [string, Shape])[]
  ).map(([name, shape]) => [`first-line-${name}`, shape]),
  { row: ['none'], hits: 'any' },
)

function swapped(kit: Kit, what: RegExp, by: string): Buffer {
  return Buffer.from(withHidden(kit, []).toString('latin1').replace(what, by), 'latin1')
}

/** Legal or not, what is in a body stays there. */
const inBodies = shapes(
  'smuggling',
  (
    [
      ['absolute-form', (kit) => withHidden(kit, [], { path: `http://gateway${kit.path}` })],
      [
        'absolute-form-elsewhere',
        (kit) => withHidden(kit, [], { path: `http://evil.example${kit.path}` }),
      ],
      ['asterisk-form', (kit) => withHidden(kit, [], { path: '*' })],
      ['authority-form', (kit) => withHidden(kit, [], { path: 'gateway:80', method: 'CONNECT' })],
      ['fragment', (kit) => withHidden(kit, [], { path: `${kit.path}#x` })],
      ['version-1.0', (kit) => withHidden(kit, [], { version: 'HTTP/1.0' })],
      [
        'coding-in-1.0',
        (kit) => framed(kit, ['transfer-encoding: chunked'], behindChunks(kit), 'HTTP/1.0'),
      ],
      ['get-on-the-list', (kit) => withHidden(kit, [], { method: 'GET', path: '/v1/models' })],
      ['head-with-a-body', (kit) => withHidden(kit, [], { method: 'HEAD', path: '/v1/models' })],
      ['options-with-a-body', (kit) => withHidden(kit, [], { method: 'OPTIONS' })],
      ['delete-with-a-body', (kit) => withHidden(kit, [], { method: 'DELETE' })],
      ['unknown-path', (kit) => withHidden(kit, [], { path: '/nowhere' })],
      ['health-with-a-body', (kit) => withHidden(kit, [], { method: 'GET', path: '/healthz' })],
      [
        'upgrade-h2c',
        (kit) =>
          withHidden(kit, [
            'upgrade: h2c',
            'connection: upgrade, http2-settings',
            'http2-settings: AAMAAABkAAQAAP__',
          ]),
      ],
      [
        'upgrade-websocket',
        (kit) =>
          withHidden(
            kit,
            [
              'upgrade: websocket',
              'connection: upgrade',
              'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
              'sec-websocket-version: 13',
            ],
            { method: 'GET' },
          ),
      ],
      [
        'wrong-key',
        (kit) => kit.request({ headers: { authorization: 'Bearer wrong' }, body: kit.poison() }),
      ],
      [
        'packed',
        (kit) => kit.request({ headers: { 'content-encoding': 'gzip' }, body: kit.poison() }),
      ],
      [
        'too-large',
        (kit) =>
          kit.request({ body: Buffer.concat([Buffer.alloc(kit.bodyLimit, 0x20), kit.poison()]) }),
      ],
      [
        'expect-100',
        (kit) => kit.request({ headers: { expect: '100-continue' }, body: kit.poison() }),
      ],
      ['connection-names-the-length', (kit) => withHidden(kit, ['connection: content-length'])],
      ['length-with-zeros', (kit) => withLength(kit, (n) => `000${n}`)],
      ['length-in-tabs', (kit) => withLength(kit, (n) => `\t${n}\t`)],
      ['same-length-twice', (kit) => withLength(kit, (n) => `${n}\r\ncontent-length: ${n}`)],
      ['chunk-with-extension', (kit) => inChunk(kit, ';name="va;lue"')],
      ['chunk-with-zeros', (kit) => inChunk(kit, '', '0000')],
    ] satisfies (readonly [string, Shape])[]
  ).map(([name, shape]) => [`in-body-${name}`, shape]),
  anyway,
)

function withLength(kit: Kit, word: (length: number) => string): Buffer {
  const hidden = kit.poison()
  return framed(kit, [`content-length: ${word(hidden.length)}`], hidden)
}

function inChunk(kit: Kit, extension: string, zeros = ''): Buffer {
  const hidden = kit.poison()
  const size = zeros + hidden.length.toString(16)
  return framed(
    kit,
    ['transfer-encoding: chunked'],
    Buffer.concat([Buffer.from(`${size}${extension}\r\n`), hidden, Buffer.from('\r\n0\r\n\r\n')]),
  )
}

export const smugglingFaults: readonly ClientFault[] = [
  ...codings,
  ...shortLengths,
  ...lengths,
  ...chunks,
  ...heads,
  ...firstLines,
  ...inBodies,
]
