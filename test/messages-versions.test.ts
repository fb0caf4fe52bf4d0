import { describe, expect, test } from 'bun:test'

import Anthropic from '@anthropic-ai/sdk'

import {
  anthropicOf,
  apiError,
  asked,
  bodyOf,
  bothLanes,
  hello,
  servedBy,
} from './messages-callers.ts'
import { json, startScriptedUpstream } from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// The version header: which values there are, and what each of them permits.

interface Refusal {
  readonly error: { readonly type: string; readonly message: string }
  readonly request_id: string
}

/** Posts a body with these version headers and a bearer key, as the newest official clients send it. */
function send(
  gateway: TestGateway,
  versions: Readonly<Record<string, string>>,
  body: object = asked,
  path = '/v1/messages',
): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      ...versions,
    },
    body: JSON.stringify(body),
  })
}

const newest = { 'anthropic-version': '2026-10-21' }
const older = { 'anthropic-version': '2023-06-01' }

async function refusalOf(response: Response): Promise<Refusal['error']> {
  expect(response.status).toBe(400)
  const body = (await response.json()) as Refusal
  expect(body.error.type).toBe('invalid_request_error')
  expect(body.request_id).toBe(response.headers.get('request-id') ?? 'none')
  return body.error
}

describe('the header', () => {
  test('VER-01 VER-02 V1021-02 is known under both of its names, beside either credential', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(servedBy('messages', upstream))
    const key = { 'x-api-key': gateway.key, authorization: '' }
    for (const value of ['2023-06-01', '2023-01-01', '2026-10-21']) {
      for (const name of ['anthropic-version', 'altvendor-version']) {
        expect((await send(gateway, { [name]: value })).status).toBe(200)
        expect((await send(gateway, { [name]: value, ...key })).status).toBe(200)
      }
    }
    const told = upstream.requests.map(({ headers }) => headers.get('anthropic-version'))
    expect(new Set(told)).toEqual(new Set(['2023-06-01', '2023-01-01', '2026-10-21']))
    expect(upstream.requests.some(({ headers }) => headers.has('altvendor-version'))).toBe(false)
  })

  test('VER-04 may stand under both names if they agree', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(servedBy('messages', upstream))
    const both = { ...older, 'altvendor-version': '2023-06-01' }
    expect((await send(gateway, both)).status).toBe(200)
    const twice = { 'anthropic-version': '2023-06-01, 2023-06-01' }
    expect((await send(gateway, twice)).status).toBe(200)
    expect((await upstream.request(1)).headers.get('anthropic-version')).toBe('2023-06-01')
    const differing = { ...older, 'altvendor-version': '2026-10-21' }
    const { message } = await refusalOf(await send(gateway, differing))
    expect(message).toContain('2023-06-01')
    expect(message).toContain('2026-10-21')
    expect(upstream.requests).toHaveLength(2)
  })

  test('VER-05 is needed, unless the operator says otherwise', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    const config = servedBy('messages', upstream)
    await using strict = await startGateway(config)
    const { message } = await refusalOf(await send(strict, {}))
    expect(message).toContain('anthropic-version: header is required')
    expect(upstream.requests).toEqual([])
    await using lenient = await startGateway({ ...config, messages: { requireVersion: false } })
    expect((await send(lenient, {})).status).toBe(200)
    expect((await upstream.request(0)).headers.get('anthropic-version')).toBe('2023-06-01')
  })

  test('VER-06 V1021-03 has no other values, and is never taken for a date', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    const config = servedBy('messages', upstream)
    await using gateway = await startGateway(config)
    for (const value of ['2024-10-22', '2026-10-22', '2027-01-01', '2023-06-01x', 'latest']) {
      for (const name of ['anthropic-version', 'altvendor-version']) {
        const { message } = await refusalOf(await send(gateway, { [name]: value }))
        expect(message).toContain(`${name}: "${value}" is not a valid version`)
      }
    }
    expect(upstream.requests).toEqual([])
    await using wider = await startGateway({ ...config, messages: { versions: ['2027-01-01'] } })
    expect((await send(wider, { 'anthropic-version': '2027-01-01' })).status).toBe(200)
    expect((await upstream.request(0)).headers.get('anthropic-version')).toBe('2027-01-01')
  })

  test('VER-08 V1021-15 is not needed to read the models, and decides how they are told', async () => {
    await using gateway = await startGateway({
      upstreams: { up: { protocol: 'messages', url: 'http://127.0.0.1:9', serves: ['m'] } },
    })
    const list = async (headers: Readonly<Record<string, string>>, query = '') => {
      const url = `${gateway.url}/v1/models${query}`
      const credential = { authorization: `Bearer ${gateway.key}` }
      const response = await fetch(url, { headers: { ...credential, ...headers } })
      expect(response.status).toBe(200)
      return (await response.json()) as { object?: string; data: { type?: string }[] }
    }
    expect((await list({})).object).toBe('list')
    const told = await list(newest, '?limit=5&lifecycle%5B%5D=active')
    expect(told.object).toBeUndefined()
    expect(told.data).toMatchObject([{ type: 'model', id: 'm' }])
    const url = `${gateway.url}/v1/models/m`
    const headers = { authorization: `Bearer ${gateway.key}`, ...newest }
    const one = (await (await fetch(url, { headers })).json()) as object
    expect(Object.keys(one)).toEqual(
      expect.arrayContaining(['type', 'id', 'display_name', 'created_at']),
    )
  })
})

describe('the newest version', () => {
  test.each(bothLanes)(
    'V1021-01 is answered as those before it, by an upstream of %s',
    async (protocol) => {
      await using upstream = await startScriptedUpstream(hello[protocol])
      await using gateway = await startGateway(servedBy(protocol, upstream))
      const one = (await (await send(gateway, newest)).json()) as object
      const other = (await (await send(gateway, older)).json()) as object
      expect(Object.keys(one)).toEqual(Object.keys(other))
      expect(one).toMatchObject({
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'Hello there' }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 10, output_tokens: 5 },
      })
    },
  )

  test.each(bothLanes)(
    'V1021-04 V1021-05 V1021-09 takes no sampling, and older ones do, before an upstream of %s',
    async (protocol) => {
      await using upstream = await startScriptedUpstream(hello[protocol])
      await using gateway = await startGateway(
        servedBy(protocol, upstream, { profile: { topK: true } }),
      )
      const { max_tokens: _most, ...counted } = asked
      const sampling = { temperature: 1, top_p: 0.9, top_k: 5 }
      for (const [name, value] of Object.entries(sampling)) {
        const refused = await send(gateway, newest, { ...asked, [name]: value })
        expect((await refusalOf(refused)).message).toStartWith(`${name}: `)
        const path = '/v1/messages/count_tokens'
        const uncounted = await send(gateway, newest, { ...counted, [name]: value }, path)
        expect((await refusalOf(uncounted)).message).toStartWith(`${name}: `)
      }
      expect(upstream.requests).toEqual([])
      expect((await send(gateway, older, { ...asked, ...sampling })).status).toBe(200)
      expect(bodyOf(await upstream.request(0))).toMatchObject(sampling)
    },
  )

  const document = {
    type: 'document',
    source: { type: 'text', media_type: 'text/plain', data: 'x' },
  }

  test('V1021-06 V1021-09 takes no document said by the assistant, and older ones do', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(servedBy('messages', upstream))
    const messages = [
      ...asked.messages,
      { role: 'assistant', content: [document] },
      ...asked.messages,
    ]
    await refusalOf(await send(gateway, newest, { ...asked, messages }))
    const path = '/v1/messages/count_tokens'
    await refusalOf(await send(gateway, newest, { model: 'm', messages }, path))
    expect(upstream.requests).toEqual([])
    expect((await send(gateway, older, { ...asked, messages })).status).toBe(200)
  })

  const cited = {
    type: 'text',
    text: 'a',
    citations: [
      {
        type: 'char_location',
        cited_text: 'a',
        document_index: 0,
        document_title: null,
        start_char_index: 0,
        end_char_index: 1,
      },
    ],
  }
  const found = { type: 'search_result', source: 's', title: 't', content: [cited] }

  test('V1021-07 V1021-08 takes no citations of the user’s own, and all others', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(servedBy('messages', upstream))
    const user = (...content: object[]) => ({ ...asked, messages: [{ role: 'user', content }] })
    for (const body of [user(cited), user(found)]) {
      await refusalOf(await send(gateway, newest, body))
      expect((await send(gateway, older, body)).status).toBe(200)
    }
    const said = { role: 'assistant', content: [cited] }
    for (const body of [
      user({ ...cited, citations: [] }),
      user({ ...document, citations: { enabled: true } }),
      { ...asked, messages: [...asked.messages, said, ...asked.messages] },
    ]) {
      expect((await send(gateway, newest, body)).status).toBe(200)
    }
  })

  test('V1021-10 goes to an upstream of the same protocol with the betas as the caller sent them', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(servedBy('messages', upstream))
    const betas = { 'anthropic-beta': 'a-1,b-2' }
    for (const version of [newest, older]) await send(gateway, { ...version, ...betas })
    expect(upstream.requests.map(({ headers }) => headers.get('anthropic-version'))).toEqual([
      '2026-10-21',
      '2023-06-01',
    ])
    for (const { headers, body } of upstream.requests) {
      expect(headers.get('anthropic-beta')).toBe('a-1,b-2')
      expect(headers.get('x-api-key')).toBe('sk-of-the-upstream')
      expect(headers.has('authorization')).toBe(false)
      expect(body).toBe(JSON.stringify(asked))
    }
  })

  test('is lowered for an upstream that the operator says knows only an older one', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(
      servedBy('messages', upstream, { profile: { version: '2023-06-01' } }),
    )
    await refusalOf(await send(gateway, newest, { ...asked, temperature: 1 }))
    expect((await send(gateway, newest)).status).toBe(200)
    expect((await upstream.request(0)).headers.get('anthropic-version')).toBe('2023-06-01')
  })

  test('is what the official client sends of itself, with its key as a bearer', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(servedBy('messages', upstream))
    await anthropicOf(gateway).messages.create(asked)
    expect((await upstream.request(0)).headers.get('anthropic-version')).toBe('2026-10-21')
  })

  test.each(bothLanes)(
    'V1021-15 brings members that are passed on or left out, by an upstream of %s',
    async (protocol) => {
      await using upstream = await startScriptedUpstream(hello[protocol])
      await using gateway = await startGateway(servedBy(protocol, upstream))
      const members = {
        speed: 'standard',
        diagnostics: { previous_message_id: null },
        thinking: { type: 'between_tools' },
      }
      expect((await send(gateway, newest, { ...asked, ...members })).status).toBe(200)
      const body = bodyOf(await upstream.request(0))
      if (protocol === 'messages') expect(body).toEqual({ ...asked, ...members })
      else for (const name of Object.keys(members)) expect(body).not.toHaveProperty(name)
    },
  )

  test('V1021-11 an upstream’s refusal goes to the caller byte for byte, and is known by its code', async () => {
    const refusal =
      '{"type":"error", "error":{"type":"invalid_request_error","message":"m","details":{"error_code":"tool_name_conflict","names":["f"]}},"request_id":"req_u"}  '
    await using upstream = await startScriptedUpstream([json(400, refusal)])
    await using gateway = await startGateway(servedBy('messages', upstream))
    const response = await send(gateway, newest)
    expect(response.status).toBe(400)
    expect(await response.text()).toBe(refusal)
    const error = await apiError(anthropicOf(gateway).messages.create(asked))
    expect(error).toBeInstanceOf(Anthropic.ToolNameConflictError)
    expect(error.errorCode).toBe('tool_name_conflict')
    expect(error.apiMessage).toBe('m')
    expect(error.requestID).toMatch(/^req_[0-9a-f]{32}$/)
  })
})
