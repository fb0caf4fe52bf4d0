import type { Socket } from 'bun'

import {
  type AttackTally,
  Histogram,
  modelOf,
  type Order,
  type Report,
  type Setup,
} from './orders.ts'

type Attack = Extract<Order, { readonly type: 'attack' }>

interface Attacker {
  readonly openedAt: number
}

/** Opens the connections of an attack and keeps at it. Gives what ends it and tells how it went. */
export function attack(
  { id, kind, count }: Attack,
  setup: Setup,
  report: (said: Report) => void,
): () => AttackTally {
  const cutMs = new Histogram()
  const sockets = new Set<Socket<Attacker>>()
  for (let at = 0; at < count; at++) void open(at)
  const dripping = setInterval(drip, dripMs[kind])
  const telling = setInterval(() => report({ type: 'progress', id, open: sockets.size }), 200)
  return () => {
    clearInterval(dripping)
    clearInterval(telling)
    const stillOpen = sockets.size
    for (const socket of sockets) socket.terminate()
    return {
      cut: cutMs.total,
      stillOpen,
      cutMs: { p50: cutMs.at(0.5), max: Math.round(cutMs.max) },
    }
  }

  async function open(at: number): Promise<void> {
    // Two thousand at once would only be refused by the system.
    await Bun.sleep(at)
    await Bun.connect<Attacker>({
      hostname: '127.0.0.1',
      port: setup.port,
      data: { openedAt: performance.now() },
      socket: {
        open: (socket) => {
          sockets.add(socket)
          socket.write(beginnings[kind](setup))
          if (kind === 'reader') socket.pause()
        },
        data: () => {},
        close: (socket) => cut(socket),
        error: (socket) => cut(socket),
      },
    }).catch(() => {})
  }

  function cut(socket: Socket<Attacker>): void {
    if (sockets.delete(socket)) cutMs.add(performance.now() - socket.data.openedAt)
  }

  function drip(): void {
    for (const socket of sockets) {
      if (kind === 'headers') socket.write('x-more: 1\r\n')
      else if (kind === 'body') socket.write(' ')
    }
  }
}

const dripMs = { headers: 2000, body: 1000, reader: 1000 } as const

const beginnings: Readonly<Record<Attack['kind'], (setup: Setup) => string>> = {
  headers: () => 'POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\n',
  body: ({ key }) =>
    `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{`,
  reader: ({ key }) => {
    const model = modelOf({ events: 1_000_000, everyMs: 0, bytes: 4000, fault: 'none' })
    const body = JSON.stringify({
      model: `up/${model}`,
      messages: [{ role: 'user', content: 'x' }],
      stream: true,
    })
    return `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  },
}
