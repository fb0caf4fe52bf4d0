import type { Socket } from 'bun'

import { attack } from './attackers.ts'
import {
  type AttackTally,
  Histogram,
  modelOf,
  type Order,
  type Report,
  type Setup,
  sharedNow,
  type Tally,
} from './orders.ts'

// The callers, in a process of their own: each over a socket of its own, and closed by a reset, so that no port waits.

type Streams = Extract<Order, { readonly type: 'streams' }>

interface Caller {
  readonly crowd: Crowd
  readonly isTranslated: boolean
  readonly leavesAfter: number
  hasHead: boolean
  rest: string
  events: number
  end: 'whole' | 'refused' | 'left' | undefined
  words: string
}

/** All callers of one order. */
interface Crowd {
  readonly order: Streams
  readonly sockets: Set<Socket<Caller>>
  readonly delays: Histogram
  /** Set to false by the first end after the measuring began. */
  isMeasured: boolean
  hasMark: boolean
  events: number
  readonly broken: Map<string, number>
  readonly ends: { whole: number; refused: number; left: number }
  over: number
  open: number
  peak: number
}

let setup: Setup = { type: 'setup', port: 0, upstreamPort: 0, key: '' }
const crowds = new Map<number, Crowd>()
const attacks = new Map<number, () => AttackTally>()

process.on('message', (message: Setup | Order) => {
  switch (message.type) {
    case 'setup':
      setup = message
      return
    case 'streams':
      return void openAll(message)
    case 'attack':
      attacks.set(message.id, attack(message, setup, report))
      return
    case 'measure':
      return measure(message.id)
    case 'stop':
      return stop(message.id)
  }
})
process.on('disconnect', () => process.exit(0))
report({ type: 'progress', id: -1, open: 0 })

function report(said: Report): void {
  process.send?.(said)
}

async function openAll(order: Streams): Promise<void> {
  const crowd: Crowd = {
    order,
    sockets: new Set(),
    delays: new Histogram(),
    isMeasured: true,
    hasMark: false,
    events: 0,
    broken: new Map(),
    ends: { whole: 0, refused: 0, left: 0 },
    over: 0,
    open: 0,
    peak: 0,
  }
  crowds.set(order.id, crowd)
  const telling = setInterval(
    () => report({ type: 'progress', id: order.id, open: crowd.open }),
    100,
  )
  telling.unref()
  const began = performance.now()
  for (let at = 0; at < order.count && crowds.has(order.id); at++) {
    const dueAt = began + (order.rampMs * at) / order.count
    if (dueAt > performance.now()) await Bun.sleep(dueAt - performance.now())
    openOne(crowd, at)
  }
}

function openOne(crowd: Crowd, at: number): void {
  const { translated, leaving = 0, manner } = crowd.order
  const caller: Caller = {
    crowd,
    isTranslated: (at % 100) / 100 < translated,
    leavesAfter: Math.random() < leaving ? Math.ceil(Math.random() * manner.events) : Infinity,
    hasHead: false,
    rest: '',
    events: 0,
    end: undefined,
    words: '',
  }
  Bun.connect<Caller>({
    hostname: '127.0.0.1',
    port: crowd.order.direct === true ? setup.upstreamPort : setup.port,
    data: caller,
    socket: {
      open: (socket) => {
        socket.setNoDelay(true)
        crowd.sockets.add(socket)
        socket.write(requestOf(crowd.order, caller))
      },
      data: (socket, bytes) => read(socket, bytes.toString('latin1')),
      close: (socket) => over(socket.data, socket),
      error: (socket) => over(socket.data, socket),
    },
  }).catch((error: unknown) => {
    caller.words = `cannot connect: ${String(error)}`
    over(caller)
  })
}

function requestOf({ manner, direct = false }: Streams, { isTranslated }: Caller): string {
  const body = JSON.stringify({
    model: `${direct ? '' : 'up/'}${modelOf(manner)}`,
    messages: [{ role: 'user', content: 'Tell me the time.' }],
    stream: true,
    max_tokens: 10_000,
  })
  return [
    `POST ${isTranslated ? '/v1/messages' : '/v1/chat/completions'} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${setup.key}`,
    'content-type: application/json',
    'anthropic-version: 2023-06-01',
    `content-length: ${body.length}\r\n\r\n${body}`,
  ].join('\r\n')
}

function read(socket: Socket<Caller>, text: string): void {
  const caller = socket.data
  const { crowd } = caller
  const now = sharedNow()
  const all = caller.rest + text
  if (!caller.hasHead) {
    const headEnd = all.indexOf('\r\n\r\n')
    if (headEnd === -1) return void (caller.rest = all)
    caller.hasHead = true
    const head = all.slice(0, headEnd)
    if (!head.startsWith('HTTP/1.1 200')) return refuse(socket, head)
    crowd.open += 1
    crowd.peak = Math.max(crowd.peak, crowd.open)
  }
  for (const [, written] of all.matchAll(/@(\d+\.\d\d) /g)) {
    caller.events += 1
    crowd.events += 1
    if (crowd.isMeasured) crowd.delays.add(now - Number(written))
  }
  caller.words = all.slice(-300)
  const mark = all.lastIndexOf('@')
  caller.rest =
    mark > all.length - 40 && !all.includes(' ', mark)
      ? all.slice(mark)
      : all.slice(-20).replaceAll('@', '')
  const terminator = caller.isTranslated ? '"message_stop"' : 'data: [DONE]'
  if (all.includes(terminator)) finish(socket, 'whole')
  else if (caller.events >= caller.leavesAfter) finish(socket, 'left')
}

function refuse(socket: Socket<Caller>, head: string): void {
  // The messages protocol has a status of its own for it.
  const isClean = /^HTTP\/1\.1 (?:503|529)/.test(head) && /^retry-after: *\d/im.test(head)
  socket.data.words = head.slice(0, 12)
  finish(socket, isClean ? 'refused' : undefined)
}

function finish(socket: Socket<Caller>, end: Caller['end']): void {
  socket.data.end = end
  socket.terminate()
}

/** Once for each caller, however its connection ended. */
function over(caller: Caller, socket?: Socket<Caller>): void {
  const { crowd, end, words, hasHead } = caller
  if (socket !== undefined && !crowd.sockets.delete(socket)) return
  if (hasHead && end !== 'refused') crowd.open -= 1
  crowd.over += 1
  if (crowd.hasMark) crowd.isMeasured = false
  if (end === undefined) {
    const said = /"message": ?"[^"]{0,80}/.exec(words)?.[0] ?? (words.slice(-60) || 'nothing')
    crowd.broken.set(said, (crowd.broken.get(said) ?? 0) + 1)
  } else crowd.ends[end] += 1
  if (crowd.over === crowd.order.count) reportEnd(crowd)
}

function reportEnd(crowd: Crowd): void {
  const { order, delays, broken, ends, peak } = crowd
  if (!crowds.delete(order.id)) return
  const tally: Tally = {
    ...ends,
    broken: Object.fromEntries(broken),
    events: crowd.events,
    delayMs: { p50: delays.at(0.5), p99: delays.at(0.99), max: Math.round(delays.max) },
    peak,
  }
  report({ type: 'streams-end', id: order.id, tally })
}

function measure(id: number): void {
  const crowd = crowds.get(id)
  if (crowd === undefined) return
  crowd.hasMark = true
  crowd.delays.clear()
}

function stop(id: number): void {
  const crowd = crowds.get(id)
  const endAttack = attacks.get(id)
  attacks.delete(id)
  if (endAttack !== undefined) report({ type: 'attack-end', id, tally: endAttack() })
  if (crowd === undefined) return
  for (const socket of crowd.sockets) finish(socket, 'left')
  reportEnd(crowd)
}
