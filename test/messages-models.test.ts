import { describe, expect, test } from 'bun:test'

import Anthropic from '@anthropic-ai/sdk'

import { anthropicOf, apiError } from './messages-callers.ts'
import { json, startScriptedUpstream } from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// The list of models as a messages caller reads it.

const upstreamModels = {
  data: [
    {
      type: 'model',
      id: 'claude-old',
      display_name: 'Claude Old',
      created_at: '2024-06-20T00:00:00Z',
      max_input_tokens: 200_000,
      max_tokens: 8192,
    },
    {
      type: 'model',
      id: 'claude-new',
      display_name: 'Claude New',
      created_at: '2026-06-20T00:00:00Z',
    },
  ],
  has_more: false,
  first_id: 'claude-old',
  last_id: 'claude-new',
}

const chatModels = {
  object: 'list',
  data: [
    { id: 'Qwen/Qwen3-8B', object: 'model', created: 1_750_000_000, owned_by: 'vllm' },
    { id: 'openai/gpt-4o:free', object: 'model', created: 1_720_000_000, owned_by: 'openai' },
    { id: 'no-date', object: 'model' },
  ],
}

const ids = ['claude-new', 'Qwen/Qwen3-8B', 'openai/gpt-4o:free', 'claude-old', 'no-date']

/** A gateway before one upstream of each protocol, each with a list of its own. */
async function withModels(act: (gateway: TestGateway) => Promise<void>): Promise<void> {
  await using vendor = await startScriptedUpstream([json(200, upstreamModels)])
  await using server = await startScriptedUpstream([json(200, chatModels)])
  await using gateway = await startGateway({
    upstreams: {
      vendor: { protocol: 'messages', url: vendor.origin },
      server: { protocol: 'chat-completions', url: server.url },
    },
  })
  await act(gateway)
}

interface List {
  readonly data: readonly {
    readonly type: string
    readonly id: string
    readonly created_at: string
  }[]
  readonly first_id: string | null
  readonly last_id: string | null
  readonly has_more: boolean
}

async function list(
  { url, key }: TestGateway,
  query = '',
  headers: Readonly<Record<string, string>> = { 'anthropic-version': '2023-06-01' },
): Promise<List> {
  const response = await fetch(`${url}/v1/models${query}`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
    redirect: 'manual',
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toStartWith('application/json')
  return (await response.json()) as List
}

describe('the list of models', () => {
  test('MOD-01 MOD-02 MOD-04 has the shape of this protocol for whoever sends its header', async () => {
    await withModels(async (gateway) => {
      for (const name of ['anthropic-version', 'altvendor-version']) {
        const told = await list(gateway, '', { [name]: '2023-06-01' })
        expect(told.data.map(({ id }) => id)).toEqual(ids)
        for (const model of told.data) {
          expect(model.type).toBe('model')
          expect(model.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
        }
        expect([told.first_id, told.last_id, told.has_more]).toEqual([
          'claude-new',
          'no-date',
          false,
        ])
        expect(told.data[3]).toMatchObject({
          display_name: 'Claude Old',
          max_input_tokens: 200_000,
          max_tokens: 8192,
        })
        expect(told.data[4]?.created_at).toBe('1970-01-01T00:00:00Z')
      }
    })
  })

  test('MOD-01 is asked of a vendor with the version that it needs, and with the gateway’s own key', async () => {
    await using vendor = await startScriptedUpstream([json(200, upstreamModels)])
    await using _gateway = await startGateway({
      upstreams: { vendor: { vendor: 'anthropic', url: vendor.origin, key: 'sk-ant' } },
    })
    const { path, headers } = await vendor.request(0)
    expect(path).toStartWith('/v1/models')
    expect(headers.get('anthropic-version')).toBe('2023-06-01')
    expect(headers.get('x-api-key')).toBe('sk-ant')
  })

  test('MOD-05 is paged through by the official client, every model once', async () => {
    await withModels(async (gateway) => {
      const client = anthropicOf(gateway)
      for (const limit of [1, 2, 20]) {
        const found: string[] = []
        for await (const model of client.models.list({ limit })) {
          found.push(model.id)
          // A list that never moves on would keep the client asking for ever.
          if (found.length > ids.length) break
        }
        expect(found).toEqual(ids)
      }
    })
  })

  test('MOD-06 is paged through backwards too', async () => {
    await withModels(async (gateway) => {
      const page = await list(gateway, '?limit=2&before_id=claude-old')
      expect(page.data.map(({ id }) => id)).toEqual(['Qwen/Qwen3-8B', 'openai/gpt-4o:free'])
      expect(page.has_more).toBe(true)
      const first = await list(gateway, '?limit=2&before_id=Qwen%2FQwen3-8B')
      expect(first.data.map(({ id }) => id)).toEqual(['claude-new'])
      expect(first.has_more).toBe(false)
    })
  })

  test('MOD-08 comes whole and without a redirect for an agent that looks for models', async () => {
    await withModels(async (gateway) => {
      expect((await list(gateway, '?limit=1000')).data).toHaveLength(5)
    })
  })

  test('has no pages of a size that is none', async () => {
    await withModels(async (gateway) => {
      for (const limit of [0, 1001, -1]) {
        const error = await apiError(
          (async () => {
            for await (const _model of anthropicOf(gateway).models.list({ limit }));
          })(),
        )
        expect(error).toBeInstanceOf(Anthropic.BadRequestError)
        expect(error.apiMessage).toStartWith('limit: ')
      }
    })
  })

  test('MOD-09 gives one model by its id, slashes and all, and says of others that they are not found', async () => {
    await withModels(async (gateway) => {
      const client = anthropicOf(gateway)
      expect(await client.models.retrieve('claude-old')).toMatchObject({
        type: 'model',
        id: 'claude-old',
        display_name: 'Claude Old',
        created_at: '2024-06-20T00:00:00Z',
      })
      for (const id of ['openai/gpt-4o:free', 'Qwen/Qwen3-8B', 'server/Qwen/Qwen3-8B'])
        expect((await client.models.retrieve(id)).id).toBe(id)
      const error = await apiError(client.models.retrieve('claude-none'))
      expect(error).toBeInstanceOf(Anthropic.NotFoundError)
      expect(error.type).toBe('not_found_error')
      expect(error.apiMessage).toContain('claude-none')
    })
  })

  test('MOD-10 is empty where there is nothing', async () => {
    await using gateway = await startGateway({})
    expect(await list(gateway)).toEqual({
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
    })
    for await (const _model of anthropicOf(gateway).models.list()) throw new Error('A model?')
  })

  test('is told in the words of this protocol to who shows no more than x-api-key', async () => {
    await withModels(async ({ url, key }) => {
      const shown = await fetch(`${url}/v1/models`, { headers: { 'x-api-key': key } })
      expect(await shown.json()).toMatchObject({ first_id: 'claude-new' })
      const refused = await fetch(`${url}/v1/models`, { headers: { 'x-api-key': 'wrong' } })
      expect(refused.status).toBe(401)
      expect(await refused.json()).toMatchObject({ error: { type: 'authentication_error' } })
    })
  })
})
