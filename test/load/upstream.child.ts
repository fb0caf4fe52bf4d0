import type { Socket } from 'bun'

import { type Manner, mannerOf, sharedNow } from './orders.ts'

// A chat-completions server in a process of its own, as fast as it can be: one timer writes for all streams.

interface Connection {
  unread: string
  /** What the socket has not taken yet. */
  unsent: string
  stream: Stream | undefined
}

interface Stream {
  readonly socket: Socket<Connection>
  readonly manner: Manner
  said: number
  dueAt: number
}

const tickMs = 5
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }
const reply = JSON.stringify({
  id: 'c',
  choices: [{ index: 0, message: { role: 'assistant', content: 'well' }, finish_reason: 'stop' }],
  usage,
})
const last = `${frameOf({}, 'stop')}data: ${JSON.stringify({ id: 'c', choices: [], usage })}\n\ndata: [DONE]\n\n`
const streams = new Set<Stream>()

const server = Bun.listen<Connection>({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    open: (socket) => {
      socket.setNoDelay(true)
      socket.data = { unread: '', unsent: '', stream: undefined }
    },
    data: (socket, bytes) => read(socket, bytes.toString('latin1')),
    drain: (socket) => {
      flush(socket)
      const { stream } = socket.data
      if (stream?.manner.everyMs === 0) sayOn(stream)
    },
    close: (socket) => forget(socket),
    error: (socket) => forget(socket),
  },
})

process.send?.({ type: 'ready', port: server.port })
process.on('disconnect', () => process.exit(0))
setInterval(tick, tickMs)

function forget({ data }: Socket<Connection>): void {
  if (data.stream !== undefined) streams.delete(data.stream)
}

function read(socket: Socket<Connection>, text: string): void {
  socket.data.unread += text
  for (;;) {
    const { unread } = socket.data
    const headEnd = unread.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const length = Number(/content-length: *(\d+)/i.exec(unread.slice(0, headEnd))?.[1] ?? 0)
    const end = headEnd + 4 + length
    if (unread.length < end) return
    socket.data.unread = unread.slice(end)
    answer(socket, unread.slice(0, headEnd), unread.slice(headEnd + 4, end))
  }
}

function answer(socket: Socket<Connection>, head: string, body: string): void {
  if (head.startsWith('GET')) return send(socket, whole(404, '{}'))
  const asked = JSON.parse(Buffer.from(body, 'latin1').toString())
  const manner = mannerOf(String(asked.model))
  if (manner.fault === 'fail') return send(socket, whole(500, '{"error":{"message":"scripted"}}'))
  if (asked.stream !== true) return send(socket, whole(200, reply))
  send(
    socket,
    'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n',
  )
  const stream = {
    socket,
    manner,
    said: 0,
    dueAt: performance.now() + Math.random() * manner.everyMs,
  }
  socket.data.stream = stream
  streams.add(stream)
  if (manner.everyMs === 0) sayOn(stream)
}

function tick(): void {
  const now = performance.now()
  for (const stream of streams) {
    if (stream.manner.everyMs === 0 || stream.dueAt > now) continue
    stream.dueAt += stream.manner.everyMs
    say(stream)
  }
}

/** As fast as it is taken. */
function sayOn(stream: Stream): void {
  while (streams.has(stream) && stream.socket.data.unsent === '') say(stream)
}

function say(stream: Stream): void {
  const { socket, manner } = stream
  if (manner.fault !== 'none' && stream.said >= manner.events / 2) return breakOff(stream)
  if (stream.said >= manner.events) {
    finish(stream)
    return send(socket, `${chunked(last)}0\r\n\r\n`)
  }
  stream.said += 1
  const text = `@${sharedNow().toFixed(2)} ${'x'.repeat(manner.bytes)}`
  send(socket, chunked(frameOf({ content: text }, null)))
}

function breakOff(stream: Stream): void {
  finish(stream)
  if (stream.manner.fault === 'silent') send(stream.socket, '0\r\n\r\n')
  else stream.socket.terminate()
}

function finish(stream: Stream): void {
  streams.delete(stream)
  stream.socket.data.stream = undefined
}

function send(socket: Socket<Connection>, text: string): void {
  socket.data.unsent += text
  flush(socket)
}

function flush(socket: Socket<Connection>): void {
  const { data } = socket
  if (data.unsent === '') return
  const written = Math.max(0, socket.write(data.unsent))
  data.unsent = data.unsent.slice(written)
}

function chunked(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`
}

function whole(status: number, body: string): string {
  return `HTTP/1.1 ${status} Scripted\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

function frameOf(delta: object, finishReason: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }]
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`
}
