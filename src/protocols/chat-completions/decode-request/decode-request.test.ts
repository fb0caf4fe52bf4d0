import { describe, expect, test } from 'bun:test'

import type { Conversation } from '#chat/conversation.ts'
import { GatewayError } from '#chat/error.ts'
import type { ChatRequest } from '#chat/request.ts'
import { membersOf } from '#std/json.ts'

import { decodeRequest } from './decode-request.ts'

const hi = [{ role: 'user', content: 'Hi' }]

function decodeText(text: string): ChatRequest {
  const body = { text, value: JSON.parse(text), members: membersOf(text) }
  return decodeRequest(body, new Map([['authorization', 'Bearer k']]))
}

const decode = (members: object) =>
  decodeText(JSON.stringify({ model: 'm', messages: hi, ...members }))
const meaning = (members: object): Conversation => decode(members).meaning()
const blocksOf = (...messages: readonly unknown[]) =>
  meaning({ messages }).turns.flatMap((turn) => turn.blocks)

describe('what every exchange needs of a request', () => {
  test('model, stream and limit are read, and no header goes on', () => {
    const request = decode({ stream: true, max_tokens: 5 })
    expect(request).toMatchObject({ model: 'm', stream: true, wantsUsage: false, maxTokens: 5 })
    expect([...request.headers]).toEqual([])
  })

  test('V19 usage is wanted only of a stream that asks for it', () => {
    const options = { stream_options: { include_usage: true } }
    expect(decode({ stream: true, ...options }).wantsUsage).toBeTrue()
    expect(decode({ stream: false, ...options }).wantsUsage).toBeFalse()
  })

  test('V17 the newer limit wins, and zero or less is none', () => {
    expect(decode({ max_tokens: 5, max_completion_tokens: 7 }).maxTokens).toBe(7)
    expect(decode({ max_tokens: 5, max_completion_tokens: -1 }).maxTokens).toBe(5)
    expect(decode({ max_tokens: 0 })).not.toHaveProperty('maxTokens')
  })

  test('the meaning is worked out only when it is asked for', () => {
    const request = decode({ tools: [{ type: 'custom', custom: { name: 'f' } }] })
    expect(request.stream).toBeFalse()
    expect(() => request.meaning()).toThrow('tools[0]')
  })
})

describe('turns', () => {
  test('V21 V22 instructions are system turns in their places, part by part', () => {
    const parts = [
      { type: 'text', text: 'a' },
      { type: 'input_text', text: 'b' },
    ]
    const messages = [
      { role: 'developer', content: parts, name: 'ops' },
      ...hi,
      { role: 'system', content: 'late' },
    ]
    expect(meaning({ messages }).turns).toEqual([
      {
        role: 'system',
        isDeveloper: true,
        name: 'ops',
        shape: 'list',
        blocks: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
        field: 'messages[0]',
      },
      {
        role: 'user',
        shape: 'string',
        blocks: [{ type: 'text', text: 'Hi' }],
        field: 'messages[1]',
      },
      {
        role: 'system',
        shape: 'string',
        blocks: [{ type: 'text', text: 'late' }],
        field: 'messages[2]',
      },
    ])
  })

  test('V23 calls and results keep their ids and the text of their arguments', () => {
    const call = (id: string, text: string) => ({
      id,
      type: 'function',
      function: { name: 'f', arguments: text },
    })
    expect(
      blocksOf(
        ...hi,
        {
          role: 'assistant',
          content: null,
          tool_calls: [call('c1', '{ "a":1.0 }'), call('c2', '')],
        },
        { role: 'tool', tool_call_id: 'c1', content: '1', is_error: true },
        { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: '2' }] },
        { role: 'tool', tool_call_id: 'c3', content: null },
      ).slice(1),
    ).toEqual([
      { type: 'call', id: 'c1', name: 'f', arguments: '{ "a":1.0 }' },
      { type: 'call', id: 'c2', name: 'f', arguments: '' },
      { type: 'result', callId: 'c1', content: '1', isError: true },
      { type: 'result', callId: 'c2', content: [{ type: 'text', text: '2' }] },
      { type: 'result', callId: 'c3' },
    ])
  })

  test('V25 an answer that is pushed back with everything it came with says what it said', () => {
    const message = {
      role: 'assistant',
      content: 'x',
      refusal: null,
      annotations: [],
      audio: null,
      function_call: null,
      tool_calls: null,
      reasoning_content: 'why',
      parsed: null,
    }
    expect(blocksOf(message)).toEqual([
      { type: 'reasoning', text: 'why', opaque: [] },
      { type: 'text', text: 'x' },
    ])
  })

  test('an answer says its thoughts, its words, its refusal and its calls, in this order', () => {
    const message = {
      role: 'assistant',
      tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }],
      refusal: 'no',
      content: [
        { type: 'text', text: 'x' },
        { type: 'refusal', refusal: 'never' },
      ],
      reasoning: 'why',
    }
    expect(blocksOf(message).map(({ type }) => type)).toEqual([
      'reasoning',
      'text',
      'refusal',
      'refusal',
      'call',
    ])
  })

  test('V29 T-Q69 old calls are paired by the nearest one of their name', () => {
    const call = (text: string) => ({
      role: 'assistant',
      content: null,
      function_call: { name: 'f', arguments: text },
    })
    const result = (content: string) => ({ role: 'function', name: 'f', content })
    const blocks = blocksOf(call('1'), result('a'), call('2'), result('b'))
    expect(blocks).toMatchObject([
      { type: 'call', id: 'call_of_message_0' },
      { type: 'result', callId: 'call_of_message_0', content: 'a' },
      { type: 'call', id: 'call_of_message_2' },
      { type: 'result', callId: 'call_of_message_2', content: 'b' },
    ])
  })

  test("Google's signature beside a call is kept as it was said", () => {
    const text = `{"model":"m","messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"c","extra_content":{"google": {"thought_signature":"s"}},"function":{"name":"f","arguments":"{}"}}]}]}`
    expect(decodeText(text).meaning().turns[0]?.blocks[1]).toMatchObject({
      opaque: [{ family: 'google', kind: 'extra', data: '{"google": {"thought_signature":"s"}}' }],
    })
  })

  test('what we have no word for stands in its place, as it was said', () => {
    const text = `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"video_url","video_url":{"url":"u", "fps":1.0}}]},{"role":"assistant","audio":{"id":"audio_1"}}]}`
    const { turns } = decodeText(text).meaning()
    expect(turns[0]?.blocks[1]).toEqual({
      type: 'other',
      kind: 'video_url',
      raw: '{"url":"u", "fps":1.0}' as never,
    })
    expect(turns[1]?.blocks).toEqual([
      { type: 'other', kind: 'audio', raw: '{"id":"audio_1"}' as never },
    ])
  })

  test('cache marks are read in the words of both protocols', () => {
    const text = `{"model":"m","messages":[{"role":"system","content":"s","cache_control":{"type":"ephemeral"}},{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b","cache_control":{ "type":"ephemeral","ttl":"1h"}},{"type":"text","text":"c","prompt_cache_breakpoint":{"mode":"explicit"}}]}]}`
    const [system, user] = decodeText(text).meaning().turns
    expect(system?.blocks).toMatchObject([{ cache: '{"type":"ephemeral"}' }])
    expect(user?.blocks).toMatchObject([
      { text: 'a' },
      { text: 'b', cache: '{ "type":"ephemeral","ttl":"1h"}' },
      { text: 'c', cache: '{"type":"ephemeral"}' },
    ])
    expect(user?.blocks[0]).not.toHaveProperty('cache')
  })
})

describe('media', () => {
  const blockOf = (part: unknown) => blocksOf({ role: 'user', content: [part] })[0]
  const png = 'iVBORw0KGgoAAAANSUhEUg=='

  test('V26 T-Q17 images are read from data URLs and left at their URLs', () => {
    const url = `data:image/PNG;charset=utf-8;base64,${png}`
    const source = { type: 'base64', mediaType: 'image/png', data: png } as const
    expect(blockOf({ type: 'image_url', image_url: { url, detail: 'low' } })).toEqual({
      type: 'image',
      source,
      detail: 'low',
    })
    expect(blockOf({ type: 'image_url', image_url: url })).toEqual({ type: 'image', source })
    expect(blockOf({ type: 'image_url', image_url: { url: 'https://a.example/b' } })).toEqual({
      type: 'image',
      source: { type: 'url', url: 'https://a.example/b' },
    })
  })

  test('T-Q18 files are documents, with their names', () => {
    const file = { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' }
    const source = { type: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' } as const
    expect(blockOf({ type: 'file', file })).toEqual({ type: 'document', source, title: 'a.pdf' })
    expect(blockOf({ type: 'image_url', image_url: { url: file.file_data } })).toEqual({
      type: 'document',
      source,
    })
    expect(blockOf({ type: 'file', file: { file_data: 'JVBERi0=' } })).toEqual({
      type: 'document',
      source,
    })
    expect(blockOf({ type: 'file', file: { file_id: 'file-1' } })).toEqual({
      type: 'document',
      source: { type: 'file', id: 'file-1' },
    })
  })

  test('an image that came as a file is an image', () => {
    expect(blockOf({ type: 'file', file: { file_data: `data:image/png;base64,${png}` } })).toEqual({
      type: 'image',
      source: { type: 'base64', mediaType: 'image/png', data: png },
    })
  })

  test.each([
    [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,' } },
      'messages[0].content[0].image_url.url',
    ],
    [{ type: 'image_url', image_url: {} }, 'messages[0].content[0].image_url.url'],
    [{ type: 'file', file: {} }, 'messages[0].content[0].file.file_data'],
  ])('%j holds nothing and is refused where it stands', (part, param) => {
    const refusal = (() => {
      try {
        return blockOf(part)
      } catch (error) {
        return error
      }
    })()
    expect(refusal).toBeInstanceOf(GatewayError)
    expect(refusal).toMatchObject({ code: 'request-invalid', param })
  })

  test('sound is sound', () => {
    expect(blockOf({ type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } })).toEqual({
      type: 'audio',
      data: 'AA==',
      format: 'wav',
    })
  })
})

describe('thoughts in history', () => {
  const thoughtsOf = (message: object) => blocksOf({ role: 'assistant', ...message })

  test('the blocks that the gateway gave come first, each with its signature and its family', () => {
    const message = {
      thinking_blocks: [
        { type: 'thinking', thinking: 'a', signature: 'sig' },
        { type: 'redacted_thinking', data: 'sealed' },
        { type: 'thinking', thinking: 'b', signature: 'parley.1.deepseek' },
        { type: 'thinking', thinking: '', signature: 'sig2', family: 'mistral' },
        { type: 'thinking', thinking: 'c' },
      ],
      reasoning_content: 'abc',
    }
    expect(thoughtsOf(message)).toEqual([
      {
        type: 'reasoning',
        text: 'a',
        opaque: [{ family: 'anthropic', kind: 'signature', data: 'sig' }],
      },
      {
        type: 'reasoning',
        text: '',
        opaque: [{ family: 'anthropic', kind: 'redacted', data: 'sealed' }],
      },
      {
        type: 'reasoning',
        text: 'b',
        opaque: [{ family: 'deepseek', kind: 'signature', data: 'parley.1.deepseek' }],
      },
      {
        type: 'reasoning',
        text: '',
        opaque: [{ family: 'mistral', kind: 'signature', data: 'sig2' }],
      },
      { type: 'reasoning', text: 'c', opaque: [] },
    ])
  })

  test('then the details of OpenRouter, by the vendor that they name', () => {
    const message = {
      reasoning_details: [
        { type: 'reasoning.text', text: 'a', signature: 's', format: 'anthropic-claude-v1' },
        { type: 'reasoning.summary', summary: 'b' },
        { type: 'reasoning.encrypted', data: 'e', format: 'openai-responses-v1' },
      ],
      reasoning: 'ab',
    }
    expect(thoughtsOf(message)).toEqual([
      {
        type: 'reasoning',
        text: 'a',
        opaque: [{ family: 'anthropic', kind: 'signature', data: 's' }],
      },
      { type: 'reasoning', text: 'b', opaque: [] },
      { type: 'reasoning', text: '', opaque: [{ family: 'openai', kind: 'redacted', data: 'e' }] },
    ])
  })

  test('then the plain text, under either name or among the parts', () => {
    const said = [{ type: 'reasoning', text: 'a', opaque: [] }]
    expect(thoughtsOf({ reasoning_content: 'a' })).toEqual(said as never)
    expect(thoughtsOf({ reasoning: 'a', reasoning_content: '' })).toEqual(said as never)
    const part = { type: 'thinking', thinking: [{ type: 'text', text: 'a' }] }
    expect(thoughtsOf({ content: [part] })).toEqual(said as never)
  })
})

describe('parameters', () => {
  test('V35 numbers and schemas that a double would spoil are kept as text', () => {
    const text = `{"model":"m","messages":[{"role":"user","content":"Hi"}],"seed":9223372036854775807,"logit_bias":{"1": 1.0},"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","x-big":9223372036854775807,"x":1.0}}}],"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"const":1.0}}},"x":1.0}`
    const conversation = decodeText(text).meaning()
    expect(conversation.sampling).toEqual({
      seed: '9223372036854775807' as never,
      logitBias: '{"1": 1.0}' as never,
    })
    expect(conversation.tools[0]?.schema as string).toBe(
      '{"type":"object","x-big":9223372036854775807,"x":1.0}',
    )
    expect(conversation.format).toMatchObject({
      type: 'schema',
      name: 'n',
      schema: '{"const":1.0}',
    })
    expect([...conversation.extra]).toEqual([['x', '1.0' as never]])
  })

  test('T-Q55 zero, false and nothing are values', () => {
    expect(meaning({ temperature: 0, top_p: 0, top_k: 0, min_p: 0 }).sampling).toEqual({
      temperature: 0,
      topP: 0,
      topK: 0,
      minP: 0,
    })
    expect(meaning({ parallel_tool_calls: false }).parallelCalls).toBeFalse()
  })

  test('V11 stop is one word or many', () => {
    expect(meaning({ stop: 'a' }).stop).toEqual(['a'])
    expect(meaning({ stop: ['a', 'b', 'c', 'd', 'e'] }).stop).toHaveLength(5)
    expect(meaning({ stop: [] }).stop).toEqual([])
  })

  test('V10 probabilities are wanted only if they are asked for', () => {
    expect(meaning({ logprobs: true, top_logprobs: 5 }).logprobs).toEqual({ top: 5 })
    expect(meaning({ logprobs: true }).logprobs).toEqual({})
    expect(meaning({ logprobs: false, top_logprobs: 5 })).not.toHaveProperty('logprobs')
  })

  test('V31 formats', () => {
    expect(meaning({ response_format: { type: 'text' } })).not.toHaveProperty('format')
    expect(meaning({ response_format: { type: 'json_object' } }).format).toEqual({ type: 'json' })
    expect(meaning({ response_format: { type: 'json_object', schema: { a: 1 } } }).format).toEqual({
      type: 'schema',
      schema: '{"a":1}' as never,
    })
    const regex = meaning({ response_format: { type: 'regex', pattern: 'a' } })
    expect([...regex.extra.keys()]).toEqual(['response_format'])
  })

  test('V29 functions are tools, and remembered as functions', () => {
    const functions = [{ name: 'f', description: 'd', parameters: { type: 'object' } }]
    expect(meaning({ functions, function_call: { name: 'f' } })).toMatchObject({
      tools: [{ name: 'f', description: 'd', schema: '{"type":"object"}', field: 'functions[0]' }],
      toolChoice: { type: 'named', name: 'f' },
      isLegacyFunctions: true,
    })
  })

  test.each([
    ['none', { type: 'none' }],
    ['auto', { type: 'auto' }],
    ['required', { type: 'any' }],
    [
      { type: 'function', function: { name: 'f' } },
      { type: 'named', name: 'f' },
    ],
    [
      {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'f' } }] },
      },
      { type: 'allowed', mode: 'any', names: ['f'] },
    ],
    [
      { type: 'custom', custom: { name: 'f' } },
      { type: 'named', name: 'f' },
    ],
  ])('V30 the choice %j is %j', (choice, meant) => {
    expect(meaning({ tool_choice: choice }).toolChoice).toEqual(meant as never)
  })

  test('V30 a tool that is no function cannot be told to another protocol', () => {
    expect(() => meaning({ tools: [{ type: 'custom', custom: { name: 'f' } }] })).toThrow(
      expect.objectContaining({ code: 'not-expressible', param: 'tools[0].type' }),
    )
  })

  test.each([
    [{ reasoning_effort: 'none' }, { mode: 'off', effort: 'none' }],
    [{ reasoning_effort: 'xhigh' }, { mode: 'on', effort: 'xhigh' }],
    [{ reasoning: { effort: 'low' } }, { mode: 'on', effort: 'low' }],
    [{ reasoning: { max_tokens: 2000 } }, { mode: 'on', budgetTokens: 2000 }],
    [{ reasoning: { enabled: false } }, { mode: 'off' }],
    [{ thinking: { type: 'disabled' } }, { mode: 'off' }],
    [{ thinking: { type: 'enabled', budget_tokens: 2000 } }, { mode: 'on', budgetTokens: 2000 }],
  ])('the wish to think %j is %j', (members, meant) => {
    expect(meaning(members).reasoning).toEqual(meant as never)
  })

  test('an effort that we do not know stays as it was said', () => {
    const { reasoning, extra } = meaning({ reasoning_effort: 'default' })
    expect(reasoning).toBeUndefined()
    expect([...extra]).toEqual([['reasoning_effort', '"default"' as never]])
  })

  test('who the user is, under the newer name if both are given', () => {
    expect(meaning({ user: 'a', prompt_cache_key: 'k' }).caller).toEqual({
      user: 'a',
      cacheKey: 'k',
    })
    const both = meaning({ user: 'a', safety_identifier: 'b' })
    expect(both.caller).toEqual({ user: 'b' })
    expect([...both.extra]).toEqual([['user', '"a"' as never]])
  })

  test('V15 T-F06 unknown members are kept, whatever they are called; null ones are absent', () => {
    const text = `{"model":"m","messages":[{"role":"user","content":"Hi"}],"__proto__":{"a": 1},"constructor":1e2,"store":null,"metadata":{"k":"v"}}`
    expect([...decodeText(text).meaning().extra]).toEqual([
      ['__proto__', '{"a": 1}' as never],
      ['constructor', '1e2' as never],
      ['metadata', '{"k":"v"}' as never],
    ])
  })
})
