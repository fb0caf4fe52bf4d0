import { readFileSync } from 'node:fs'

import Table from 'cli-table3'

import { startGateway, type TestGateway } from '#test/start-gateway.ts'

/**
 * Runs many short chats in a row through the whole gateway, in both protocols, streamed and not, and prints the memory
 * of the gateway and of the engine's process as it goes: `--chats 10000`.
 */
const chats = numberAfter('--chats') ?? 10_000
const callers = 4
const tokens = 4

const table = new Table({
  head: ['chats', 'gateway MB', 'engine MB'],
  style: { head: [], border: [] },
})
await using gateway = await startGateway({ engine: { sequences: callers } })
await chat(gateway, 0)
tell(0)
const startedAt = performance.now()
for (let tenth = 1; tenth <= 10; tenth++) {
  const from = Math.round(((tenth - 1) * chats) / 10)
  const to = Math.round((tenth * chats) / 10)
  const left = Array.from({ length: to - from }, (_, at) => from + at).values()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (const at of left) await chat(gateway, at)
    }),
  )
  tell(to)
}
console.log(table.toString())
console.log(`${chats} chats in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`)

async function chat(on: TestGateway, at: number): Promise<void> {
  const response = await on.post(at % 2 === 0 ? '/v1/chat/completions' : '/v1/messages', {
    model: 'parley-mini',
    messages: [{ role: 'user', content: `Hello number ${at}!` }],
    max_tokens: tokens,
    stream: at % 4 < 2,
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
}

function tell(done: number): void {
  const child = on(gateway.gateway.engine?.status().pid)
  table.push([done, megabytes(process.pid).toFixed(0), megabytes(child).toFixed(0)])
  console.error(
    `${done} chats: ${megabytes(process.pid).toFixed(0)} MB, ${megabytes(child).toFixed(0)} MB`,
  )
}

function on(pid: number | undefined): number {
  if (pid === undefined) throw new Error('The engine has no process.')
  return pid
}

function megabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

function numberAfter(flag: string): number | undefined {
  const at = process.argv.indexOf(flag)
  return at === -1 ? undefined : Number(process.argv[at + 1])
}
