import { describe, expect, test } from 'bun:test'

import { Secret } from '#std/secret.ts'
import {
  bodyOf,
  call,
  failureOf,
  hear,
  meaningOf,
  model,
  open,
  remote,
  reply,
  requestIn,
} from '#test/remote-rig.ts'
import { close, head, json, reset, startScriptedUpstream, write } from '#test/scripted-upstream.ts'

import { problemWith } from './build-remote.ts'

const key = new Secret('sk-canary-1234567890')

describe('a request to an upstream', () => {
  test('goes as it was said, with the target’s model and the upstream’s own credentials (T-P01, T-P02)', async () => {
    await using up = await startScriptedUpstream([json(200, reply)])
    const upstream = remote({ protocol: 'chat-completions', url: up.url, key })
    const request = requestIn('chat-completions', { odd: [1.5] })
    const heard = await hear(await open(upstream, request))
    const sent = await up.request(0)
    expect([sent.method, sent.path]).toEqual(['POST', '/v1/chat/completions'])
    expect(sent.body).toBe(request.body.text.replace('"asked"', '"m-1"'))
    expect(sent.headers.get('authorization')).toBe(`Bearer ${key.reveal()}`)
    expect(sent.headers.get('accept-encoding')).toBe('identity')
    expect(heard.text).toBe(JSON.stringify(reply))
  })

  test('is said anew for an upstream of the other protocol, whose answer is told by its meaning', async () => {
    const answered = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'real',
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 3, output_tokens: 2 },
    }
    await using up = await startScriptedUpstream([json(200, answered)])
    const upstream = remote({ protocol: 'messages', url: up.origin, key })
    const answer = await open(upstream, requestIn('chat-completions'))
    const { steps } = await hear(answer)
    const sent = await up.request(0)
    expect(sent.path).toBe('/v1/messages')
    expect(sent.headers.get('x-api-key')).toBe(key.reveal())
    expect(sent.headers.get('anthropic-version')).toBe('2023-06-01')
    expect(sent.headers.has('authorization')).toBe(false)
    expect(answer.words).toBeUndefined()
    expect(meaningOf(steps)).toBe('Hello')
  })

  test('carries the operator’s headers and query, and Azure’s URL and key header', async () => {
    await using up = await startScriptedUpstream([json(200, reply)])
    const azure = remote({ vendor: 'azure', url: up.origin, key, headers: { 'x-team': 'blue' } })
    await open(azure, requestIn('chat-completions'))
    const sent = await up.request(0)
    expect(sent.path).toBe('/openai/deployments/m-1/chat/completions?api-version=2024-10-21')
    expect([sent.headers.get('api-key'), sent.headers.get('x-team')]).toEqual([
      key.reveal(),
      'blue',
    ])
  })

  test('is not sent at all once the caller has left', async () => {
    await using up = await startScriptedUpstream([json(200, reply)])
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    const left = AbortSignal.abort(new Error('left'))
    expect(await failureOf(open(upstream, requestIn('chat-completions'), left))).toBeDefined()
    expect(up.requests.length).toBe(0)
  })
})

describe('what an upstream says of a failure', () => {
  const failures = [
    ['R05: 500', json(500, { error: { message: 'boom' } }), 'upstream-failed', 502],
    [
      'R07: a code that is a number',
      json(400, { error: { code: 400, message: 'no' } }),
      'upstream-refused',
      400,
    ],
    [
      'R08, T-E07: a page of HTML',
      json(502, '<html>Bad gateway</html>', { 'content-type': 'text/html' }),
      'upstream-failed',
      502,
    ],
    [
      'R09: our key is wrong',
      json(401, { error: { message: `Incorrect API key ${key.reveal()}` } }),
      'upstream-unauthorised',
      502,
    ],
    ['503', json(503, { error: { message: 'busy' } }), 'upstream-overloaded', 503],
    [
      'N13: 200 with HTML',
      json(200, '<html></html>', { 'content-type': 'text/html' }),
      'upstream-failed',
      502,
    ],
    ['N13: 200 with nothing', json(200, ''), 'upstream-failed', 502],
    ['N13: 200 with invalid JSON', json(200, '{"choices":'), 'upstream-failed', 502],
    ['N14: 200 without choices', json(200, { id: 'x' }), 'upstream-failed', 502],
    ['N14: 200 with no choice', json(200, { ...reply, choices: [] }), 'upstream-failed', 502],
    [
      'a 200 that is an error',
      json(200, { error: { message: 'overloaded', code: 503 } }),
      'upstream-overloaded',
      503,
    ],
    [
      'a redirect',
      json(302, '', { location: 'http://127.0.0.1:1/stolen' }),
      'upstream-failed',
      502,
    ],
    ['204', [write(head(204, {}))], 'upstream-failed', 502],
    ['no HTTP at all', [write('garbage\r\n\r\n'), close], 'upstream-lost', 502],
    ['a reset before the first byte', [reset], 'upstream-lost', 502],
  ] as const

  test.each(failures)(
    '%s is a failure before any answer, in our words',
    async (_, script, code, status) => {
      await using up = await startScriptedUpstream([script])
      const upstream = remote({ protocol: 'chat-completions', url: up.url, key })
      const failure = await failureOf(open(upstream, requestIn('chat-completions')))
      expect([failure?.code, failure?.status]).toEqual([code, status])
      expect(failure?.message).not.toMatch(/<html|sk-canary|stolen/)
      expect(JSON.stringify(failure?.upstream ?? {})).not.toMatch(/sk-canary/)
      expect(Bun.inspect(failure)).not.toMatch(/sk-canary/)
      expect(up.requests.length).toBe(1)
    },
  )

  test('a 429 brings the time to wait, from either protocol (T-E01)', async () => {
    const busy = { type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } }
    await using up = await startScriptedUpstream([json(429, busy, { 'retry-after': '7' })])
    const upstream = remote({ protocol: 'messages', url: up.origin })
    const failure = await failureOf(open(upstream, requestIn('chat-completions')))
    expect([failure?.code, failure?.status, failure?.retryAfter]).toEqual(['upstream-busy', 429, 7])
  })

  test('a compressed error is read, and nothing of its encoding is left (T-E05)', async () => {
    const body = Bun.gzipSync(new TextEncoder().encode('{"error":{"message":"too long a word"}}'))
    const headers = { 'content-encoding': 'gzip', 'content-length': `${body.length}` }
    await using up = await startScriptedUpstream([[write(head(400, headers)), write(body)]])
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    const failure = await failureOf(open(upstream, requestIn('chat-completions')))
    expect([failure?.code, failure?.message]).toEqual(['upstream-refused', 'too long a word'])
  })

  test('an error whose body cannot be read is what its status says', async () => {
    const headers = { 'content-encoding': 'gzip', 'content-length': '3' }
    await using up = await startScriptedUpstream([[write(head(429, headers)), write('no!')]])
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    const failure = await failureOf(open(upstream, requestIn('chat-completions')))
    expect(failure?.code).toBe('upstream-busy')
  })

  test('nobody at the address, and no such host, are unreachable upstreams', async () => {
    const dead = await startScriptedUpstream([])
    await dead[Symbol.asyncDispose]()
    const refused = remote({ protocol: 'chat-completions', url: dead.url })
    const failure = await failureOf(open(refused, requestIn('chat-completions')))
    expect(failure?.code).toBe('upstream-unreachable')
    expect(failure?.message).toBe(
      'The upstream `up` cannot be reached: the connection was refused.',
    )
  })

  test('a kept-alive connection that has died is tried once more, on a fresh one', async () => {
    await using up = await startScriptedUpstream([json(200, reply), [reset], json(200, reply)])
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    await hear(await open(upstream, requestIn('chat-completions')))
    const second = await hear(await open(upstream, requestIn('chat-completions')))
    expect(second.failure).toBeUndefined()
    expect(up.requests.map(({ connection }) => connection)).toEqual([0, 0, 1])
  })
})

describe('the headers of an answer', () => {
  test('are only those that a caller may see', async () => {
    const sent = {
      'x-request-id': 'req_up',
      'x-ratelimit-remaining-tokens': '12',
      'openai-processing-ms': '5',
      'set-cookie': 'a=b',
      'openai-organization': 'org-secret',
      'access-control-allow-origin': '*',
      server: 'nginx',
    }
    await using up = await startScriptedUpstream([json(200, reply, sent)])
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    const { headers } = await open(upstream, requestIn('chat-completions'))
    expect(Object.fromEntries(headers ?? [])).toEqual({
      'x-upstream-request-id': 'req_up',
      'x-ratelimit-remaining-tokens': '12',
      'openai-processing-ms': '5',
    })
  })
})

describe('the models of an upstream', () => {
  test('are those that can answer or embed, under the names to ask for', async () => {
    const data = [{ id: 'models/gemini-3-pro' }, { id: 'models/imagen-4' }]
    await using up = await startScriptedUpstream([json(200, { object: 'list', data })])
    const upstream = remote({ vendor: 'gemini', url: `${up.origin}/v1beta/openai` })
    const cards = await upstream.listModels(new AbortController().signal)
    expect(cards).toMatchObject([{ id: 'gemini-3-pro', upstream: 'up' }])
    expect((await up.request(0)).path).toBe('/v1beta/openai/models')
  })

  test('are none where there is no such endpoint, and those of the config where it names them', async () => {
    await using up = await startScriptedUpstream([json(404, { detail: 'Not Found' })])
    const { signal } = new AbortController()
    expect(await remote({ protocol: 'messages', url: up.origin }).listModels(signal)).toEqual([])
    expect((await up.request(0)).path).toBe('/v1/models?limit=1000')
    const fixed = remote({ protocol: 'messages', url: up.origin, serves: ['a'] })
    expect(await fixed.listModels(signal)).toEqual([{ id: 'a', upstream: 'up' }])
    expect(up.requests.length).toBe(1)
  })

  test('have a profile of the vendor’s data and the operator’s word, and are remembered', () => {
    const upstream = remote({ vendor: 'openai', models: { 'm-*': { maxStops: 9 } } })
    expect(model(upstream).profile).toMatchObject({ family: 'openai', maxStops: 9 })
    expect(model(upstream)).toBe(model(upstream))
    expect(upstream.mayServe('gpt-9')).toBe(true)
    expect(upstream.mayServe('claude-9')).toBe(false)
  })
})

describe('a count of tokens', () => {
  test('is asked of an upstream that counts, without what only an answer needs, whatever the caller speaks', async () => {
    await using up = await startScriptedUpstream([json(200, { input_tokens: 42 })])
    const upstream = remote({ protocol: 'messages', url: up.origin, key })
    for (const protocol of ['messages', 'chat-completions'] as const) {
      const request = requestIn(protocol, { temperature: 1, stream: true })
      expect(await upstream.countTokens(request, model(upstream), call())).toBe(42)
    }
    for (const sent of up.requests) {
      expect(sent.path).toBe('/v1/messages/count_tokens')
      expect(sent.headers.get('anthropic-version')).toBe('2023-06-01')
      expect(Object.keys(bodyOf(sent.json())).toSorted()).toEqual(['messages', 'model'])
    }
    expect(up.requests.length).toBe(2)
  })

  test('that is none is a failure of the upstream', async () => {
    await using up = await startScriptedUpstream([json(200, { input_tokens: -1 })])
    const upstream = remote({ protocol: 'messages', url: up.origin })
    const failure = await failureOf(
      upstream.countTokens(requestIn('messages'), model(upstream), call()),
    )
    expect(failure?.code).toBe('upstream-failed')
  })

  test('is not to be had of an upstream whose protocol cannot ask', async () => {
    const upstream = remote({ protocol: 'chat-completions', url: 'http://127.0.0.1:1' })
    const counted = upstream.countTokens(requestIn('messages'), model(upstream), call())
    expect(await counted).toBeUndefined()
  })
})

describe('settings of an upstream', () => {
  test.each([
    [{}, 'needs a `vendor`, or a `protocol` and a `url`'],
    [{ vendor: 'azure' }, 'needs a `url`: every installation has its own'],
    [
      { vendor: 'openai', protocol: 'messages' },
      '`openai` does not speak `messages` that we know of; give its `url`',
    ],
    [
      { vendor: 'openai', url: 'example.com' },
      '`url` must be an http or https URL, such as http://10.0.0.5:8000/v1',
    ],
    [{ vendor: 'deepseek', protocol: 'messages' }, undefined],
  ] as const)('%j have this problem: %p', (settings, problem) => {
    expect(problemWith({ name: 'up', ...settings })).toBe(problem)
  })

  test('choose the vendor’s address and key header for the protocol that is named', async () => {
    await using up = await startScriptedUpstream([json(429, {})])
    const bearer = remote({ vendor: 'vllm', protocol: 'messages', url: up.origin, key })
    await failureOf(open(bearer, requestIn('messages')))
    expect((await up.request(0)).headers.get('authorization')).toBe(`Bearer ${key.reveal()}`)
  })
})
