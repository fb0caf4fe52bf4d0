import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pino from 'pino'

import { startGateway, type TestGateway } from './start-gateway.ts'
import { until } from './until.ts'

// What an operator wants of the engine: limits of keys hold, builds for graphics cards are used, logs quote nobody, and
// memory stays as it is.

// A process of the engine that starts anew takes its time on a machine with much else to do.
setDefaultTimeout(20_000)

const model = 'parley-mini'
const messages = [{ role: 'user', content: 'Tell me about Parley.' }]
const usual = { model, messages, max_tokens: 40, temperature: 0 }
const paths = ['/v1/chat/completions', '/v1/messages'] as const

async function tokensOf(response: Response): Promise<number> {
  const { usage } = (await response.json()) as { usage: Record<string, number> }
  return usage['completion_tokens'] ?? usage['output_tokens'] ?? Number.NaN
}

test.each(paths)('a key that may have five tokens an answer gets no more: %s', async (path) => {
  await using gateway = await startGateway({ engine: {} })
  const { key } = await gateway.gateway.keys.issue({ name: 'brief', policy: { maxTokens: 5 } })
  const authorization = `Bearer ${key.reveal()}`
  const response = await gateway.post(path, usual, { authorization })
  expect(response.headers.get('x-parley-notes')).toContain('max_tokens')
  expect(await tokensOf(response)).toBe(5)
  const modest = await gateway.post(path, { ...usual, max_tokens: 3 }, { authorization })
  expect(modest.headers.get('x-parley-notes')).toBeNull()
  expect(await tokensOf(modest)).toBe(3)
})

test('T-L05 a prompt without an answer is read and kept, and its usage says so', async () => {
  await using gateway = await startGateway({ engine: {} })
  const asked = { ...usual, max_tokens: 0 }
  const response = await gateway.post('/v1/messages', asked)
  const body = (await response.json()) as { usage: { cache_creation_input_tokens: number } }
  expect(body).toMatchObject({
    content: [],
    stop_reason: 'max_tokens',
    usage: { input_tokens: 0, output_tokens: 0 },
  })
  const { cache_creation_input_tokens: written } = body.usage
  expect(written).toBeGreaterThan(5)
  const next = await gateway.post('/v1/messages', { ...usual, max_tokens: 1 })
  expect(await next.json()).toMatchObject({
    usage: { input_tokens: 1, cache_read_input_tokens: written - 1 },
  })
})

describe('the builds for graphics cards', () => {
  test('are used where somebody has installed them into the home, and the status says so', async () => {
    const home = mkdtempSync(join(tmpdir(), 'parley-gpu-'))
    const modules = join(home, 'gpu', 'node_modules')
    mkdirSync(modules, { recursive: true })
    const folder = join(modules, 'node-llama-cpp')
    symlinkSync(join(import.meta.dir, '..', 'node_modules', 'node-llama-cpp'), folder)
    try {
      await using gateway = await startGateway({ engine: {} }, ':memory:', undefined, { home })
      expect((await gateway.post('/v1/chat/completions', usual)).status).toBe(200)
      expect(gateway.gateway.engine?.status().builds).toBe(folder)
    } finally {
      rmSync(home, { recursive: true })
    }
  })

  test('are not looked for elsewhere', async () => {
    await using gateway = await startGateway({ engine: {} })
    expect((await gateway.post('/v1/chat/completions', usual)).status).toBe(200)
    const status = gateway.gateway.engine?.status()
    expect(status?.pid).toBeGreaterThan(0)
    expect(status?.builds).toBeUndefined()
  })
})

test('the log of a lost process quotes no schema', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  await using gateway = await startGateway({ engine: {} }, ':memory:', log)
  const response = await gateway.post('/v1/chat/completions', {
    ...usual,
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'x',
        schema: { $ref: '#', description: 'canary', properties: { canary: { const: 'canary' } } },
      },
    },
  })
  expect(response.status).toBe(400)
  process.kill(gateway.gateway.engine?.status().pid ?? Number.NaN, 'SIGSEGV')
  await until(() => lines.some((line) => line.includes('SIGSEGV')))
  expect(lines.join('')).not.toContain('canary')
})

test.if(process.platform === 'linux')(
  'three hundred chats in a row leave no memory behind',
  async () => {
    await using gateway = await startGateway({ engine: {} })
    await chats(gateway, 100)
    const before = megabytesOf(gateway)
    await chats(gateway, 200)
    expect(megabytesOf(gateway) - before).toBeLessThan(48)
  },
)

async function chats(gateway: TestGateway, count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    const content = `Hello number ${at}!`
    const asked = { ...usual, messages: [{ role: 'user', content }], max_tokens: 4 }
    const response = await gateway.post(paths[at % 2] ?? paths[0], asked)
    await response.text()
    expect(response.status).toBe(200)
  }
}

/** Resident memory of the engine's process. */
function megabytesOf({ gateway }: TestGateway): number {
  const status = readFileSync(`/proc/${gateway.engine?.status().pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}
