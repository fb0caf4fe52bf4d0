import { expect, test } from 'bun:test'

import { asked, idle } from './chat-callers.ts'
import { helloChunks, helloCompletion, LedgerFile } from './messages-callers.ts'
import {
  close,
  json,
  reset,
  type Script,
  type Scripts,
  sse,
  stall,
  startScriptedUpstream,
} from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// A caller who asked for no stream has seen nothing of an answer that breaks, so the next target may still give one.

const frames = helloChunks.split(/(?<=\n\n)/)
const begun = frames.slice(0, 3)
const broken: Script = sse(begun)
const refusedMidway: Script = sse([
  ...begun,
  'data: {"error":{"message":"Out of order.","code":500}}\n\n',
])
const whole: Script = json(200, helloCompletion)

interface Rig extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly ledger: LedgerFile
  readonly asked: (name: 'one' | 'two') => number
  readonly ask: (members?: object, signal?: AbortSignal) => Promise<Response>
}

async function rig(first: Scripts, second: Scripts): Promise<Rig> {
  const one = await startScriptedUpstream(first)
  const two = await startScriptedUpstream(second)
  const ledger = new LedgerFile()
  const serving = { protocol: 'chat-completions', serves: ['m'] }
  const gateway = await startGateway(
    {
      upstreams: { one: { ...serving, url: one.url }, two: { ...serving, url: two.url } },
      models: { m: { targets: ['one/m', 'two/m'] } },
      prices: { 'one/*': { input: 1, output: 1000 }, 'two/*': { input: 1, output: 1 } },
    },
    ledger.path,
  )
  return {
    gateway,
    ledger,
    asked: (name) => ({ one, two })[name].requests.length,
    ask: (members = {}, signal) =>
      fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.key}` },
        body: JSON.stringify({ ...asked, ...members }),
        ...(signal !== undefined && { signal }),
      }),
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]()
      await one[Symbol.asyncDispose]()
      await two[Symbol.asyncDispose]()
      ledger[Symbol.dispose]()
    },
  }
}

/** The only row, when the exchange is over. */
async function rowOf({ gateway, ledger }: Rig) {
  await idle(gateway)
  expect(ledger.rows).toHaveLength(1)
  const [row] = ledger.rows
  return { ...row, tries: JSON.parse(row?.tries ?? '[]') as readonly object[] }
}

/** `Hello there`, as it is estimated, at the price of the target that said it. */
const lostTry = (result: string) => ({
  target: 'one/m',
  result,
  lost: { input: 24, output: 4, cost: 24 + 4 * 1000 },
})

test.each([
  ['ends without its end', broken, 'upstream-lost'],
  ['tells of a failure', refusedMidway, 'upstream-failed'],
])(
  'an answer that %s after its first words is given by the next target',
  async (_, script, code) => {
    await using up = await rig([script], [whole])
    const response = await up.ask()
    expect(response.status).toBe(200)
    expect(response.headers.get('x-parley-target')).toBe('two/m')
    expect(await response.json()).toMatchObject({
      choices: [{ message: { content: 'Hello there' } }],
    })
    const row = await rowOf(up)
    // What is charged is the answer that the caller got, and at the price of the target that gave it.
    expect(row).toMatchObject({
      result: 'complete',
      target: 'two/m',
      attempts: 2,
      counted: 'exact',
    })
    expect([row.input, row.output, row.cost]).toEqual([10, 5, 15])
    expect(row.tries).toMatchObject([lostTry(code), { target: 'two/m', result: 'answered' }])
  },
)

// What came before the connection broke may be lost with it, so how much of it was heard is left open.
test.each([
  ['is reset', reset],
  ['is closed', close],
])('an answer whose connection %s is given by the next target', async (_, ending) => {
  await using up = await rig([sse(begun, { ending: [ending] })], [whole])
  expect((await up.ask()).headers.get('x-parley-target')).toBe('two/m')
  const { tries, cost } = await rowOf(up)
  expect(tries).toMatchObject([{ result: 'upstream-lost' }, { result: 'answered' }])
  expect(cost).toBe(15)
})

test('an answer of two streams holds nothing of the one that broke', async () => {
  await using up = await rig([broken], [sse(frames)])
  expect(await (await up.ask()).json()).toMatchObject({
    choices: [{ message: { content: 'Hello there' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5 },
  })
})

test('a failure is told, and what the last target said is charged, when none answers in full', async () => {
  await using up = await rig([broken], [broken])
  const response = await up.ask()
  expect(response.status).toBe(502)
  const row = await rowOf(up)
  expect(row).toMatchObject({ result: 'upstream-lost', target: 'two/m', attempts: 2, cost: 28 })
  expect(row.tries).toMatchObject([
    lostTry('upstream-lost'),
    { target: 'two/m', result: 'upstream-lost' },
  ])
  expect(row.tries[1]).not.toHaveProperty('lost')
})

test.each([
  ['stores something', { store: true }],
  ['acts by itself', { tools: [{ type: 'web_search' }] }],
])('a request that %s is not carried out twice, whatever broke its answer', async (_, members) => {
  for (const script of [broken, refusedMidway]) {
    await using up = await rig([script], [whole])
    expect((await up.ask(members)).status).toBe(502)
    expect(up.asked('two')).toBe(0)
  }
})

test('a caller who streams has seen the beginning, so nobody else is asked', async () => {
  await using up = await rig([broken], [whole])
  const response = await up.ask({ stream: true })
  expect(response.headers.get('x-parley-target')).toBe('one/m')
  await response.text().catch(() => 'broken off')
  expect((await rowOf(up)).result).toBe('upstream-lost')
  expect(up.asked('two')).toBe(0)
})

test('a caller who leaves meanwhile is charged for what had come, and nobody else is asked', async () => {
  await using up = await rig([sse(begun, { ending: [stall] })], [whole])
  const leaving = new AbortController()
  const asking = up.ask({}, leaving.signal).catch(() => 'left')
  while (up.gateway.gateway.inFlight === 0 || up.asked('one') === 0) await new Promise(setImmediate)
  leaving.abort()
  expect(await asking).toBe('left')
  expect(await rowOf(up)).toMatchObject({ result: 'client-left', target: 'one/m', attempts: 1 })
  expect(up.asked('two')).toBe(0)
})

test('the time that a caller waits holds for all attempts together', async () => {
  await using up = await rig([sse(begun, { ending: [stall] })], [whole])
  const response = await up.gateway.post('/v1/chat/completions', asked, {
    'x-stainless-timeout': '0.2',
  })
  expect(response.status).toBe(504)
  expect(up.asked('two')).toBe(0)
})
