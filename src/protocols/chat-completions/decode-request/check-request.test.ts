import { describe, expect, test } from 'bun:test'

import { GatewayError } from '#chat/error.ts'
import type { RequestBody } from '#chat/request.ts'
import { membersOf } from '#std/json.ts'

import { checkRequest } from './check-request.ts'

const hi = [{ role: 'user', content: 'Hi' }]

function bodyOf(text: string): RequestBody {
  return { text, value: JSON.parse(text), members: membersOf(text) }
}

/** What is wrong with a request: `code param`, or `ok`. */
function faultIn(text: string): string {
  try {
    checkRequest(bodyOf(text))
    return 'ok'
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    expect(error.code).toBe('request-invalid')
    expect(error.status).toBe(400)
    return `${error.detail} ${error.param}`
  }
}

const faultWith = (members: object) =>
  faultIn(JSON.stringify({ model: 'm', messages: hi, ...members }))
const faultInMessages = (...messages: readonly unknown[]) => faultWith({ messages })
const faultInPart = (part: unknown) => faultInMessages({ role: 'user', content: [part] })

describe('what a request must have', () => {
  test('V02 a body that is no object is refused', () => {
    const value = JSON.parse('[]') as RequestBody['value']
    expect(() => checkRequest({ text: '[]', value, members: [] })).toThrow("'body'")
  })

  test('V03 V05 a request needs a model and a message', () => {
    expect(faultIn('{"messages":[{"role":"user","content":"Hi"}]}')).toBe(
      'missing_required_parameter model',
    )
    expect(faultWith({ model: '' })).toBe('missing_required_parameter model')
    expect(faultWith({ model: null })).toBe('missing_required_parameter model')
    expect(faultWith({ model: 5 })).toBe('invalid_type model')
    expect(faultIn('{"model":"m"}')).toBe('missing_required_parameter messages')
    expect(faultWith({ messages: [] })).toBe('empty_array messages')
    expect(faultWith({ messages: 'Hi' })).toBe('invalid_type messages')
  })

  test('the smallest request is fine', () => {
    expect(faultWith({})).toBe('ok')
  })

  test('a member that decides is given once; of others the last one counts', () => {
    for (const key of ['model', 'messages', 'stream', 'n', 'max_tokens', 'max_completion_tokens']) {
      const value = JSON.stringify({ model: 'm', messages: hi, stream: true }[key] ?? 1)
      const text = `{"model":"m","messages":[{"role":"user","content":"Hi"}],"${key}":${value},"${key}":${value}}`
      expect(faultIn(text)).toBe(`invalid_value ${key}`)
    }
    expect(faultIn('{"model":"m","mod\\u0065l":"n","messages":[{}]}')).toBe('invalid_value model')
    expect(
      faultIn('{"model":"m","messages":[{"role":"user","content":""}],"top_p":1,"top_p":0}'),
    ).toBe('ok')
  })

  test('what is wrong is told in words that say what to do', () => {
    const text = JSON.stringify({ model: 'm', messages: hi, temperature: 3 })
    expect(() => checkRequest(bodyOf(text))).toThrow(
      "'temperature' is 3: expected a value from 0 to 2.",
    )
  })
})

describe('parameters', () => {
  test.each([
    ['V09', { n: 0 }, 'integer_below_min_value n'],
    ['V09', { n: 129 }, 'integer_above_max_value n'],
    ['V09', { n: 1.5 }, 'invalid_type n'],
    ['spec 2.1', { temperature: -0.1 }, 'decimal_below_min_value temperature'],
    ['spec 2.1', { temperature: 2.1 }, 'decimal_above_max_value temperature'],
    ['spec 2.1', { temperature: '1' }, 'invalid_type temperature'],
    ['spec 2.1', { max_tokens: '100' }, 'invalid_type max_tokens'],
    ['spec 2.1', { max_tokens: 1.5 }, 'invalid_type max_tokens'],
    ['spec 2.1', { stream: 'true' }, 'invalid_type stream'],
    ['', { model: 'm'.repeat(513) }, 'string_above_max_length model'],
    ['', { top_p: 1.1 }, 'decimal_above_max_value top_p'],
    ['', { presence_penalty: -3 }, 'decimal_below_min_value presence_penalty'],
    ['', { top_logprobs: 21 }, 'integer_above_max_value top_logprobs'],
    ['', { stop: 5 }, 'invalid_type stop'],
    ['', { stop: ['a', 5] }, 'invalid_type stop[1]'],
    ['', { stream_options: [] }, 'invalid_type stream_options'],
    ['', { stream_options: { include_usage: 1 } }, 'invalid_type stream_options.include_usage'],
    ['', { response_format: {} }, 'missing_required_parameter response_format.type'],
    [
      'V31',
      { response_format: { type: 'json_schema' } },
      'missing_required_parameter response_format.json_schema',
    ],
    ['', { metadata: 'x' }, 'invalid_type metadata'],
    ['', { user: 7 }, 'invalid_type user'],
  ])('%s %j is refused as %s', (_case, members, fault) => {
    expect(faultWith(members)).toBe(fault)
  })

  test.each([
    ['spec 2.1: the ends of the range', { temperature: 0 }],
    ['spec 2.1: the ends of the range', { temperature: 2 }],
    ['V10', { top_logprobs: 5 }],
    ['V11', { stop: ['a', 'b', 'c', 'd', 'e'] }],
    ['V15', { foo: 1, chat_template_kwargs: { enable_thinking: false } }],
    ['V17', { max_tokens: 5, max_completion_tokens: 7 }],
    ['V18', { max_tokens: 5 }],
    ['V19', { stream: false, stream_options: { include_usage: true } }],
    [
      'V31',
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'a', schema: {}, strict: true },
        },
      },
    ],
    [
      'V33',
      { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, 'v'])) },
    ],
    ['V35', { seed: -9007199254740991 }],
    ['no limit, as local clients say it', { max_tokens: -1, max_completion_tokens: 0 }],
    ['empty lists', { tools: [], functions: [], stop: [], tool_choice: 'auto' }],
    ['every word for effort', { reasoning_effort: 'xhigh' }],
  ])('%s %j is let through', (_case, members) => {
    expect(faultWith(members)).toBe('ok')
  })

  test('null is absent, wherever something may be left out', () => {
    const names =
      'max_tokens max_completion_tokens temperature top_p n stop presence_penalty frequency_penalty logit_bias logprobs top_logprobs seed stream stream_options tools tool_choice parallel_tool_calls functions function_call response_format reasoning_effort verbosity modalities audio prediction web_search_options metadata store service_tier user safety_identifier prompt_cache_key'
    expect(faultWith(Object.fromEntries(names.split(' ').map((name) => [name, null])))).toBe('ok')
  })

  test('V35 a seed with more digits than a double has is an integer', () => {
    expect(
      faultIn('{"model":"m","messages":[{"role":"user","content":""}],"seed":9223372036854775807}'),
    ).toBe('ok')
  })

  test('T-F06 members that objects are born with are unknown members', () => {
    expect(
      faultIn(
        '{"__proto__":{"model":5},"constructor":1,"model":"m","messages":[{"role":"user","content":"Hi"}]}',
      ),
    ).toBe('ok')
  })
})

describe('messages', () => {
  test.each([
    ['', ['Hi'], 'invalid_type messages[0]'],
    ['', [{ content: 'Hi' }], 'missing_required_parameter messages[0].role'],
    ['', [{ role: 7, content: 'Hi' }], 'invalid_type messages[0].role'],
    ['', [...hi, { role: 'bot', content: 'Hi' }], 'invalid_value messages[1].role'],
    ['', [{ role: 'user' }], 'missing_required_parameter messages[0].content'],
    ['', [{ role: 'system', content: null }], 'missing_required_parameter messages[0].content'],
    ['', [{ role: 'user', content: 5 }], 'invalid_type messages[0].content'],
    [
      '',
      [...hi, { role: 'tool', content: 'x' }],
      'missing_required_parameter messages[1].tool_call_id',
    ],
    [
      '',
      [...hi, { role: 'function', content: 'x' }],
      'missing_required_parameter messages[1].name',
    ],
    ['', [{ role: 'assistant', tool_calls: {} }], 'invalid_type messages[0].tool_calls'],
    [
      '',
      [{ role: 'assistant', tool_calls: [{ type: 'function' }] }],
      'missing_required_parameter messages[0].tool_calls[0].id',
    ],
    [
      '',
      [{ role: 'assistant', tool_calls: [{ id: 'c', type: 'function' }] }],
      'missing_required_parameter messages[0].tool_calls[0].function',
    ],
    [
      '',
      [{ role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: {} } }] }],
      'invalid_type messages[0].tool_calls[0].function.arguments',
    ],
    [
      '',
      [{ role: 'assistant', function_call: { arguments: '' } }],
      'missing_required_parameter messages[0].function_call.name',
    ],
  ])('%s%j is refused as %s', (_case, messages, fault) => {
    expect(faultInMessages(...messages)).toBe(fault)
  })

  test('V27 a part of an unknown type is refused where it stands', () => {
    expect(faultInPart({ type: 'hologram' })).toBe('invalid_value messages[0].content[0].type')
    expect(faultInPart({ text: 'a' })).toBe(
      'missing_required_parameter messages[0].content[0].type',
    )
    expect(faultInPart('a')).toBe('invalid_type messages[0].content[0]')
  })

  test('a part without what it is there for is refused', () => {
    expect(faultInPart({ type: 'text' })).toBe(
      'missing_required_parameter messages[0].content[0].text',
    )
    expect(faultInPart({ type: 'text', text: {} })).toBe('invalid_type messages[0].content[0].text')
    expect(faultInPart({ type: 'image_url', image_url: 5 })).toBe(
      'invalid_type messages[0].content[0].image_url',
    )
  })

  test.each([
    ['V21', [{ role: 'developer', content: 'a' }, ...hi]],
    [
      'V22',
      [
        {
          role: 'system',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
        ...hi,
      ],
    ],
    [
      'V23',
      [
        ...hi,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: '1' },
      ],
    ],
    [
      'V25',
      [
        ...hi,
        {
          role: 'assistant',
          content: 'x',
          refusal: null,
          annotations: [],
          audio: null,
          function_call: null,
          tool_calls: null,
          reasoning_content: 'x',
          parsed: null,
        },
      ],
    ],
    [
      'V26',
      [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
            { type: 'image_url', image_url: 'data:image/png;base64,AA==' },
          ],
        },
      ],
    ],
    ['V34', [{ role: 'user', content: '🙂\u2028\u0000\ud83d' }]],
    ['nothing said', [...hi, { role: 'assistant', content: null }, { role: 'user', content: [] }]],
    [
      'other servers',
      [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'a' },
            { type: 'video_url', video_url: { url: 'u' } },
          ],
        },
      ],
    ],
  ])('%s %j is let through', (_case, messages) => {
    expect(faultInMessages(...messages)).toBe('ok')
  })
})

describe('tools', () => {
  const tool = (definition: object) => ({ tools: [{ type: 'function', function: definition }] })

  test('V13 129 tools are too many', () => {
    const tools = Array.from({ length: 129 }, (_, at) => ({
      type: 'function',
      function: { name: `f${at}` },
    }))
    expect(faultWith({ tools })).toBe('array_above_max_length tools')
    expect(faultWith({ tools: tools.slice(1) })).toBe('ok')
  })

  test.each([
    ['V14', tool({ name: 'bad name!' }), 'invalid_value tools[0].function.name'],
    ['V14', { functions: [{ name: 'bad name!' }] }, 'invalid_value functions[0].name'],
    ['', tool({}), 'missing_required_parameter tools[0].function.name'],
    ['', { tools: [{ type: 'function' }] }, 'missing_required_parameter tools[0].function'],
    ['', { tools: [5] }, 'invalid_type tools[0]'],
    [
      '',
      tool({ name: 'f', parameters: [] }),
      'invalid_function_parameters tools[0].function.parameters',
    ],
    ['', tool({ name: 'f', strict: 'yes' }), 'invalid_type tools[0].function.strict'],
    ['V30', { tool_choice: 'maybe' }, 'invalid_value tool_choice'],
    ['V30', { tool_choice: 5 }, 'invalid_type tool_choice'],
    ['V30', { tool_choice: { type: 'tool' } }, 'invalid_value tool_choice.type'],
    [
      'V30',
      { tool_choice: { type: 'function', function: {} } },
      'missing_required_parameter tool_choice.function.name',
    ],
    [
      'V30',
      { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'no', tools: [] } } },
      'invalid_value tool_choice.allowed_tools.mode',
    ],
    ['V29', { function_call: 'required' }, 'invalid_value function_call'],
  ])('%s %j is refused as %s', (_case, members, fault) => {
    expect(faultWith(members)).toBe(fault)
  })

  test.each([
    ['V29', { functions: [{ name: 'f' }], function_call: 'auto' }],
    ['V29', { functions: [{ name: 'f' }], function_call: { name: 'f' } }],
    ['V30', { tool_choice: 'none' }],
    ['V30', { tool_choice: 'auto' }],
    ['V30', { tool_choice: 'required' }],
    ['V30', { tool_choice: { type: 'function', function: { name: 'f' } } }],
    ['V30', { tool_choice: { type: 'custom', custom: { name: 'f' } } }],
    [
      'V30',
      {
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] },
        },
      },
    ],
    [
      '',
      { tools: [{ function: { name: 'f', description: null, parameters: null, strict: null } }] },
    ],
    ['', { tools: [{ type: 'custom', custom: { name: 'f' } }, { type: 'web_search' }] }],
  ])('%s %j is let through', (_case, members) => {
    expect(faultWith(members)).toBe('ok')
  })
})
