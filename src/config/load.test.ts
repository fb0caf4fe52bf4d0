import { describe, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { changedSections } from './changed-sections.ts'
import { loadConfig, parseConfig } from './load.ts'
import { ConfigError } from './problem.ts'

const vendors = ['openai', 'groq'] as const
const environment = { OPENAI_API_KEY: 'sk-canary-openai', PORT: '9000' }

function parse(text: string) {
  return parseConfig(text, 'parley.yaml', { vendors, environment })
}

/** The lines of what is wrong with a config, without the heading. */
function complaints(text: string): string[] {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n  ').slice(1)
    throw error
  }
  return []
}

describe('a config', () => {
  test('may be empty: everything has a default', () => {
    expect(parse('')).toMatchObject({
      listen: { host: '127.0.0.1', port: 8700, adminPort: 8701, adminHost: '127.0.0.1' },
      limits: { body: 33_554_432 },
      upstreams: {},
      models: {},
      messages: { requireVersion: true },
      translation: { strict: false },
      log: { level: 'info' },
    })
  })

  test('is read with its references to the environment, its units and its targets', () => {
    const config = parse(`
      listen: { port: "\${PORT}", host: "\${HOST:-0.0.0.0}" }
      limits: { body: 64MiB }
      upstreams:
        openai: { vendor: openai, key: "\${OPENAI_API_KEY}", deadlines: { firstByte: 5m, silence: 500ms } }
        gpu-box:
          protocol: chat-completions
          url: http://10.0.0.5:8000/v1
          headers: { x-literal: "$\${NOT_SET}" }
          models: { "qwen3-*": { maxOutput: 8192, reasoningOff: { think: false } } }
      models:
        fast: { targets: [gpu-box/org/qwen3-8b, openai/gpt-6], strategy: fallback }
    `)
    expect(config.listen).toMatchObject({ port: 9000, host: '0.0.0.0' })
    expect(config.limits.body).toBe(67_108_864)
    expect(config.upstreams['openai']).toMatchObject({
      vendor: 'openai',
      deadlines: { firstByteMs: 300_000, silenceMs: 500 },
    })
    expect(config.upstreams['openai']?.key?.reveal()).toBe('sk-canary-openai')
    expect(config.upstreams['gpu-box']).toMatchObject({
      headers: { 'x-literal': '${NOT_SET}' },
      models: { 'qwen3-*': { maxOutput: 8192, reasoningOff: '{"think":false}' } },
    })
    expect(config.models['fast']?.targets).toEqual([
      { upstream: 'gpu-box', model: 'org/qwen3-8b', weight: 1 },
      { upstream: 'openai', model: 'gpt-6', weight: 1 },
    ])
    expect(JSON.stringify(config)).not.toContain('sk-canary')
    expect(Bun.inspect(config)).not.toContain('sk-canary')
  })

  test('that is wrong in many places is told of all of them, with path, find and expectation', () => {
    expect(
      complaints(`
        listn: { port: 1 }
        listen: { port: 99999 }
        limits: { body: huge }
        upstreams:
          a: { vendor: groc, ky: x }
          b: { protocol: chat-completions }
          c: { vendor: openai, key: "\${MISSING}", deadlines: { total: 10 } }
          "d/e": { vendor: openai }
          f: { vendor: groq, models: { "x*": { maxTokenField: max_tokens } } }
        models:
          fast: { targets: [nowhere/m, plain, { target: away/m }], rescue: lost/m }
          slow: { targets: [], strategy: random }
        log: { level: loud }
      `),
    ).toEqual([
      'upstreams.c.key: found ${MISSING}, the environment variable MISSING to be set',
      'listen.port: found `99999`, expected a whole number from 0 to 65535',
      'limits.body: found `huge`, expected a number of bytes, or a size such as `512KiB` or `32MiB`',
      'upstreams.a.vendor: found `groc`, expected one of `openai`, `groq`',
      'upstreams.a.ky: found an unknown key, did you mean `key`?',
      'upstreams.b: found a mapping, expected a `vendor`, or a `protocol` and a `url`',
      'upstreams.c.deadlines.total: found `10`, expected a time such as `500ms`, `90s`, `2m` or `1h`',
      'upstreams["d/e"]: found this key, expected a name of letters, digits, `.`, `_` and `-`',
      'upstreams.f.models["x*"].maxTokenField: found an unknown key, did you mean `maxTokensField`?',
      'models.fast.targets[1]: found `plain`, expected a target as `upstream/model`, or as `{ target: upstream/model, weight: 2 }`',
      'models.slow.targets: found a list, expected at least one target',
      'models.slow.strategy: found `random`, expected `fallback`, `weighted`, `least-busy`, `lowest-latency`, `cheapest` or `sticky`',
      'log.level: found `loud`, expected one of `trace`, `debug`, `info`, `warn`, `error`, `silent`',
      'listn: found an unknown key, did you mean `listen`?',
      'models.fast.targets[0]: found `nowhere/m`, expected one of the upstreams (`a`, `b`, `c`, `d/e`, `f`) before the first slash',
      'models.fast.targets[2]: found `away/m`, expected one of the upstreams (`a`, `b`, `c`, `d/e`, `f`) before the first slash',
      'models.fast.rescue: found `lost/m`, expected one of the upstreams (`a`, `b`, `c`, `d/e`, `f`) before the first slash',
    ])
  })

  test('with a target at an upstream that is not there is told which there are', () => {
    const text = 'upstreams: { a: { vendor: openai } }\nmodels: { m: { targets: [b/x, engine/y] } }'
    expect(complaints(text)).toEqual([
      'models.m.targets[0]: found `b/x`, expected one of the upstreams (`a`) before the first slash',
      'models.m.targets[1]: found `engine/y`, expected one of the upstreams (`a`) before the first slash',
    ])
    const known = { vendors, environment, builtIn: ['b', 'engine'] }
    expect(parseConfig(text, 'parley.yaml', known).models['m']?.targets.length).toBe(2)
  })

  test('never shows a key, wherever it is wrong', () => {
    const text = `
      upstreams:
        a: { vendor: openai, key: "sk-canary-one\\nx" }
        b: { vendor: openai, key: [sk-canary-two] }
        c: { vendor: openai, url: "\${OPENAI_API_KEY}", auth: "\${OPENAI_API_KEY}" }
        d: { vendor: openai, headers: { "bad name": sk-canary-three, x: [sk-canary-four] } }
    `
    const told = complaints(text)
    expect(told.length).toBe(5)
    expect(told.join('\n')).not.toContain('sk-canary')
  })

  test('that is no YAML, or says a key twice, is told where', () => {
    expect(complaints('listen: { port: 1')[0]).toMatch(/line 1/)
    expect(complaints('log: {}\nlog: {}')[0]).toMatch(/unique.*line 2/i)
    expect(complaints('- a list')).toEqual(['found a list, expected a mapping of keys to values'])
  })

  test('may be found wanting by other parts, by the same words', () => {
    const check = () => [{ path: ['upstreams', 'a', 'url'], expected: 'must be reachable' }]
    const options = { vendors, environment, check }
    expect(() => parseConfig('', 'parley.yaml', options)).toThrow(
      'parley.yaml has a problem:\n  upstreams.a.url: must be reachable',
    )
  })
})

describe('the file of the config', () => {
  test('is the one that was named, else that of PARLEY_CONFIG, else parley.yaml, else there is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-config-'))
    try {
      const load = (path?: string, config?: string) =>
        loadConfig({
          path,
          folder,
          environment: { PARLEY_CONFIG: config },
          vendors,
        })
      expect(await load()).toMatchObject({ path: undefined, config: { listen: { port: 8700 } } })
      for (const [index, name] of ['parley.yaml', 'b.yaml', 'c.yaml'].entries())
        await writeFile(join(folder, name), `listen: { port: ${index + 1} }`)
      expect((await load()).config.listen.port).toBe(1)
      expect((await load(undefined, 'b.yaml')).config.listen.port).toBe(2)
      expect(await load('c.yaml', 'b.yaml')).toMatchObject({
        path: join(folder, 'c.yaml'),
        config: { listen: { port: 3 } },
      })
      const missing = await load('d.yaml').catch((error: unknown) => error)
      expect(missing).toHaveProperty(
        'message',
        `${join(folder, 'd.yaml')} has a problem:\n  there is no such file`,
      )
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('two configs', () => {
  const text = 'upstreams: { a: { vendor: openai, key: one } }'

  test('differ in the sections that say something else', () => {
    expect(changedSections(parse(text), parse(text))).toEqual([])
    expect(changedSections(parse(text), parse(`${text}\nlog: { level: debug }`))).toEqual(['log'])
  })

  test('differ if a key does, though it cannot be seen', () => {
    expect(changedSections(parse(text), parse(text.replace('one', 'two')))).toEqual(['upstreams'])
  })
})
