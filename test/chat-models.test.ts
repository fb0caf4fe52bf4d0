import { describe, expect, test } from 'bun:test'

import OpenAI from 'openai'

import { asked, openaiOf, recorded, recording } from './chat-callers.ts'
import { rejection } from './messages-callers.ts'
import {
  json,
  type RecordedRequest,
  type Script,
  startScriptedUpstream,
} from './scripted-upstream.ts'
import { startGateway, type TestConfig, type TestGateway } from './start-gateway.ts'

// Which models there are, as a chat-completions caller asks.

/** An upstream that lists its models, embeds with those that embed, and chats with the others. */
const listing = (request: RecordedRequest): Script => {
  if (request.path === '/v1/models') return json(200, recording('models.json'))
  if (request.path === '/v1/embeddings') return json(200, recording('embeddings.json'))
  return recorded('text')(request)
}

function configOf({ url }: { readonly url: string }): TestConfig {
  return {
    upstreams: { up: { protocol: 'chat-completions', url, key: 'k' } },
    models: { fast: { targets: ['up/gpt-4o-mini'] } },
  }
}

function get(gateway: TestGateway, path: string, method = 'GET'): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${gateway.key}` },
  })
}

const unusual = 'meta-llama/Llama 3:8b'
const tuned = 'ft:gpt-4o-mini:acemeco:suffix:abc123'

describe('models', () => {
  test('are listed, each once, with the four members that strict clients want (M01)', async () => {
    await using upstream = await startScriptedUpstream(listing)
    await using gateway = await startGateway(configOf(upstream))
    const response = await get(gateway, '/v1/models')
    expect(response.headers.get('content-type')).toBe('application/json')
    const body = (await response.json()) as { object: string; data: Record<string, unknown>[] }
    expect(body.object).toBe('list')
    const ids = body.data.map(({ id }) => id)
    expect(ids).toEqual(['fast', 'gpt-4o-mini', 'text-embedding-3-small', tuned, unusual])
    for (const { object, created, owned_by: owner } of body.data) {
      expect(object).toBe('model')
      expect(Number.isInteger(created)).toBe(true)
      expect(typeof owner).toBe('string')
    }
  })

  test('are each shown as they are listed, and can each be used (M03 M07)', async () => {
    await using upstream = await startScriptedUpstream(listing)
    await using gateway = await startGateway(configOf(upstream))
    const client = openaiOf(gateway)
    const models = await Array.fromAsync(client.models.list())
    expect(models.length).toBe(5)
    for (const model of models) {
      expect(await client.models.retrieve(model.id)).toEqual(model)
      if (model.id.includes('embedding'))
        expect((await client.embeddings.create({ model: model.id, input: 'a' })).data.length).toBe(
          1,
        )
      else {
        const { choices } = await client.chat.completions.create({ ...asked, model: model.id })
        expect(choices.length).toBe(1)
      }
    }
  })

  test.each([
    encodeURIComponent(unusual),
    'meta-llama/Llama%203:8b',
    tuned,
    encodeURIComponent(tuned),
    'up/gpt-4o-mini',
    'up%2Fgpt-4o-mini',
    `up/${encodeURIComponent(unusual)}`,
  ])('are found as %s (M04)', async (path) => {
    await using upstream = await startScriptedUpstream(listing)
    await using gateway = await startGateway(configOf(upstream))
    const response = await get(gateway, `/v1/models/${path}`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ id: decodeURIComponent(path), object: 'model' })
  })

  test('that do not exist are told so (M05 V06)', async () => {
    await using upstream = await startScriptedUpstream(listing)
    await using gateway = await startGateway(configOf(upstream))
    const response = await get(gateway, '/v1/models/none')
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({
      error: { type: 'invalid_request_error', code: 'model_not_found' },
    })
    const failure = await rejection(openaiOf(gateway).models.retrieve('none'))
    expect(failure).toBeInstanceOf(OpenAI.NotFoundError)
  })

  test('cannot be deleted here (M08)', async () => {
    await using gateway = await startGateway({})
    const response = await get(gateway, '/v1/models/fast', 'DELETE')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect(await response.json()).toMatchObject({ error: { code: 'method_not_supported' } })
    expect(await rejection(openaiOf(gateway).models.delete('fast'))).toBeInstanceOf(OpenAI.APIError)
  })

  test('need a key', async () => {
    await using gateway = await startGateway({})
    expect((await fetch(`${gateway.url}/v1/models`)).status).toBe(401)
  })

  test('of an upstream that is down are missing, and nothing else is', async () => {
    await using upstream = await startScriptedUpstream(listing)
    await using down = await startScriptedUpstream([json(500, 'down')])
    const config = configOf(upstream)
    const broken = { protocol: 'chat-completions', url: down.url }
    await using gateway = await startGateway({
      ...config,
      upstreams: { broken, ...config.upstreams },
    })
    expect((await Array.fromAsync(openaiOf(gateway).models.list())).length).toBe(5)
  })
})
