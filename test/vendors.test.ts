import { describe, expect, test } from 'bun:test'

import type { ProtocolName } from '#chat/names.ts'
import { type VendorName, vendorNamed, vendorNames } from '#upstreams/vendors/vendors.ts'

import { hello } from './messages-callers.ts'
import { startScriptedUpstream } from './scripted-upstream.ts'
import { startGateway } from './start-gateway.ts'

/** Every vendor in every protocol that it speaks, as the config would name it. */
const spoken = vendorNames.flatMap((vendor) =>
  Object.keys(vendorNamed(vendor).speaks).map((protocol) => ({
    vendor,
    protocol: protocol as ProtocolName,
  })),
)

/** Where a vendor's API differs from the protocol's usual path. */
const ownPaths: Partial<Record<VendorName, string>> = {
  azure: '/openai/deployments/m/chat/completions?api-version=2024-10-21',
}

const usualPaths: Readonly<Record<ProtocolName, string>> = {
  'chat-completions': '/v1/chat/completions',
  messages: '/v1/messages',
}

const keyHeaders = ['authorization', 'x-api-key', 'api-key']

const asked = {
  'chat-completions': [
    '/v1/chat/completions',
    { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
  ],
  messages: [
    '/v1/messages',
    { model: 'm', max_tokens: 16, messages: [{ role: 'user', content: 'hi' }] },
  ],
} as const

describe.each(spoken)('$vendor in $protocol', ({ vendor, protocol }) => {
  test.each(['chat-completions', 'messages'] as const)('answers callers of %s', async (caller) => {
    await using upstream = await startScriptedUpstream(hello[protocol])
    await using gateway = await startGateway({
      upstreams: {
        it: { vendor, protocol, url: upstream.origin, key: 'sk-upstream', serves: ['m'] },
      },
    })
    const [path, body] = asked[caller]
    const reply = await gateway.post(path, body)
    expect(await reply.text()).toContain('Hello there')
    expect(reply.status).toBe(200)
    expect(reply.headers.get('x-parley-target')).toBe('it/m')
    const stream = await gateway.post(path, { ...body, stream: true })
    const text = await stream.text()
    expect(text).toContain(' there')
    expect(text).toContain(caller === 'messages' ? 'event: message_stop' : 'data: [DONE]')

    const [first] = upstream.requests
    expect(first?.path).toBe(ownPaths[vendor] ?? usualPaths[protocol])
    const shown = keyHeaders.filter((name) => first?.headers.get(name)?.includes('sk-upstream'))
    expect(shown).toHaveLength(1)
    // The caller's own key stays here.
    expect([...(first?.headers.values() ?? [])].join()).not.toContain(gateway.key)
    expect(JSON.parse(first?.body ?? '')).toMatchObject({ model: 'm' })
    expect(first?.headers.has('anthropic-version')).toBe(protocol === 'messages')
  })
})

test('there are at least the vendors that were promised', () => {
  const promised =
    'openai azure anthropic gemini mistral deepseek groq together fireworks xai openrouter cerebras ollama vllm sglang llamacpp lmstudio litellm parley'
  expect(promised.split(' ').filter((name) => !vendorNames.some((one) => one === name))).toEqual([])
})
