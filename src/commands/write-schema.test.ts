import { expect, test } from 'bun:test'

import { upstreamProblems } from '#commands/health/upstream-problems.ts'
import { parseConfig } from '#config/load.ts'
import { vendorNames } from '#upstreams/vendors/vendors.ts'

import { schemaFile, schemaText } from './write-schema.ts'

test('the published schema is that of this version: run src/commands/write-schema.ts after a change', async () => {
  expect(await Bun.file(schemaFile).text()).toBe(schemaText())
})

test('what only the upstreams know to be wrong is told with everything else, by its path', () => {
  const text = `
    upstreams:
      a: { vendor: azure, key: k }
      b: { vendor: groq, url: 'http://169.254.169.254/' }
      c: { vendor: vllm, protocol: messages, profile: { maxOutput: 100 } }
    models: { m: { targets: [d/x] } }
  `
  const options = { vendors: vendorNames, environment: {}, check: upstreamProblems }
  expect(() => parseConfig(text, 'parley.yaml', options)).toThrow(
    [
      'parley.yaml has 3 problems:',
      'upstreams.a: needs a `url`: every installation has its own',
      'upstreams.b: `url` must not be a link-local address: cloud metadata lives there',
      'models.m.targets[0]: found `d/x`, expected one of the upstreams (`a`, `b`, `c`) before the first slash',
    ].join('\n  '),
  )
})

test('a model whose target or rescue is an engine that is switched off is told of', () => {
  const text = `
    upstreams: { a: { protocol: chat-completions, url: 'http://127.0.0.1:9/v1' } }
    engine: { enabled: false }
    models: { m: { targets: [a/x, engine/parley-mini], rescue: engine/parley-mini } }
  `
  const known = { vendors: vendorNames, builtIn: ['engine'], environment: {} }
  expect(() => parseConfig(text, 'parley.yaml', { ...known, check: upstreamProblems })).toThrow(
    [
      'parley.yaml has 2 problems:',
      'models.m.targets[1]: names the engine, which `engine.enabled` switches off',
      'models.m.rescue: names the engine, which `engine.enabled` switches off',
    ].join('\n  '),
  )
})
