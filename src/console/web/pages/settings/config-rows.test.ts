import { expect, test } from 'bun:test'

import { configSections } from './config-rows.ts'

const config = {
  listen: { port: 9000, host: '127.0.0.1' },
  upstreams: { 'away.eu': { key: '[secret]', deadlines: { firstByteMs: 300_000 }, tags: [] } },
  models: { fast: { targets: [{ upstream: 'away', weight: 1 }], strategy: 'fallback' } },
  prices: {},
}

test('every value has a row, with who said it', () => {
  const origins = [
    { path: ['listen', 'port'], from: 'command-line' as const },
    { path: ['upstreams', 'away.eu', 'key'], from: 'environment' as const },
    { path: ['upstreams', 'away.eu', 'deadlines', 'firstByte'], from: 'file' as const },
    { path: ['models', 'fast', 'targets', '0'], from: 'file' as const },
  ]
  const told = configSections({ config, file: null, origins }).flatMap(({ name, rows }) =>
    rows.map((row) => `${name}: ${row.name} = ${row.value} (${row.from})`),
  )
  expect(told).toEqual([
    'listen: port = 9000 (command-line)',
    'listen: host = 127.0.0.1 (default)',
    'upstreams: ["away.eu"].key = [secret] (environment)',
    'upstreams: ["away.eu"].deadlines.firstByteMs = 300000 (file)',
    'upstreams: ["away.eu"].tags = none (default)',
    'models: fast.targets[0].upstream = away (file)',
    'models: fast.targets[0].weight = 1 (file)',
    'models: fast.strategy = fallback (default)',
    'prices: prices = none (default)',
  ])
})

test('where nobody knows who said what, nothing is said of it', () => {
  const sections = configSections({ config, file: null, origins: null })
  expect(sections.flatMap(({ rows }) => rows).some(({ from }) => from !== undefined)).toBe(false)
})
