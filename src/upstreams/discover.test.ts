import { describe, expect, test } from 'bun:test'

import { json, neverAnswer, startScriptedUpstream } from '#test/scripted-upstream.ts'

import { discover } from './discover.ts'

const nowhere = { ports: {}, ownPorts: [8700] }

describe('without a config', () => {
  test('every vendor with a key in the environment is an upstream', async () => {
    const environment = {
      OPENAI_API_KEY: ' sk-1\n',
      ANTHROPIC_API_KEY: 'sk-2',
      GROQ_API_KEY: '',
      OTHER: 'x',
    }
    const found = await discover({ environment, ...nowhere })
    expect(found.map(({ name, vendor }) => [name, vendor])).toEqual([
      ['openai', 'openai'],
      ['anthropic', 'anthropic'],
    ])
    expect(found[0]?.key?.reveal()).toBe('sk-1')
    expect(JSON.stringify(found)).not.toContain('sk-')
  })

  test('a key for an address of its own goes there, and one for this very gateway is nobody’s', async () => {
    const environment = {
      OPENAI_API_KEY: 'sk-1',
      OPENAI_BASE_URL: 'http://localhost:8700/v1',
      MISTRAL_API_KEY: 'sk-2',
      MISTRAL_BASE_URL: 'http://proxy:9000/v1',
      AZURE_OPENAI_API_KEY: 'sk-3',
    }
    expect(await discover({ environment, ...nowhere })).toMatchObject([
      { name: 'mistral', url: 'http://proxy:9000/v1' },
    ])
  })

  test('an address that is none is told of, and the rest is used', async () => {
    const environment = {
      OPENAI_API_KEY: 'sk-1',
      OPENAI_BASE_URL: 'localhost:8000',
      MISTRAL_API_KEY: 'sk-2',
    }
    const problems: string[] = []
    const report = (problem: string): void => void problems.push(problem)
    const found = await discover({ environment, ...nowhere, report })
    expect(found.map(({ name }) => name)).toEqual(['mistral'])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain('openai')
  })

  test('a model server that lists its models on its usual port is one too', async () => {
    const list = { object: 'list', data: [{ id: 'm' }] }
    await using ollama = await startScriptedUpstream([json(200, list)])
    await using website = await startScriptedUpstream([json(200, '<html></html>')])
    await using silent = await startScriptedUpstream([neverAnswer])
    await using own = await startScriptedUpstream([json(200, list)])
    const ports = {
      ollama: ollama.port,
      vllm: website.port,
      sglang: silent.port,
      lmstudio: own.port,
    }
    const found = await discover({ environment: {}, ports, ownPorts: [own.port], patienceMs: 100 })
    expect(found).toEqual([{ name: 'ollama', vendor: 'ollama', url: ollama.url }])
    expect((await ollama.request(0)).path).toBe('/v1/models')
    expect(own.requests.length).toBe(0)
    await (
      await silent.request(0)
    ).closed
  })
})
