import { expect, test } from 'bun:test'

import { asked, idle } from './chat-callers.ts'
import { helloCompletion } from './messages-callers.ts'
import { json, type Scripts, startScriptedUpstream, waitFor } from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'
import { until } from './until.ts'

// One key that sends all it can, beside others that send little.

const good = json(200, helloCompletion)

/** Answers at once, but for the user `slow`, who waits for the gate. */
function gated(gate: Promise<unknown>): Scripts {
  return ({ body }) => (body.includes('"user":"slow"') ? [waitFor(gate), ...good] : good)
}

async function keyOf({ gateway, post }: TestGateway, name: string) {
  const { key } = await gateway.keys.issue({ name })
  const authorization = `Bearer ${key.reveal()}`
  return (members: object = {}): Promise<Response> =>
    post('/v1/chat/completions', { ...asked, ...members }, { authorization })
}

test('a key that fills the gateway is told to come again, and leaves a place for every other', async () => {
  const gate = Promise.withResolvers<void>()
  await using up = await startScriptedUpstream(gated(gate.promise))
  await using gateway = await startGateway({
    upstreams: { up: { protocol: 'chat-completions', url: up.url, serves: ['m'] } },
    limits: { exchanges: 50 },
  })
  const greedy = await keyOf(gateway, 'greedy')
  const flood = Array.from({ length: 200 }, () => greedy({ user: 'slow' }))
  const refused: Response[] = []
  for (const one of flood) void one.then((response) => response.ok || refused.push(response))
  await until(() => refused.length >= 155)
  expect(gateway.gateway.inFlight).toBe(45)
  for (let at = 0; at < 10; at++) {
    const other = await keyOf(gateway, `other-${at}`)
    expect((await other()).status).toBe(200)
    expect((await greedy()).status).toBe(503)
  }
  expect(refused).toHaveLength(155)
  for (const { status, headers } of refused)
    expect([status, headers.get('retry-after'), headers.get('x-should-retry')]).toEqual([
      503,
      '1',
      'true',
    ])
  gate.resolve()
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(45)
  await idle(gateway)
  expect((await greedy()).status).toBe(200)
})
