import { expect, test } from 'bun:test'

import pino from 'pino'

import { parseConfig } from '#config/load.ts'
import { Gateway } from '#gateway.ts'
import { vendorNames } from '#upstreams/vendors/vendors.ts'

import { LedgerFile } from './messages-callers.ts'

// What a gateway is put together from: when that fails, and when another config takes its place.

const log = pino({ level: 'silent' })

function configOf(config: object) {
  const text = JSON.stringify({
    engine: { enabled: false },
    listen: { port: 0, adminPort: 0 },
    ...config,
  })
  return parseConfig(text, 'test', { vendors: vendorNames, builtIn: ['engine'], environment: {} })
}

const found = { name: 'openai', vendor: 'openai', url: 'http://127.0.0.1:9/v1' } as const

test('a gateway that cannot be put together leaves nothing open: another one takes its place', async () => {
  using file = new LedgerFile()
  const options = { config: configOf({}), database: file.path, log }
  const broken = { ...found, url: 'localhost:8000' }
  await expect(Gateway.start({ ...options, discovered: [broken] })).rejects.toThrow()
  await using gateway = await Gateway.start({ ...options, discovered: [] })
  expect(gateway.port).toBeGreaterThan(0)
})

test('what was found is in force until somebody configures an upstream', async () => {
  const own = { protocol: 'chat-completions', url: 'http://127.0.0.1:9/v1', serves: ['mine'] }
  await using gateway = await Gateway.start({
    config: configOf({}),
    discovered: [{ ...found, serves: ['found'] }],
    database: ':memory:',
    log,
  })
  const names = async () => (await gateway.models()).map(({ id }) => id)
  expect(await names()).toEqual(['found'])
  gateway.apply(configOf({ upstreams: { own } }))
  expect(await names()).toEqual(['mine'])
})
