import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

import { exitCodes } from '#commands/exit-codes.ts'
import type { Outside } from '#commands/outside.ts'
import { runProgram } from '#commands/program.ts'
import { costOf } from '#prices/charge.ts'
import { Prices } from '#prices/prices.ts'
import { vendorPrices } from '#prices/vendor-prices.ts'
import { chatCompletions } from '#protocols/chat-completions/protocol.ts'
import { decodeUsage as decodeChatUsage } from '#protocols/chat-completions/usage.ts'
import { messages } from '#protocols/messages/protocol.ts'
import { decodeUsage as decodeMessagesUsage } from '#protocols/messages/usage.ts'
import { brandAs } from '#std/brand.ts'
import { fitsGlob } from '#std/glob.ts'
import { buildRemote } from '#upstreams/build-remote.ts'
import { isVendorName, type VendorName, vendorNamed } from '#upstreams/vendors/vendors.ts'

import { asked as askedChat } from './chat-callers.ts'
import { asked as askedMessages, hello, servedBy } from './messages-callers.ts'
import { startScriptedUpstream } from './scripted-upstream.ts'
import { startGateway } from './start-gateway.ts'

const now = () => Date.UTC(2026, 10, 21)

describe('what a vendor counts costs what its bill says:', () => {
  const prices = new Prices({}, now)

  /** The cost of what an upstream of this vendor counted for its model, in micro-dollars. */
  function cost(vendor: VendorName, model: string, wire: object): number {
    const upstream = buildRemote(
      { name: 'up', vendor, url: 'http://127.0.0.1:1' },
      { 'chat-completions': chatCompletions, messages },
    )
    const target = upstream.target(brandAs(model))
    const decode = target.protocol === 'messages' ? decodeMessagesUsage : decodeChatUsage
    const [price, usage] = [prices.of(target), decode(wire)]
    if (price === undefined || usage === undefined) throw new Error('neither price nor usage')
    return costOf(usage, price)
  }

  test('OpenAI: a prompt includes what was cached, an answer includes its thoughts', () => {
    const wire = {
      prompt_tokens: 3000,
      completion_tokens: 500,
      total_tokens: 3500,
      prompt_tokens_details: { cached_tokens: 2000 },
      completion_tokens_details: { reasoning_tokens: 300 },
    }
    // 1000 × 1.25 + 2000 × 0.125 + 500 × 10
    expect(cost('openai', 'gpt-5-2025-08-07', wire)).toBe(1250 + 250 + 5000)
  })

  test('OpenAI: a prompt of more than 272,000 tokens costs twice, its answer half as much again', () => {
    const wire = { prompt_tokens: 272_001, completion_tokens: 10 }
    expect(cost('openai', 'gpt-5.4', wire)).toBe(272_001 * 5 + 225)
    expect(cost('openai', 'gpt-5.4', { ...wire, prompt_tokens: 272_000 })).toBe(680_000 + 150)
  })

  test('Anthropic: reads and writes of the cache come on top of the input', () => {
    const wire = {
      input_tokens: 21,
      cache_read_input_tokens: 188_086,
      cache_creation_input_tokens: 1000,
      output_tokens: 393,
    }
    // 21 × 5 + 188,086 × 0.50 + 1000 × 6.25 + 393 × 25
    expect(cost('anthropic', 'claude-opus-5', wire)).toBe(105 + 94_043 + 6250 + 9825)
  })

  test('DeepSeek: hits of the cache have a member of their own', () => {
    const wire = {
      prompt_tokens: 1500,
      prompt_cache_hit_tokens: 1000,
      prompt_cache_miss_tokens: 500,
      completion_tokens: 200,
    }
    // 500 × 0.30 + 1000 × 0.006 + 200 × 1.20
    expect(cost('deepseek', 'deepseek-flash', wire)).toBe(150 + 6 + 240)
  })

  test('xAI: thoughts that the completion leaves out are charged too', () => {
    const wire = {
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 450,
      completion_tokens_details: { reasoning_tokens: 300 },
    }
    // 100 × 2 + 350 × 6
    expect(cost('xai', 'grok-4.6', wire)).toBe(200 + 2100)
  })

  test('a server that puts the cached tokens beside the others is not charged twice for them', () => {
    const wire = { prompt_tokens: 3000, completion_tokens: 0, cached_tokens: 2000 }
    expect(cost('groq', 'openai/gpt-oss-120b', wire)).toBe(150 + 150)
  })

  test('embeddings have input only', () => {
    const wire = { prompt_tokens: 5001, total_tokens: 5001 }
    expect(cost('openai', 'text-embedding-3-small', wire)).toBe(101)
  })
})

describe('an image has a price of its own', () => {
  const url = 'https://example.com/a.png'
  const callers = [
    ['/v1/chat/completions', askedChat, { type: 'image_url', image_url: { url } }],
    ['/v1/messages', askedMessages, { type: 'image', source: { type: 'url', url } }],
  ] as const

  test.each(callers)('that the caller is charged once, at %s', async (path, asked, image) => {
    await using upstream = await startScriptedUpstream(hello['chat-completions'])
    await using gateway = await startGateway({
      ...servedBy('chat-completions', upstream),
      prices: { 'up/*': { input: 0, output: 0, image: 0.5 } },
    })
    const { key, id } = await gateway.gateway.keys.issue({ name: 'sees' })
    const authorization = `Bearer ${key.reveal()}`
    await gateway.gateway.budgets.set(`key:${id}`, 'total', { amount: 10_000_000, isStrict: true })
    const content = [{ type: 'text', text: 'What is this?' }, image]
    const body = { ...asked, messages: [{ role: 'user', content }] }
    const response = await gateway.post(path, body, { authorization })
    expect(response.status).toBe(200)
    await response.text()
    const [budget] = await gateway.gateway.budgets.list(`key:${id}`)
    expect(budget).toMatchObject({ used: 500_000, held: 0 })
  })
})

describe('the lists of prices', () => {
  test('are those of vendors that there are', () => {
    expect([...vendorPrices.keys()].filter((vendor) => !isVendorName(vendor))).toEqual([])
  })

  test.each([...vendorPrices])(
    'of %s holds models that the vendor claims as its own',
    (name, list) => {
      if (!isVendorName(name)) throw new Error(name)
      const { claims } = vendorNamed(name)
      if (claims === undefined) return
      const strange = list.rows.filter(([model]) => !claims.some((claim) => fitsGlob(model, claim)))
      const known = /^(?:ft:|codex-mini|open-mistral)/
      expect(strange.map(([model]) => model).filter((model) => !known.test(model))).toEqual([])
    },
  )
})

describe('parley prices', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-prices-'))
    writeFileSync(
      join(folder, 'parley.yaml'),
      `
upstreams:
  mine: { vendor: openai, key: sk-1234 }
  gpu-box: { protocol: chat-completions, url: 'http://127.0.0.1:1/v1', serves: [free, qwen3-8b] }
models:
  smart: { targets: [mine/gpt-4o, mine/gpt-99] }
prices:
  gpu-box/qwen*: { input: 0.10, output: 0.30 }
`,
    )
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  async function run(...args: string[]) {
    const printed: string[] = []
    const hinted: string[] = []
    const outside: Outside = {
      environment: { PARLEY_HOME: folder, PARLEY_CONFIG: join(folder, 'parley.yaml') },
      isInteractive: false,
      columns: 100,
      now,
      print: (text) => void printed.push(stripVTControlCharacters(text)),
      hint: (text) => void hinted.push(stripVTControlCharacters(text)),
      ask: async () => '',
    }
    const exitCode = await runProgram(args, outside)
    return { exitCode, printed: printed.join('\n'), hinted: hinted.join('\n') }
  }

  test('lists every price there is, those of the config first, in lines that fit', async () => {
    const { exitCode, printed, hinted } = await run('prices')
    const lines = printed.split('\n')
    expect(exitCode).toBe(exitCodes.done)
    expect(lines[1]).toMatch(/^gpu-box\/qwen\* +0\.10 +– +– +0\.30 +2026-11-21 +config$/)
    expect(lines.length).toBeGreaterThan(150)
    expect(lines.every((line) => line.length <= 100)).toBe(true)
    expect(hinted).toContain('Dollars for a million tokens')
  })

  test('says what one model costs, with the upstreams of the config', async () => {
    const { printed, hinted } = await run('prices', 'mine/gpt-5.4-2026-03-05')
    expect(printed).toMatch(/mine\/gpt-5\.4-2026-03-05 +2\.50 +0\.25 +– +15\.00 \* +2026-03-05/)
    expect(hinted).toContain('Above 272,000 tokens of input: 5.00 in, 22.50 out.')
    expect((await run('prices', 'qwen3-8b')).printed).toContain('gpu-box/qwen3-8b')
  })

  test('takes a glob, and prints whole micro-dollars for programs', async () => {
    const { printed } = await run('prices', 'claude-haiku-4*', '--json')
    expect(JSON.parse(printed)).toEqual([
      {
        model: 'anthropic/claude-haiku-4-5',
        input: 1_000_000,
        output: 5_000_000,
        cacheRead: 100_000,
        cacheWrite: 1_250_000,
        since: '2025-10-15',
        source: 'Anthropic, pricing page of the API documentation',
      },
    ])
  })

  test('says that a model without a price is charged zero', async () => {
    expect((await run('prices', 'gpu-box/free')).printed).toContain('charged zero')
    expect((await run('prices', 'gpu-box/free', '--json')).printed).toBe('[]')
  })

  test('check names the models of the config that have no price', async () => {
    const { printed } = await run('check')
    expect(printed).toContain('no price   mine/gpt-99, gpu-box/free (charged zero)')
    expect(JSON.parse((await run('check', '--json')).printed)).toMatchObject({
      unpriced: ['mine/gpt-99', 'gpu-box/free'],
    })
  })
})
