import { describe, expect, test } from 'bun:test'

import { bodyOf, failureOf, headersOf, messagesRequest } from '#test/requests.ts'

import { checkRequest } from './check-request.ts'

interface Asked {
  readonly version?: string
  readonly betas?: string
  readonly isCount?: boolean
}

function check(said: string | object, { version, betas, isCount = false }: Asked = {}): void {
  checkRequest(bodyOf(said), { headers: headersOf(version, betas), isCount })
}

/** What a request is refused with. */
function refusalOf(said: string | object, asked?: Asked): string {
  const failure = failureOf(() => check(said, asked))
  expect(failure.code).toBe('request-invalid')
  expect(failure.status).toBe(400)
  return failure.message
}

const refusalWith = (members: object, asked?: Asked) => refusalOf(messagesRequest(members), asked)
const refusalOfTurns = (...messages: readonly unknown[]) => refusalWith({ messages })
const acceptTurns = (...messages: readonly unknown[]) => check(messagesRequest({ messages }))

const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown) => ({ role: 'assistant', content })
const system = (content: unknown) => ({ role: 'system', content })
const call = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'done' })
const tool = (name: unknown) => ({ name, input_schema: { type: 'object' } })

describe('what every request must have', () => {
  test('REQ-03 a request without max_tokens is refused in the words that clients know', () => {
    expect(refusalOf({ model: 'm', messages: [user('hi')] })).toBe('max_tokens: Field required')
  })

  test('REQ-04 max_tokens is an integer that is not negative', () => {
    expect(refusalWith({ max_tokens: -1 })).toContain('max_tokens: Input should be greater than')
    expect(refusalWith({ max_tokens: '16' })).toContain(
      'max_tokens: Input should be a valid integer',
    )
    expect(refusalWith({ max_tokens: 1.5 })).toContain(
      'max_tokens: Input should be a valid integer',
    )
    expect(refusalWith({ max_tokens: null })).toContain(
      'max_tokens: Input should be a valid integer',
    )
  })

  test('REQ-05 max_tokens may be 0', () => {
    expect(() => check(messagesRequest({ max_tokens: 0 }))).not.toThrow()
  })

  test('REQ-07 a request without messages is refused', () => {
    expect(refusalOf({ model: 'm', max_tokens: 1 })).toBe('messages: Field required')
    expect(refusalWith({ messages: [] })).toContain('at least one message is required')
    expect(refusalWith({ messages: 'hi' })).toBe('messages: Input should be a valid list')
    expect(refusalWith({ messages: ['hi'] })).toBe('messages.0: Input should be an object')
  })

  test('REQ-08 a request without a model is refused', () => {
    expect(refusalOf({ max_tokens: 1, messages: [user('hi')] })).toBe('model: Field required')
    expect(refusalWith({ model: '' })).toContain('model: String should have at least 1 character')
    expect(refusalWith({ model: 5 })).toBe('model: Input should be a valid string')
    expect(refusalWith({ model: 'm'.repeat(513) })).toContain('at most 512 characters')
  })

  test.each(['model', 'stream', 'max_tokens', 'messages'])(
    'a request that gives %s twice is refused, since two readers could take two values',
    (key) => {
      const first = JSON.stringify(messagesRequest({ stream: false }))
      const text = `${first.slice(0, -1)},${JSON.stringify(key)}:${JSON.stringify(messagesRequest({ stream: true })[key])}}`
      expect(refusalOf(text)).toContain(`${key}: The field is given more than once`)
    },
  )
})

describe('roles and turns', () => {
  test('REQ-11 an unknown role is refused', () => {
    expect(refusalOfTurns({ role: 'tool', content: 'x' })).toContain('messages.0.role: ')
    expect(refusalOfTurns({ content: 'x' })).toBe('messages.0.role: Field required')
  })

  test('REQ-12 turns of one role may follow each other', () => {
    expect(() =>
      acceptTurns(user('a'), user('b'), assistant('c'), assistant('d'), user('e')),
    ).not.toThrow()
  })

  test('REQ-23 neither the assistant nor the system may speak first', () => {
    expect(refusalOfTurns(assistant('x'), user('y'))).toContain(
      'first message must use the "user" role',
    )
    expect(refusalOfTurns(system('x'), user('y'))).toContain('`system`')
  })

  test.each(['2023-06-01', '2026-10-21'])(
    'an answer that sums up the conversation before it may speak first, version %s',
    (version) => {
      const summary = assistant([{ type: 'compaction', content: 'We met.', signature: 's' }])
      const messages = [summary, user('go on')]
      expect(() => check(messagesRequest({ messages }), { version })).not.toThrow()
    },
  )

  test('REQ-32 system turns may stand anywhere after the first, and a setting even before', () => {
    expect(() => acceptTurns(user('a'), system('b'), assistant('c'), system('d'))).not.toThrow()
    const setting = { role: 'system', content: [], output_config: { effort: 'low' } }
    expect(() => acceptTurns(setting, user('a'))).not.toThrow()
  })

  test('REQ-13 REQ-16 content must say something, except in a last answer to go on with', () => {
    const empty = 'all messages must have non-empty content except for the optional final assistant'
    expect(refusalOfTurns(user(''))).toContain(`messages.0: ${empty}`)
    expect(refusalOfTurns(user([]))).toContain(empty)
    expect(refusalOfTurns(user('a'), assistant(''), user('b'))).toContain(`messages.1: ${empty}`)
    expect(() => acceptTurns(user('a'), assistant(''))).not.toThrow()
    expect(refusalOfTurns({ role: 'user' })).toBe('messages.0.content: Field required')
    expect(refusalOfTurns(user(7))).toContain('messages.0.content: ')
  })

  test('REQ-15 a text block must hold more than white space', () => {
    const text = (said: string) => user([{ type: 'text', text: said }])
    expect(refusalOfTurns(text('  \n'))).toContain(
      'text content blocks must contain non-whitespace text',
    )
    expect(refusalOfTurns(text(''))).toContain('text content blocks must be non-empty')
    expect(refusalOfTurns(user(' \t'))).toContain('must contain non-whitespace text')
  })

  test('blank texts in an answer are taken back, as servers say them before a call', () => {
    for (const text of ['', '\n\n']) {
      const answer = assistant([{ type: 'text', text }, call('a')])
      expect(() => acceptTurns(user('a'), answer, user([result('a')]))).not.toThrow()
    }
    expect(() => acceptTurns(user('a'), assistant('\n'), user('b'))).not.toThrow()
  })

  test('REQ-17 an answer to go on with may end in anything but white space or a thought', () => {
    expect(() => acceptTurns(user('2+2'), assistant('The answer is ('))).not.toThrow()
    expect(refusalOfTurns(user('2+2'), assistant('The answer is '))).toContain(
      'final assistant content cannot end with trailing whitespace',
    )
    const thought = { type: 'thinking', thinking: 'why', signature: 's' }
    expect(refusalOfTurns(user('2+2'), assistant([thought]))).toContain('cannot be `thinking`')
    expect(() =>
      acceptTurns(user('a'), assistant([thought, { type: 'text', text: 'x' }]), user('b')),
    ).not.toThrow()
  })
})

describe('blocks', () => {
  test('a block needs a type, and the members of its type', () => {
    expect(refusalOfTurns(user([{ text: 'x' }]))).toBe('messages.0.content.0.type: Field required')
    expect(refusalOfTurns(user([{ type: 'text' }]))).toBe(
      'messages.0.content.0.text.text: Field required',
    )
    expect(refusalOfTurns(user([{ type: 'image' }]))).toContain('image.source: Field required')
    const source = { type: 'base64', media_type: 'image/png' }
    expect(refusalOfTurns(user([{ type: 'image', source }]))).toBe(
      'messages.0.content.0.image.source.base64.data: Field required',
    )
    expect(refusalOfTurns(user([{ type: 'image', source: {} }]))).toContain(
      'image.source.type: Field',
    )
  })

  test('REQ-25 a block of an unknown type is for the upstream to judge', () => {
    expect(() => acceptTurns(user([{ type: 'hologram', data: 1 }]))).not.toThrow()
    expect(() => acceptTurns(user([{ type: 'constructor' }]))).not.toThrow()
    const image = { type: 'image', source: { type: 'constructor' } }
    expect(() => acceptTurns(user([image]))).not.toThrow()
    expect(() => check(messagesRequest({ tool_choice: { type: 'maybe' } }))).not.toThrow()
  })

  test('calls and thoughts are of the assistant, results of the user', () => {
    expect(refusalOfTurns(user([call('a')]))).toContain(
      '`tool_use` blocks can only be in `assistant`',
    )
    expect(refusalOfTurns(user('a'), assistant([result('a')]))).toContain('can only be in `user`')
    const thought = { type: 'thinking', thinking: 'x', signature: 's' }
    expect(refusalOfTurns(user([thought]))).toContain('can only be in `assistant`')
  })

  test('the input of a call is an object', () => {
    const bad = { ...call('a'), input: 'x' }
    expect(refusalOfTurns(user('a'), assistant([bad]), user([result('a')]))).toBe(
      'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
    )
  })

  test('REQ-20 REQ-21 the system prompt is a string or blocks of text', () => {
    expect(() => check(messagesRequest({ system: 's' }))).not.toThrow()
    const cached = { type: 'text', text: 's', cache_control: { type: 'ephemeral' } }
    expect(() => check(messagesRequest({ system: [cached] }))).not.toThrow()
    expect(refusalWith({ system: [{ type: 'image', source: {} }] })).toContain(
      "system.0: Input tag 'image'",
    )
    expect(refusalWith({ system: 5 })).toBe('system: Input should be a valid list')
  })

  test('REQ-35 any number of cache marks is taken: only the first party counts them', () => {
    const cached = { type: 'text', text: 's', cache_control: { type: 'ephemeral' } }
    expect(() => check(messagesRequest({ system: Array(5).fill(cached) }))).not.toThrow()
  })
})

describe('tool calls and their results', () => {
  test('TOOL-05 a call without a result in the next turn is refused, naming its id', () => {
    const refusal = refusalOfTurns(
      user('a'),
      assistant([call('toolu_1'), call('toolu_2')]),
      user([result('toolu_2')]),
    )
    expect(refusal).toBe(
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    )
    expect(refusalOfTurns(user('a'), assistant([call('toolu_1')]))).toContain('toolu_1')
    expect(
      refusalOfTurns(
        user('a'),
        assistant([call('toolu_1')]),
        user('b'),
        assistant('c'),
        user([result('toolu_1')]),
      ),
    ).toContain('messages.1: `tool_use` ids were found')
  })

  test('a result without a call in the turn before is refused', () => {
    expect(refusalOfTurns(user([result('x')]))).toBe(
      'messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: x. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
    )
  })

  test('V1021-12 results for calls that a vendor keeps in its thread are its own to pair', () => {
    const thread = { type: 'continue', previous_message_id: 'msg_1' }
    check(messagesRequest({ thread, messages: [user([result('x')])] }))
    expect(refusalWith({ thread: { type: 'create' }, messages: [user([result('x')])] })).toContain(
      'unexpected `tool_use_id`',
    )
  })

  test('a second result for one call is refused', () => {
    expect(
      refusalOfTurns(user('a'), assistant([call('x')]), user([result('x'), result('x')])),
    ).toBe(
      'messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: x',
    )
  })

  test('TOOL-07 TOOL-08 results may come in any order and after text', () => {
    const said = { type: 'text', text: 'here' }
    expect(() =>
      acceptTurns(
        user('a'),
        assistant([call('x'), call('y')]),
        user([said, result('y'), result('x')]),
      ),
    ).not.toThrow()
  })

  test('REQ-24 turns in a row count as one, and system turns between them do not count', () => {
    expect(() =>
      acceptTurns(
        user('a'),
        assistant([call('x')]),
        assistant('and'),
        system('note'),
        user('b'),
        user([result('x')]),
      ),
    ).not.toThrow()
  })

  test('an id may come again in a later turn, but not twice in one', () => {
    const round = [assistant([call('x')]), user([result('x')])]
    expect(() => acceptTurns(user('a'), ...round, ...round)).not.toThrow()
    expect(
      refusalOfTurns(user('a'), assistant([call('x'), call('x')]), user([result('x')])),
    ).toContain('messages.1.content.1: `tool_use` ids must be unique')
  })

  test('TOOL-04 a result may be empty, and may say that the tool failed', () => {
    const failed = { type: 'tool_result', tool_use_id: 'x', is_error: true }
    expect(() => acceptTurns(user('a'), assistant([call('x')]), user([failed]))).not.toThrow()
    const bad = { ...failed, is_error: 'yes' }
    expect(refusalOfTurns(user('a'), assistant([call('x')]), user([bad]))).toContain('is_error')
  })
})

describe('tools', () => {
  test('TOOL-13 a name has up to 128 letters, digits, underscores and dashes', () => {
    expect(() => check(messagesRequest({ tools: [tool('a'.repeat(128))] }))).not.toThrow()
    const pattern = "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"
    expect(refusalWith({ tools: [tool('a'.repeat(129))] })).toBe(pattern)
    expect(refusalWith({ tools: [tool('a b')] })).toBe(pattern)
    expect(refusalWith({ tools: [tool(undefined)] })).toBe('tools.0.custom.name: Field required')
  })

  test('a custom tool needs a schema, and two tools need two names', () => {
    expect(refusalWith({ tools: [{ name: 'f' }] })).toBe(
      'tools.0.custom.input_schema: Field required',
    )
    expect(refusalWith({ tools: [tool('f'), tool('f')] })).toBe('tools: Tool names must be unique.')
  })

  test('TOOL-16 a tool of the vendor is taken: the upstream may have it', () => {
    expect(() =>
      check(messagesRequest({ tools: [{ type: 'advisor_20260301', name: 'advisor' }] })),
    ).not.toThrow()
    expect(() =>
      check(messagesRequest({ tools: [{ type: 'browser_toolset_20260801' }] })),
    ).not.toThrow()
  })

  test('TOOL-12 a choice must name a tool of the request', () => {
    const tools = [tool('f')]
    expect(refusalWith({ tools, tool_choice: { type: 'tool' } })).toBe(
      'tool_choice.tool.name: Field required',
    )
    expect(refusalWith({ tools, tool_choice: { type: 'tool', name: 'g' } })).toBe(
      "tool_choice: Tool 'g' not found in provided tools",
    )
    expect(refusalWith({ tools, tool_choice: { type: 5 } })).toContain('tool_choice.type: ')
    expect(() =>
      check(messagesRequest({ tools, tool_choice: { type: 'tool', name: 'f' } })),
    ).not.toThrow()
  })

  test('TOOL-09 a call cannot be forced without tools', () => {
    expect(refusalWith({ tool_choice: { type: 'any' } })).toContain('tool_choice')
  })

  test('TOOL-17 an empty list of tools is none', () => {
    expect(() => check(messagesRequest({ tools: [], tool_choice: { type: 'auto' } }))).not.toThrow()
  })
})

describe('settings', () => {
  test('REQ-27 temperature goes from 0 to 1', () => {
    expect(refusalWith({ temperature: 1.5 })).toContain('temperature: ')
    expect(refusalWith({ temperature: -0.1 })).toContain('temperature: ')
    expect(refusalWith({ temperature: '1' })).toBe('temperature: Input should be a valid number')
    for (const temperature of [0, 1])
      expect(() => check(messagesRequest({ temperature }))).not.toThrow()
  })

  test('REQ-28 stop sequences are texts that are not blank', () => {
    expect(() => check(messagesRequest({ stop_sequences: ['END'] }))).not.toThrow()
    expect(refusalWith({ stop_sequences: [' \n'] })).toContain('must contain non-whitespace')
    expect(refusalWith({ stop_sequences: 'END' })).toBe(
      'stop_sequences: Input should be a valid list',
    )
  })

  test('REQ-29 a user id has up to 512 characters', () => {
    const withId = (length: number) => ({ metadata: { user_id: 'u'.repeat(length) } })
    expect(() => check(messagesRequest(withId(512)))).not.toThrow()
    expect(refusalWith(withId(513))).toBe(
      'metadata.user_id: String should have at most 512 characters',
    )
  })

  test('REQ-25 REQ-36 unknown members and betas pass', () => {
    expect(() =>
      check(messagesRequest({ foo: { bar: 1 }, service_tier: 'standard_only' }), {
        betas: 'foo-2099-01-01,bar',
      }),
    ).not.toThrow()
  })

  test('a budget for thoughts has at least 1024 tokens and leaves room for the answer', () => {
    const thinking = (budget: number) => ({
      max_tokens: 4096,
      thinking: { type: 'enabled', budget_tokens: budget },
    })
    expect(refusalWith(thinking(512))).toContain('thinking.enabled.budget_tokens: ')
    expect(refusalWith(thinking(4096))).toContain(
      '`max_tokens` must be greater than `thinking.budget_tokens`',
    )
    expect(() => check(messagesRequest(thinking(2048)))).not.toThrow()
    const interleaved = { betas: 'interleaved-thinking-2025-05-14' }
    expect(() => check(messagesRequest(thinking(8192)), interleaved)).not.toThrow()
  })

  test('V1021-15 a way to think that we do not know passes', () => {
    const members = {
      thinking: { type: 'between_tools' },
      speed: 'standard',
      diagnostics: { previous_message_id: null },
    }
    expect(() => check(messagesRequest(members), { version: '2026-10-21' })).not.toThrow()
  })

  test('null is taken as left out', () => {
    const nulls = {
      temperature: null,
      tools: null,
      tool_choice: null,
      system: null,
      thinking: null,
      metadata: null,
      output_config: null,
      stop_sequences: null,
      stream: null,
    }
    expect(() => check(messagesRequest(nulls), { version: '2026-10-21' })).not.toThrow()
  })
})

describe('the version of October 2026', () => {
  const newest = { version: '2026-10-21' }

  test.each([
    ['temperature', 1],
    ['top_p', 0.9],
    ['top_k', 5],
  ] as const)(
    'V1021-04 V1021-05 it takes no %s, not even the default, and older versions do',
    (name, value) => {
      expect(refusalWith({ [name]: value }, newest)).toBe(`${name}: Extra inputs are not permitted`)
      expect(() => check(messagesRequest({ [name]: value }))).not.toThrow()
    },
  )

  test('V1021-06 it takes no document that the assistant says itself', () => {
    const document = {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'x' },
    }
    const messages = [user('a'), assistant([document]), user('b')]
    expect(refusalWith({ messages }, newest)).toContain('messages.1.content.0: `document` blocks')
    expect(() => check(messagesRequest({ messages }))).not.toThrow()
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

  test('V1021-07 it takes no citations on what the user says', () => {
    expect(refusalWith({ messages: [user([cited])] }, newest)).toContain(
      'messages.0.content.0.text.citations',
    )
    const found = { type: 'search_result', source: 's', title: 't', content: [cited] }
    expect(refusalWith({ messages: [user([found])] }, newest)).toContain(
      'search_result.content.0.citations',
    )
    expect(() => check(messagesRequest({ messages: [user([cited])] }))).not.toThrow()
  })

  test('V1021-08 it takes empty citations, those of the assistant, and the wish for them', () => {
    const empty = { type: 'text', text: 'a', citations: [] }
    const document = {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'x' },
      citations: { enabled: true },
    }
    const messages = [user([empty, document]), assistant([cited]), user('b')]
    expect(() => check(messagesRequest({ messages }), newest)).not.toThrow()
  })

  test('V1021-09 counting tokens follows the same rules and needs no max_tokens', () => {
    const counted = { model: 'm', messages: [user('hi')] }
    const asked = { ...newest, isCount: true }
    expect(() => check(counted, asked)).not.toThrow()
    expect(refusalOf({ ...counted, temperature: 1 }, asked)).toContain('temperature: ')
    const document = { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } }
    const messages = [user('a'), assistant([document])]
    expect(refusalOf({ ...counted, messages }, asked)).toContain('document')
  })
})

describe('counting tokens', () => {
  test('CNT-03 CNT-04 max_tokens is not needed, and not looked at', () => {
    const counted = { model: 'm', messages: [user('hi')] }
    expect(() => check(counted, { isCount: true })).not.toThrow()
    expect(() =>
      check({ ...counted, max_tokens: 'many', stream: true }, { isCount: true }),
    ).not.toThrow()
  })

  test('CNT-06 calls and results must pair up', () => {
    expect(refusalOf({ model: 'm', messages: [user([result('x')])] }, { isCount: true })).toContain(
      'unexpected `tool_use_id`',
    )
  })
})

test('REQ-33 the body of the official test suite with every member passes', () => {
  const ephemeral = { type: 'ephemeral', ttl: '5m' }
  const body = {
    max_tokens: 1024,
    messages: [user('Hello, world')],
    model: 'm',
    cache_control: ephemeral,
    container: 'container',
    inference_geo: 'inference_geo',
    metadata: { user_id: '13803d75-b4b5-4c3e-b2a2-6f21399b021b' },
    output_config: { effort: 'low', format: { schema: { foo: 'bar' }, type: 'json_schema' } },
    service_tier: 'auto',
    stop_sequences: ['string'],
    stream: false,
    system: [
      {
        text: "Today's date is 2024-06-01.",
        type: 'text',
        cache_control: ephemeral,
        citations: [
          {
            cited_text: 'cited_text',
            document_index: 0,
            document_title: 'x',
            end_char_index: 0,
            start_char_index: 0,
            type: 'char_location',
          },
        ],
      },
    ],
    temperature: 1,
    thinking: { type: 'adaptive', display: 'summarized' },
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    tools: [
      {
        input_schema: {
          type: 'object',
          properties: { location: 'bar', unit: 'bar' },
          required: ['location'],
        },
        name: 'name',
        allowed_callers: ['direct'],
        cache_control: ephemeral,
        defer_loading: true,
        description: 'Get the current weather in a given location',
        eager_input_streaming: true,
        input_examples: [{ foo: 'bar' }],
        strict: true,
        type: 'custom',
      },
    ],
    top_k: 5,
    top_p: 0.7,
  }
  expect(() => check(body)).not.toThrow()
})
