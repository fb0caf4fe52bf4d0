import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

/** A server below HTTP: what it does with a connection is all that it does. */
export interface Listener extends AsyncDisposable {
  readonly port: number
  /** Everything that was ever written to it. */
  readonly heard: () => string
  readonly connections: () => number
  /** Connections that are open now. */
  readonly open: () => number
}

export async function listen(serve: (socket: Socket) => void): Promise<Listener> {
  const seen = new Seen()
  const server = createServer((socket) => seen.watch(socket, serve))
  return started(server, seen)
}

/** The same behind TLS. A handshake that fails is nobody's error here. */
export async function listenTls(
  keys: { readonly key: string; readonly cert: string },
  serve: (socket: Socket) => void,
): Promise<Listener> {
  const seen = new Seen()
  const server = createTlsServer(keys, (socket) => seen.watch(socket, serve))
  server.on('tlsClientError', () => {})
  return started(server, seen)
}

/**
 * A port of loopback where nobody listens, now or later: systems give out ports from far above these to whoever asks for
 * any, as every other listener of the tests does.
 */
export async function closedPort(): Promise<number> {
  for (let port = 9000; port < 10_000; port++) if (!(await isTaken(port))) return port
  throw new Error('Somebody listens on every port from 9000 on.')
}

/** Whether somebody listens there, on either address of loopback. */
async function isTaken(port: number): Promise<boolean> {
  const accepted = await Promise.all(['127.0.0.1', '::1'].map((host) => accepts(host, port)))
  return accepted.includes(true)
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}

class Seen {
  readonly sockets = new Set<Socket>()
  text = ''
  connections = 0

  watch(socket: Socket, serve: (socket: Socket) => void): void {
    this.connections += 1
    this.sockets.add(socket)
    // The other side may vanish at any moment.
    socket.on('error', () => {})
    socket.on('close', () => this.sockets.delete(socket))
    socket.on('data', (data: Buffer) => {
      this.text += data.toString('latin1')
    })
    serve(socket)
  }
}

async function started(server: Server, seen: Seen): Promise<Listener> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    heard: () => seen.text,
    connections: () => seen.connections,
    open: () => seen.sockets.size,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of seen.sockets) socket.destroy()
      await closed
    },
  }
}

/** Connections that the kernel accepts for a listener that does not: Bun asks for 512. */
const backlog = 600

/**
 * A port to which no connection can be made, and none is refused: a process that listens and has been stopped, its
 * queue full.
 */
export async function blackHole(): Promise<Pick<Listener, 'port'> & AsyncDisposable> {
  const child = Bun.spawn([process.execPath, '-e', listenOnly], { stdout: 'pipe' })
  const { value } = await child.stdout.getReader().read()
  const port = Number(new TextDecoder().decode(value))
  child.kill('SIGSTOP')
  const sockets = Array.from({ length: backlog }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets) socket.on('error', () => {})
  await Promise.all(
    sockets
      .slice(0, 500)
      .map((socket) => new Promise((resolve) => socket.once('connect', resolve))),
  )
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

const listenOnly = `const server = require('node:net').createServer(() => {})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))`
