import { describe, expect, test } from 'bun:test'

import Anthropic from '@anthropic-ai/sdk'

import { anthropicOf, apiError, bodyOf, fixture, hi, servedBy } from './messages-callers.ts'
import { json, startScriptedUpstream } from './scripted-upstream.ts'
import { startGateway } from './start-gateway.ts'

// How many tokens a request has: the upstream's own count, or an estimate that says so.

const tools: Anthropic.Tool[] = [
  {
    name: 'get_weather',
    description: 'Tells the weather of a place.',
    input_schema: { type: 'object', properties: { place: { type: 'string' } } },
  },
]

const image: Anthropic.ImageBlockParam = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
}

describe('an upstream that can count', () => {
  test('CNT-03 is asked with the bytes of the caller, and is believed', async () => {
    await using upstream = await startScriptedUpstream([json(200, '{"input_tokens":2095}')])
    await using gateway = await startGateway(servedBy('messages', upstream))
    const body = { model: 'm', messages: hi, system: 'be brief', tools }
    const { data, response } = await anthropicOf(gateway).messages.countTokens(body).withResponse()
    expect(data).toEqual({ input_tokens: 2095 })
    expect(response.headers.get('x-parley-notes')).toBeNull()
    const asked = await upstream.request(0)
    expect(asked.path).toBe('/v1/messages/count_tokens')
    expect(asked.body).toBe(JSON.stringify(body))
    expect(asked.headers.get('anthropic-version')).toBe('2026-10-21')
  })

  test('the beta namespace counts as well, with its beta passed on', async () => {
    await using upstream = await startScriptedUpstream([json(200, '{"input_tokens":7}')])
    await using gateway = await startGateway(servedBy('messages', upstream))
    const count = await anthropicOf(gateway).beta.messages.countTokens({ model: 'm', messages: hi })
    expect(count.input_tokens).toBe(7)
    const { headers } = await upstream.request(0)
    expect(headers.get('anthropic-beta')).toContain('token-counting-2024-11-01')
  })

  test('its refusal is the caller’s', async () => {
    const refusal =
      '{"type":"error","error":{"type":"invalid_request_error","message":"tools.0: no"},"request_id":"req_u"}'
    await using upstream = await startScriptedUpstream([json(400, refusal)])
    await using gateway = await startGateway(servedBy('messages', upstream))
    const counting = anthropicOf(gateway).messages.countTokens({ model: 'm', messages: hi })
    const error = await apiError(counting)
    expect(error).toBeInstanceOf(Anthropic.BadRequestError)
    expect(error.apiMessage).toBe('tools.0: no')
  })

  test('T-P06 what is taken out of a request to be answered is taken out of one to be counted', async () => {
    const count = json(200, '{"input_tokens":7}')
    const message = json(200, { type: 'message', id: 'msg_1', content: [], usage: {} })
    await using upstream = await startScriptedUpstream(({ path }) =>
      path.endsWith('count_tokens') ? count : message,
    )
    await using gateway = await startGateway(servedBy('messages', upstream))
    const cache_control = { type: 'ephemeral', ttl: '1h', scope: 'global' }
    const body = {
      model: 'up/real-name',
      system: [
        { type: 'text', text: 'x-anthropic-billing-header: cc_version=2; cch=abc12;' },
        { type: 'text', text: 'You are an agent.', cache_control },
      ],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', cache_control }] }],
    }
    expect((await gateway.post('/v1/messages/count_tokens', body)).status).toBe(200)
    expect((await gateway.post('/v1/messages', { ...body, max_tokens: 16 })).status).toBe(200)
    const [counted, answered] = upstream.requests.map(bodyOf)
    expect(counted).toEqual({
      model: 'real-name',
      system: [{ type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }],
        },
      ],
    })
    expect(answered).toEqual({ ...counted, max_tokens: 16 })
  })
})

describe('an upstream that cannot count', () => {
  test('CNT-03 is known by its having no such path, which is not the vendor’s word for an unknown model', async () => {
    for (const [status, body] of [
      [404, '404 page not found'],
      [404, '{"detail":"Not Found"}'],
      [405, '{"detail":"Method Not Allowed"}'],
    ] as const) {
      await using upstream = await startScriptedUpstream([json(status, body)])
      await using gateway = await startGateway(servedBy('messages', upstream))
      const { messages } = anthropicOf(gateway)
      const told = await messages.countTokens({ model: 'm', messages: hi }).withResponse()
      expect(told.data.input_tokens).toBeGreaterThanOrEqual(1)
      expect(told.response.headers.get('x-parley-notes')).toBe('input_tokens: estimated')
    }
    await using vendor = await startScriptedUpstream([json(404, fixture('error-404-model.json'))])
    await using gateway = await startGateway(servedBy('messages', vendor))
    const { messages } = anthropicOf(gateway)
    const unknown = await apiError(messages.countTokens({ model: 'm', messages: hi }))
    expect(unknown).toBeInstanceOf(Anthropic.NotFoundError)
    expect(unknown.apiMessage).toBe('model: claude-none')
  })

  test('CNT-02 CNT-04 is not asked: the estimate grows with the request and says that it is one', async () => {
    await using upstream = await startScriptedUpstream([json(500, 'never asked')])
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const client = anthropicOf(gateway)
    const plain = await client.messages.countTokens({ model: 'm', messages: hi }).withResponse()
    expect(plain.data.input_tokens).toBeGreaterThanOrEqual(1)
    expect(Object.keys(plain.data)).toEqual(['input_tokens'])
    expect(plain.response.headers.get('x-parley-notes')).toBe('input_tokens: estimated')
    for (const more of [
      { system: 'be brief' },
      { tools },
      { messages: [{ role: 'user' as const, content: [image] }, ...hi] },
    ]) {
      const count = await client.messages.countTokens({ model: 'm', messages: hi, ...more })
      expect(count.input_tokens).toBeGreaterThan(plain.data.input_tokens)
    }
    const beside = { model: 'm', messages: hi, max_tokens: 16, stream: true, temperature: 1 }
    const lenient = await gateway.post('/v1/messages/count_tokens', beside)
    expect(await lenient.json()).toEqual(plain.data)
    expect(upstream.requests).toEqual([])
  })
})

test('CNT-06 a model that is not there, and calls without results, are refused', async () => {
  await using one = await startScriptedUpstream([json(200, '{"input_tokens":1}')])
  await using gateway = await startGateway({
    upstreams: {
      one: { protocol: 'messages', url: one.origin, serves: ['m'] },
      other: { protocol: 'messages', url: one.origin, serves: ['n'] },
    },
  })
  const { messages } = anthropicOf(gateway)
  const unknown = await apiError(messages.countTokens({ model: 'none', messages: hi }))
  expect(unknown).toBeInstanceOf(Anthropic.NotFoundError)
  const call = { type: 'tool_use' as const, id: 'toolu_1', name: 'f', input: {} }
  const unpaired: Anthropic.MessageParam[] = [...hi, { role: 'assistant', content: [call] }, ...hi]
  const refused = await apiError(messages.countTokens({ model: 'm', messages: unpaired }))
  expect(refused).toBeInstanceOf(Anthropic.BadRequestError)
  expect(refused.apiMessage).toContain('toolu_1')
  expect(one.requests).toEqual([])
})
