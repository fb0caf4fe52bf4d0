import { expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'

import { c, role, sse as chatText } from './chat-answers.ts'
import { asked, wireHead } from './chat-callers.ts'
import { LedgerFile } from './messages-callers.ts'
import { type Act, chunk, head, startScriptedUpstream, write } from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'
import { until } from './until.ts'

// Callers who ask for a stream and take nothing of it, from an upstream that says as much as is taken.

async function* endless(): AsyncGenerator<Act> {
  const headers = { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' }
  yield write(head(200, headers))
  yield write(chunk(chatText(role)))
  const much = chunk(chatText(c('x'.repeat(60_000))))
  for (;;) yield write(much)
}

function asksAndReadsNothing({ gateway, key }: TestGateway): Socket {
  const body = JSON.stringify({ ...asked, stream: true })
  const socket = connect(gateway.port, '127.0.0.1')
  socket.on('error', () => {})
  const headers = { authorization: `Bearer ${key}`, 'content-length': body.length }
  socket.write(wireHead('/v1/chat/completions', headers) + body)
  socket.pause()
  return socket
}

test('of callers who take nothing only so many are kept, and their upstreams wait', async () => {
  using ledger = new LedgerFile()
  await using up = await startScriptedUpstream(endless)
  await using gateway = await startGateway(
    {
      upstreams: { up: { protocol: 'chat-completions', url: up.url, serves: ['m'] } },
      limits: { stalled: 1 },
    },
    ledger.path,
  )
  const sockets = Array.from({ length: 2 }, () => asksAndReadsNothing(gateway))
  await until(() => up.requests.length === 2)
  await until(() => gateway.gateway.inFlight === 1 && up.open === 1)
  const rows = await ledger.having(1)
  for (const row of rows) {
    expect(row).toMatchObject({ result: 'client-left', counted: 'estimated' })
    expect(row.output).toBeGreaterThan(0)
  }
  // Whoever reads on after all finds a stream that breaks off, and never an end.
  const endings = await Promise.all(sockets.map(readOn))
  expect(endings.toSorted()).toEqual(['broken off', 'goes on'])
  for (const socket of sockets) socket.destroy()
  await until(() => gateway.gateway.inFlight === 0)
}, 30_000)

/** What becomes of a stream that is read on: those that were cut break off, the other goes on. */
function readOn(socket: Socket): Promise<'goes on' | 'broken off' | 'ended'> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve('broken off')
    let last = ''
    let bytes = 0
    socket.on('data', (data: Uint8Array) => {
      last = Buffer.from(data.subarray(-5)).toString('latin1')
      bytes += data.length
      // More than all buffers of the way hold together.
      if (bytes > 60_000_000) resolve('goes on')
    })
    socket.on('close', () => resolve(last === '0\r\n\r\n' ? 'ended' : 'broken off'))
    socket.resume()
  })
}
