import { chunk, close, head, reset, stall, write } from '#test/scripted-upstream.ts'

import { goodAnswer, goodReply } from './answers.ts'
import { ofKind, type Places, type Serving, type UpstreamFault } from './upstream-fault.ts'

// An upstream that is out of reach, goes away, or does not speak HTTP.

const sees = 'upstream-unreachable'
const soon = { firstByte: '400ms', silence: '400ms', total: '700ms' }

/** The head of an answer in the form that was asked for. */
const type = (isStream: boolean) => (isStream ? 'text/event-stream' : 'application/json')

const unknown = ofKind({ kind: 'dns', sees }, [
  { name: 'dns-unknown', at: () => 'http://no-such-host.invalid:80' },
  { name: 'dns-empty-label', at: () => 'http://a..b.invalid:80' },
  { name: 'dns-long-label', at: () => `http://${'x'.repeat(70)}.invalid:80` },
])

const refused = ofKind({ kind: 'refused', sees }, [
  { name: 'refused', at: ({ closed }) => `http://127.0.0.1:${closed}` },
  { name: 'refused-by-name', at: ({ closed }) => `http://localhost:${closed}` },
  { name: 'refused-ipv6', at: ({ closed }) => `http://[::1]:${closed}` },
])

const resets = ofKind({ kind: 'reset-before-headers', sees: 'upstream-lost' }, [
  { name: 'reset-at-once', at: (places) => `http://127.0.0.1:${places.resetsAtOnce}` },
  { name: 'close-at-once', at: (places) => `http://127.0.0.1:${places.closesAtOnce}` },
  {
    name: 'reset-after-request-head',
    at: (places) => `http://127.0.0.1:${places.resetsAfterHead}`,
  },
  {
    name: 'close-after-request-head',
    at: (places) => `http://127.0.0.1:${places.closesAfterHead}`,
  },
  ...[1, 10, 50, 100, 200, 300].map((bytes) => ({
    name: `reset-after-${bytes}-bytes`,
    at: (places: Places) => `http://127.0.0.1:${places.resetsAfter.get(bytes)}`,
  })),
  { name: 'reset-after-request', script: () => [reset] },
  { name: 'close-after-request', script: () => [close] },
])

const inHead = ofKind({ kind: 'cut-in-head', sees: 'upstream-lost' }, [
  { name: 'half-status-line-close', script: () => [write('HTTP/1.1 20'), close] },
  { name: 'half-status-line-reset', script: () => [write('HTTP/1.1 20'), reset] },
  { name: 'half-head-close', script: () => [write('HTTP/1.1 200 OK\r\ncontent-ty'), close] },
  { name: 'half-head-reset', script: () => [write('HTTP/1.1 200 OK\r\ncontent-ty'), reset] },
  {
    name: 'half-head-stall',
    script: () => [write('HTTP/1.1 200 OK\r\ncontent-ty'), stall],
    sees: 'upstream-timeout',
    deadlines: soon,
  },
  { name: 'never-answers', script: () => [stall], sees: 'upstream-timeout', deadlines: soon },
])

const noHttp: readonly UpstreamFault[] = [
  ['ssh', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['smtp', '220 mail.example.com ESMTP\r\n'],
  ['redis', '-ERR unknown command\r\n'],
  ['http-0.9', '<html>hello</html>'],
  ['http2-preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['tls-alert', '\u0015\u0003\u0001\u0000\u0002\u0002F'],
  ['nuls', '\0\0\0\0\0\0\0\0\r\n\r\n'],
].map(([name, bytes]) => ({
  name: `speaks-${name}`,
  kind: 'not-http',
  script: () => [write(Buffer.from(bytes ?? '', 'latin1')), close],
  // What looks like the beginning of something and ends is lost.
  sees: name === 'tls-alert' || name === 'nuls' ? 'upstream-lost' : 'upstream-failed',
}))

const statusLines: readonly UpstreamFault[] = [
  ['letters', 'HTTP/1.1 abc OK'],
  ['two-digits', 'HTTP/1.1 20 OK'],
  ['four-digits', 'HTTP/1.1 2000 OK'],
  ['negative', 'HTTP/1.1 -200 OK'],
  ['zero', 'HTTP/1.1 000 OK'],
  ['http-3', 'HTTP/3.0 200 OK'],
  ['no-version', '200 OK'],
  ['icy', 'ICY 200 OK'],
].map(([name, line]) => ({
  name: `status-line-${name}`,
  kind: 'not-http',
  script: ({ isStream }) => [
    write(`${line}\r\ncontent-type: ${type(isStream)}\r\ncontent-length: 2\r\n\r\n{}`),
    close,
  ],
  sees: 'upstream-failed' as const,
}))

const headers: readonly UpstreamFault[] = [
  ['no-colon', 'this line has no colon'],
  ['blank-name', ': value'],
  ['space-in-name', 'content type: x'],
  ['nul-in-value', 'x-nul: a\0b'],
  ['two-lengths', 'content-length: 2\r\ncontent-length: 5'],
  ['length-letters', 'content-length: many'],
  ['length-negative', 'content-length: -1'],
  ['length-overflow', 'content-length: 99999999999999999999999'],
  ['coding-unknown', 'transfer-encoding: rot13'],
].map(([name, line]) => ({
  name: `header-${name}`,
  kind: 'bad-head',
  script: () => [
    write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${line}\r\n\r\n{}`),
    close,
  ],
  sees: 'upstream-failed' as const,
}))

const chunks: readonly UpstreamFault[] = [
  ['size-letters', 'zz\r\n{}\r\n0\r\n\r\n'],
  ['size-negative', '-2\r\n{}\r\n0\r\n\r\n'],
  ['size-overflow', 'fffffffffffffffff\r\n{}\r\n0\r\n\r\n'],
  ['size-empty', '\r\n{}\r\n0\r\n\r\n'],
  ['size-too-small', '1\r\n{}\r\n0\r\n\r\n'],
  ['size-too-large', '50\r\n{}\r\n0\r\n\r\n'],
  ['no-line-end', '2\r\n{}0\r\n\r\n'],
].map(([name, body]) => ({
  name: `chunk-${name}`,
  kind: 'bad-framing',
  script: ({ isStream }) => [
    write(head(200, { 'content-type': type(isStream), 'transfer-encoding': 'chunked' }) + body),
    close,
  ],
  sees: 'upstream-lost' as const,
}))

const framing = ofKind({ kind: 'framing' }, [
  {
    name: 'length-beyond-the-body',
    script: ({ protocol }) => {
      const text = JSON.stringify(goodReply[protocol])
      const length = `${Buffer.byteLength(text) + 10}`
      return [
        write(head(200, { 'content-type': 'application/json', 'content-length': length }) + text),
        close,
      ]
    },
    sees: 'upstream-lost',
  },
  {
    name: 'length-short-of-the-body',
    script: ({ protocol }) => {
      const text = JSON.stringify(goodReply[protocol])
      return [
        write(head(200, { 'content-type': 'application/json', 'content-length': '20' }) + text),
        close,
      ]
    },
    sees: 'upstream-failed',
  },
  {
    name: 'chunked-body-cut',
    script: ({ protocol }) => [
      write(head(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' })),
      write(chunk(JSON.stringify(goodReply[protocol]))),
      close,
    ],
    sees: 'upstream-lost',
  },
  {
    name: 'trailers',
    script: ({ protocol }) => [
      write(
        head(200, {
          'content-type': 'application/json',
          'transfer-encoding': 'chunked',
          trailer: 'x-sum',
        }),
      ),
      write(chunk(JSON.stringify(goodReply[protocol]))),
      write('0\r\nx-sum: 1\r\n\r\n'),
    ],
    sees: 'whole',
  },
  {
    name: 'chunk-extensions',
    script: ({ protocol }) => {
      const text = Buffer.from(JSON.stringify(goodReply[protocol]))
      return [
        write(head(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' })),
        write(`${text.length.toString(16)};name="value"\r\n`),
        write(text),
        write('\r\n0\r\n\r\n'),
      ]
    },
    sees: 'whole',
  },
  {
    name: 'body-until-close',
    script: ({ protocol }) => [
      write(head(200, { 'content-type': 'application/json', connection: 'close' })),
      write(JSON.stringify(goodReply[protocol])),
      close,
    ],
    sees: 'whole',
  },
  ...[100, 102, 103].map((status) => ({
    name: `informed-by-${status}`,
    script: ({ protocol, isStream }: Serving) => [
      write(`HTTP/1.1 ${status} Wait\r\nlink: </x>\r\n\r\n`),
      ...goodAnswer(protocol, isStream),
    ],
  })),
])

const blackHole: UpstreamFault = {
  name: 'black-hole',
  kind: 'connect-timeout',
  at: (places) => `http://127.0.0.1:${places.blackHole}`,
  sees: 'upstream-unreachable',
  isSlow: true,
}

export const connectionFaults: readonly UpstreamFault[] = [
  ...unknown,
  ...refused,
  ...resets,
  ...inHead,
  ...noHttp,
  ...statusLines,
  ...headers,
  ...chunks,
  ...framing,
  blackHole,
]
