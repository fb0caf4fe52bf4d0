import type { ProtocolName } from '#chat/names.ts'
import { json, startScriptedUpstream } from '#test/scripted-upstream.ts'
import { startGateway } from '#test/start-gateway.ts'

import { goodReply } from './answers.ts'
import { listen } from './listeners.ts'
import { eachOf, upstreamAt } from './rig.ts'

/** Ways to name the canary at this port, or something that nobody should be able to have fetched. */
export function urlForms(port: number): readonly string[] {
  const at = (host: string, scheme = 'http') => `${scheme}://${host}:${port}/x.png`
  return [
    ...[
      '127.0.0.1',
      'localhost',
      'LOCALHOST',
      'localhost.',
      '127.1',
      '127.0.1',
      '127.000.000.001',
      '0177.0.0.1',
      '0x7f.0.0.1',
    ].map((host) => at(host)),
    ...[
      '0x7f000001',
      '2130706433',
      '017700000001',
      '0.0.0.0',
      '0',
      '127.127.127.127',
      '127.0.0.1.',
      '[::1]',
      '[::]',
    ].map((host) => at(host)),
    ...[
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[0:0:0:0:0:0:0:1]',
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
    ].map((host) => at(host)),
    ...[
      'a@127.0.0.1',
      'example.com@127.0.0.1',
      'user:pass@localhost',
      'example.com%40127.0.0.1',
      '127.0.0.1%2f@example.com',
    ].map((host) => at(host)),
    ...[
      '①②⑦.⓪.⓪.①',
      '１２７.0.0.1',
      'ⓛocalhost',
      'loc\u00adalhost',
      '127。0。0。1',
      '%31%32%37.0.0.1',
    ].map((host) => at(host)),
    ...[
      'https',
      'ftp',
      'gopher',
      'ws',
      'dict',
      'ldap',
      'tftp',
      'sftp',
      'jar:http',
      'view-source:http',
      'HTTP',
      'hTTp',
    ].map((scheme) => at('127.0.0.1', scheme)),
    `//127.0.0.1:${port}/x.png`,
    `/\\127.0.0.1:${port}/x.png`,
    `http:/127.0.0.1:${port}/x.png`,
    `http:127.0.0.1:${port}/x.png`,
    `http:\\\\127.0.0.1:${port}\\x.png`,
    ` http://127.0.0.1:${port}/x.png `,
    `http://127.0.0.1\t:${port}/x.png`,
    `http://127.0.0.1\n:${port}/x.png`,
    `\u0000http://127.0.0.1:${port}/x.png`,
    `http://example.com#@127.0.0.1:${port}/x.png`,
    `http://example.com\\@127.0.0.1:${port}/x.png`,
    `http://127.0.0.1:${port}#.example.com/x.png`,
    `http://127.0.0.1:0${port}/x.png`,
    `http://127.0.0.1:${port}/?url=http://127.0.0.1:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://[fd00:ec2::254]/latest/',
    'file:///etc/passwd',
    'file://localhost/etc/passwd',
    '/etc/passwd',
    '../../etc/passwd',
    'blob:http://127.0.0.1/x',
    'javascript:fetch(1)',
    `data:text/html,<img src=http://127.0.0.1:${port}>`,
    '',
  ]
}

/** Places of a request where a URL can stand. */
const places: readonly (readonly [protocol: ProtocolName, body: (url: string) => object])[] = [
  ['chat-completions', (url) => content({ type: 'image_url', image_url: { url } })],
  ['chat-completions', (url) => content({ type: 'image_url', image_url: url })],
  [
    'chat-completions',
    (url) => content({ type: 'file', file: { file_data: url, filename: 'x.pdf' } }),
  ],
  ['chat-completions', (url) => content({ type: 'file', file: { file_url: url } })],
  [
    'chat-completions',
    (url) => content({ type: 'input_audio', input_audio: { data: url, format: 'wav' } }),
  ],
  ['chat-completions', (url) => content({ type: 'video_url', video_url: { url } })],
  [
    'chat-completions',
    (url) => ({
      ...content({ type: 'text', text: 'x' }),
      api_base: url,
      base_url: url,
      url,
      proxy: url,
    }),
  ],
  [
    'chat-completions',
    (url) => ({
      ...content({ type: 'text', text: 'x' }),
      user_config: { url },
      extra_headers: { host: url },
      webhook: url,
    }),
  ],
  ['messages', (url) => content({ type: 'image', source: { type: 'url', url } })],
  ['messages', (url) => content({ type: 'document', source: { type: 'url', url } })],
  ['messages', (url) => content({ type: 'text', text: 'x', citations: [{ url }] })],
  [
    'messages',
    (url) => ({
      ...content({ type: 'text', text: 'x' }),
      mcp_servers: [{ type: 'url', url, name: 'x' }],
    }),
  ],
]

function content(block: object): object {
  return {
    max_tokens: 8,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'See:' }, block] }],
  }
}

const paths = { 'chat-completions': '/v1/chat/completions', messages: '/v1/messages' } as const

export interface MediaReport {
  readonly requests: number
  readonly forms: number
  readonly violations: readonly string[]
}

/**
 * Asks with every form of a URL in every place, of upstreams of both protocols that fetch and that do not, and of the
 * engine. The gateway itself may connect to none of them.
 */
export async function runMediaUrls(): Promise<MediaReport> {
  await using owned = new AsyncDisposableStack()
  const canary = owned.use(await listen((socket) => socket.end()))
  const upstream = owned.use(
    await startScriptedUpstream(({ path }) =>
      json(200, goodReply[path.endsWith('/messages') ? 'messages' : 'chat-completions']),
    ),
  )
  const private_ = { profile: { fetchesUrls: false } }
  const gateway = owned.use(
    await startGateway({
      engine: {},
      upstreams: {
        chat: upstreamAt('chat-completions', upstream.origin),
        messages: upstreamAt('messages', upstream.origin),
        'chat-private': upstreamAt('chat-completions', upstream.origin, private_),
        'messages-private': upstreamAt('messages', upstream.origin, private_),
      },
    }),
  )
  const models = ['chat/any', 'messages/any', 'chat-private/any', 'messages-private/any']
  const forms = urlForms(canary.port)
  const asked = places.flatMap(([protocol, body], index) =>
    forms.flatMap((url) =>
      // The engine answers what has no media in it, which is another test's work.
      [...models, ...(index < 2 || index === 8 ? ['parley-mini'] : [])].map((model) => ({
        protocol,
        body: { ...body(url), model },
      })),
    ),
  )
  const violations: string[] = []
  await eachOf(asked, 16, async ({ protocol, body }) => {
    const response = await gateway.post(paths[protocol], body, {
      'x-forwarded-host': `127.0.0.1:${canary.port}`,
      forwarded: `host=127.0.0.1:${canary.port}`,
    })
    const text = await response.text()
    if (response.status >= 500)
      violations.push(`${response.status} for ${JSON.stringify(body)}: ${text.slice(0, 200)}`)
  })
  if (canary.connections() > 0)
    violations.push(`the canary had ${canary.connections()} connections`)
  return { requests: asked.length, forms: forms.length, violations }
}
