import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'

import { newPerson } from '#test/run-parley.ts'

import { goodReply } from './answers.ts'
import { type Listener, listen, listenTls } from './listeners.ts'
import { canaries } from './oracle.ts'
import { ask, upstreamAt } from './rig.ts'

/** An upstream behind TLS, and what is wrong with it. */
interface TlsFault {
  readonly name: string
  readonly listen: () => Promise<Listener>
  /** How the upstream's URL begins. */
  readonly scheme?: 'https' | 'http'
  readonly sees: 'whole' | 'refused'
}

const folder = new URL('../fixtures/tls/', import.meta.url)

/** The authority that the gateway is told to trust; the certificates of the fixtures are good until the year 2124. */
const authority = new URL('authority.pem', folder).pathname

function certified(name: string): () => Promise<Listener> {
  const pem = readFileSync(new URL(`${name}.pem`, folder), 'utf8')
  return () => listenTls({ key: pem, cert: pem }, answer)
}

const faults: readonly TlsFault[] = [
  { name: 'good', listen: certified('good'), sees: 'whole' },
  { name: 'expired', listen: certified('expired'), sees: 'refused' },
  { name: 'not-yet-valid', listen: certified('future'), sees: 'refused' },
  { name: 'of-another-host', listen: certified('elsewhere'), sees: 'refused' },
  { name: 'self-signed', listen: certified('self-signed'), sees: 'refused' },
  { name: 'of-an-unknown-authority', listen: certified('stranger'), sees: 'refused' },
  { name: 'no-tls-behind-https', listen: () => listen(answer), sees: 'refused' },
  { name: 'tls-behind-http', listen: certified('good'), scheme: 'http', sees: 'refused' },
  {
    name: 'garbage-for-a-handshake',
    listen: () => listen((socket) => socket.end('garbage')),
    sees: 'refused',
  },
  {
    name: 'alert',
    listen: () => listen((socket) => socket.end(Buffer.from('15030300020228', 'hex'))),
    sees: 'refused',
  },
  {
    name: 'reset-in-the-handshake',
    listen: () => listen((socket) => socket.once('data', () => socket.resetAndDestroy())),
    sees: 'refused',
  },
  {
    name: 'close-in-the-handshake',
    listen: () => listen((socket) => socket.once('data', () => socket.end())),
    sees: 'refused',
  },
  { name: 'stall-in-the-handshake', listen: () => listen(() => {}), sees: 'refused' },
  {
    name: 'half-a-handshake',
    listen: () => listen((socket) => socket.write(Buffer.from('160303', 'hex'))),
    sees: 'refused',
  },
]

export const tlsFaultNames: readonly string[] = faults.map(({ name }) => name)

/** Lets every fault of TLS happen to a gateway of its own process, and says what went wrong. The key goes to nobody but the good one. */
export async function runTlsMatrix(): Promise<readonly string[]> {
  await using owned = new AsyncDisposableStack()
  const person = owned.use(newPerson())
  const upstreams: Record<string, object> = {}
  const listeners = new Map<string, Listener>()
  for (const { name, listen: open, scheme = 'https' } of faults) {
    const listener = owned.use(await open())
    listeners.set(name, listener)
    upstreams[name] = upstreamAt('chat-completions', `${scheme}://localhost:${listener.port}`, {
      deadlines: { firstByte: '1s', total: '1s' },
    })
  }
  person.write(
    'parley.yaml',
    JSON.stringify({ engine: { enabled: false }, upstreams, log: { level: 'debug' } }),
  )
  const { port, key, error } = await person.serve([], { NODE_EXTRA_CA_CERTS: authority })
  const found = await Promise.all(
    faults.flatMap(({ name, sees }) =>
      [true, false].map(async (isStream) => {
        const seen = await ask(port, {
          key,
          protocol: 'chat-completions',
          model: `${name}/m`,
          isStream,
        })
        const isRight =
          seen.ending === sees && (sees === 'whole' || [502, 504].includes(seen.status))
        const was = `${seen.ending} ${seen.status} ${seen.message}`
        return isRight ? [] : [`tls-${name}: expected ${sees}, was ${was}`]
      }),
    ),
  )
  const told = [...listeners].filter(
    ([name, listener]) => name !== 'good' && listener.heard().includes(canaries.upstreamKey),
  )
  return [
    ...found.flat(),
    ...told.filter(([name]) => !isPlain(name)).map(([name]) => `tls-${name}: the key was sent`),
    ...(error.text.includes(canaries.upstreamKey) ? ['I7: the key is in the log'] : []),
  ]
}

/** Who is told `http` by the operator is sent everything in the clear, whatever is there. */
function isPlain(name: string): boolean {
  return faults.find((fault) => fault.name === name)?.scheme === 'http'
}

function answer(socket: Socket): void {
  const body = JSON.stringify(goodReply['chat-completions'])
  socket.on('data', () => {
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  })
}
