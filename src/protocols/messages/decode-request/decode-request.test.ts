import { describe, expect, test } from 'bun:test'

import type { Conversation } from '#chat/conversation.ts'
import { mintedSignature } from '#protocols/signature.ts'
import { bodyOf, failureOf, headersOf, messagesRequest } from '#test/requests.ts'

import { decodeCountRequest, decodeRequest } from './decode-request.ts'

function meaningOf(said: string | object): Conversation {
  return decodeRequest(bodyOf(said), headersOf()).meaning()
}

const meaningWith = (members: object) => meaningOf(messagesRequest(members))
const turnsOf = (...messages: readonly unknown[]) => meaningWith({ messages }).turns

const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown) => ({ role: 'assistant', content })
const call = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'done' })
const text = (said: string) => ({ type: 'text', text: said }) as const

describe('what every exchange has to know', () => {
  test('it is read without decoding the conversation', () => {
    const headers = headersOf('2023-06-01', 'a-1,b-2')
    const request = decodeRequest(bodyOf(messagesRequest({ stream: true })), headers)
    expect(request).toMatchObject({
      protocol: 'messages',
      stream: true,
      wantsUsage: true,
      maxTokens: 16,
    })
    expect(String(request.model)).toBe('m')
    expect(request.headers).toBe(headers)
  })

  test('REQ-05 max_tokens 0 is kept as 0', () => {
    const request = decodeRequest(bodyOf(messagesRequest({ max_tokens: 0 })), headersOf())
    expect(request.maxTokens).toBe(0)
    expect(request.meaning().maxTokens).toBe(0)
  })

  test('CNT-03 a count has no answer to speak of', () => {
    const counted = { model: 'm', messages: [user('hi')], stream: true }
    const request = decodeCountRequest(bodyOf(counted), headersOf())
    expect(request.stream).toBe(false)
    expect(request.maxTokens).toBeUndefined()
    expect(request.meaning().turns).toHaveLength(1)
  })
})

describe('turns', () => {
  test('REQ-20 a system prompt comes first, as a string or as its blocks', () => {
    expect(meaningWith({ system: 's' }).turns[0]).toEqual({
      role: 'system',
      shape: 'string',
      field: 'system',
      blocks: [text('s')],
    })
    const blocks = [text('a'), { ...text('b'), cache_control: { type: 'ephemeral', ttl: '1h' } }]
    expect(meaningWith({ system: blocks }).turns[0]).toMatchObject({
      shape: 'list',
      blocks: [text('a'), { ...text('b'), cache: '{"type":"ephemeral","ttl":"1h"}' }],
    })
  })

  test('T-Q05 the billing line and empty text are left out of the system prompt', () => {
    const system = [text('x-anthropic-billing-header: v; cch=abc12;'), text(''), text('You are')]
    expect(meaningWith({ system }).turns[0]?.blocks).toEqual([text('You are')])
    expect(meaningWith({ system: 'x-anthropic-billing-header: v' }).turns[0]?.role).toBe('user')
  })

  test('a turn knows where it stood and whether it was a string', () => {
    const turns = turnsOf(user('a'), assistant([text('b')]), user('c'))
    expect(turns.map(({ role, shape, field }) => [role, shape, field])).toEqual([
      ['user', 'string', 'messages[0]'],
      ['assistant', 'list', 'messages[1]'],
      ['user', 'string', 'messages[2]'],
    ])
  })

  test('REQ-13 an empty last answer is no turn', () => {
    expect(turnsOf(user('a'), assistant([]))).toHaveLength(1)
  })

  test('an empty text before a call says nothing', () => {
    const turns = turnsOf(user('a'), assistant([text(''), call('x')]), user([result('x')]))
    expect(turns[1]?.blocks.map((block) => block.type)).toEqual(['call'])
    expect(turnsOf(user('a'), assistant([text('')]), user('b'))).toHaveLength(2)
  })

  test('TOOL-07 results come before what else the user says', () => {
    const turns = turnsOf(
      user('a'),
      assistant([call('x'), call('y')]),
      user([text('so'), result('y'), result('x')]),
    )
    expect(turns[2]?.blocks.map((block) => block.type)).toEqual(['result', 'result', 'text'])
    expect(turns[2]?.blocks[0]).toMatchObject({ callId: 'y' })
  })

  test('REQ-24 a system turn between calls and results moves behind the results', () => {
    const turns = turnsOf(
      user('a'),
      assistant([call('x')]),
      { role: 'system', content: 'note' },
      user([result('x'), text('b')]),
    )
    expect(turns.map(({ role, field }) => [role, field])).toEqual([
      ['user', 'messages[0]'],
      ['assistant', 'messages[1]'],
      ['user', 'messages[3]'],
      ['system', 'messages[2]'],
      ['user', 'messages[3]'],
    ])
    expect(turns[4]?.blocks).toEqual([text('b')])
  })

  test('REQ-12 turns of one role stay apart, unless one would stand between a call and its result', () => {
    expect(turnsOf(user('a'), user('b'), assistant('c'), assistant('d'), user('e'))).toHaveLength(5)
    const turns = turnsOf(user('a'), assistant([call('x')]), assistant('and'), user([result('x')]))
    expect(turns[1]?.blocks.map((block) => block.type)).toEqual(['call', 'text'])
    expect(turns).toHaveLength(3)
  })
})

describe('blocks', () => {
  test('T-Q27 the arguments of a call are the text that was said', () => {
    const said = `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a"},
      {"role":"assistant","content":[{"type":"tool_use","id":"x","name":"f","input": {"b":1.0, "a":12345678901234567890}}]},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"x"}]}]}`
    expect(meaningOf(said).turns[1]?.blocks[0]).toMatchObject({
      arguments: '{"b":1.0, "a":12345678901234567890}',
    })
  })

  test('T-F06 members named like those of every object are members like any other', () => {
    const said = `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a"},
      {"role":"assistant","content":[{"type":"tool_use","id":"x","name":"constructor","input":{"__proto__":{"a":1}}}]},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"x"}]}],"__proto__":{"b":2}}`
    const meaning = meaningOf(said)
    expect(meaning.turns[1]?.blocks[0]).toMatchObject({
      name: 'constructor',
      arguments: '{"__proto__":{"a":1}}',
    })
    expect(meaning.extra.get('__proto__')).toBe('{"b":2}' as never)
  })

  test('IMG-01 IMG-02 images keep their source', () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
    const image = (of: object) => ({ type: 'image', source: of })
    const turns = turnsOf(
      user([
        image(source),
        image({ type: 'url', url: 'https://e.com/a.png' }),
        image({ type: 'file', file_id: 'f1' }),
      ]),
    )
    expect(turns[0]?.blocks).toEqual([
      { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } },
      { type: 'image', source: { type: 'url', url: 'https://e.com/a.png' } },
      { type: 'image', source: { type: 'file', id: 'f1' } },
    ])
  })

  test('IMG-04 what is no base64 is refused, naming the place', () => {
    for (const data of ['not base64!', 'data:image/png;base64,AAAA', 'AAAAA', '']) {
      const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
      const failure = failureOf(() => turnsOf(user([text('a'), image])))
      expect(failure.message).toContain('messages.0.content.1.image.source.base64.data')
      expect(failure.status).toBe(400)
    }
  })

  test('DOC-01 documents keep text, title and context', () => {
    const document = (source: object, members: object = {}) => ({
      type: 'document',
      source,
      ...members,
    })
    const parts = [text('a'), text('b')]
    const turns = turnsOf(
      user([
        document(
          { type: 'text', media_type: 'text/plain', data: 'x' },
          { title: 't', context: 'c', citations: { enabled: true } },
        ),
        document({ type: 'content', content: parts }),
        document({ type: 'content', content: 'plain' }),
      ]),
    )
    expect(turns[0]?.blocks).toEqual([
      {
        type: 'document',
        source: { type: 'text', text: 'x' },
        title: 't',
        context: 'c',
        citations: '{"enabled":true}' as never,
      },
      { type: 'document', source: { type: 'text', text: 'a\nb' } },
      { type: 'document', source: { type: 'text', text: 'plain' } },
    ])
  })

  test('a document of texts and images is kept whole', () => {
    const content = [text('a'), { type: 'image', source: { type: 'url', url: 'https://e.com' } }]
    const [turn] = turnsOf(user([{ type: 'document', source: { type: 'content', content } }]))
    expect(turn?.blocks[0]).toMatchObject({ type: 'other', kind: 'document' })
  })

  test('thoughts keep their signature and whose it is', () => {
    const [, turn] = turnsOf(
      user('a'),
      assistant([
        { type: 'thinking', thinking: 'why', signature: 'sig' },
        { type: 'thinking', thinking: 'how', signature: mintedSignature('deepseek') },
        { type: 'thinking', thinking: 'so', signature: '' },
        { type: 'redacted_thinking', data: 'enc' },
        text('x'),
      ]),
      user('b'),
    )
    expect(turn?.blocks.slice(0, 4)).toEqual([
      {
        type: 'reasoning',
        text: 'why',
        opaque: [{ family: 'anthropic', kind: 'signature', data: 'sig' }],
      },
      {
        type: 'reasoning',
        text: 'how',
        opaque: [{ family: 'deepseek', kind: 'signature', data: mintedSignature('deepseek') }],
      },
      { type: 'reasoning', text: 'so', opaque: [] },
      {
        type: 'reasoning',
        text: '',
        opaque: [{ family: 'anthropic', kind: 'redacted', data: 'enc' }],
      },
    ])
  })

  test('TOOL-03 TOOL-04 a result may hold texts and images, or nothing', () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://e.com/a.png' } }
    const turns = turnsOf(
      user('a'),
      assistant([call('x'), call('y'), call('z')]),
      user([
        { type: 'tool_result', tool_use_id: 'x', content: [text('t'), image] },
        { type: 'tool_result', tool_use_id: 'y', is_error: true },
        { type: 'tool_result', tool_use_id: 'z', content: '', is_error: false },
      ]),
    )
    expect(turns[2]?.blocks).toEqual([
      {
        type: 'result',
        callId: 'x',
        content: [
          text('t'),
          { type: 'image', source: { type: 'url', url: 'https://e.com/a.png' } },
        ],
      },
      { type: 'result', callId: 'y', isError: true },
      { type: 'result', callId: 'z', content: '' },
    ])
  })

  test('a block that has no word of ours is kept as it was said', () => {
    const said = `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[ {"type":"container_upload", "file_id":"f"} ]}]}`
    expect(meaningOf(said).turns[0]?.blocks).toEqual([
      {
        type: 'other',
        kind: 'container_upload',
        raw: '{"type":"container_upload", "file_id":"f"}' as never,
      },
    ])
  })
})

describe('tools', () => {
  test('T-Q59 a schema is the text that was said', () => {
    const schema =
      '{ "type":"object","x-foo":1.0,"$defs":{"b":{},"a":{}},"additionalProperties":false}'
    const said = `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a"}],"tools":[{"name":"f","input_schema":${schema},"strict":true}]}`
    expect(meaningOf(said).tools).toEqual([
      { name: 'f', schema: schema as never, strict: true, field: 'tools[0]' },
    ])
  })

  test('T-Q57 TOOL-16 a tool that only the vendor can run is refused, naming its type', () => {
    for (const type of [
      'web_search_20250305',
      'advisor_20260301',
      'computer_20251124',
      'function',
    ]) {
      const failure = failureOf(() => meaningWith({ tools: [{ type, name: 'f' }] }))
      expect(failure.code).toBe('not-expressible')
      expect(failure.status).toBe(400)
      expect(failure.message).toContain(`tools.0: Input tag '${type}'`)
    }
  })

  test('a tool that the vendor defines and the caller runs is described in full', () => {
    const tools = [
      { type: 'bash_20250124', name: 'bash' },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: 10 },
      { type: 'memory_20250818', name: 'memory' },
    ]
    const known = meaningWith({ tools }).tools
    expect(known.map((tool) => tool.name)).toEqual(tools.map((tool) => tool.name))
    for (const tool of known)
      expect(JSON.parse(tool.schema ?? '')).toMatchObject({ type: 'object' })
  })

  test('TOOL-09 TOOL-11 TOOL-12 the choice among tools', () => {
    const tools = [{ name: 'f', input_schema: { type: 'object' } }]
    const choice = (tool_choice: object) => {
      const { toolChoice, parallelCalls } = meaningWith({ tools, tool_choice })
      return { toolChoice, parallelCalls }
    }
    expect(choice({ type: 'any' })).toEqual({
      toolChoice: { type: 'any' },
      parallelCalls: undefined,
    })
    expect(choice({ type: 'none' })).toMatchObject({ toolChoice: { type: 'none' } })
    expect(choice({ type: 'tool', name: 'f' })).toMatchObject({
      toolChoice: { type: 'named', name: 'f' },
    })
    expect(choice({ type: 'auto', disable_parallel_tool_use: true })).toEqual({
      toolChoice: { type: 'auto' },
      parallelCalls: false,
    })
  })

  test('a choice that nobody knows is refused when it has to be understood', () => {
    const tools = [{ name: 'f', input_schema: {} }]
    const failure = failureOf(() => meaningWith({ tools, tool_choice: { type: 'maybe' } }))
    expect(failure.message).toContain("tool_choice: Input tag 'maybe'")
  })

  test('TOOL-17 without tools there is nothing to choose', () => {
    const { tools, toolChoice } = meaningWith({ tools: [], tool_choice: { type: 'auto' } })
    expect(tools).toEqual([])
    expect(toolChoice).toBeUndefined()
  })
})

describe('settings', () => {
  test('REQ-27 zero is a value', () => {
    expect(meaningWith({ temperature: 0, top_p: 0, top_k: 0 }).sampling).toEqual({
      temperature: 0,
      topP: 0,
      topK: 0,
    })
  })

  test('how to think', () => {
    const reasoning = (members: object) => meaningWith({ max_tokens: 4096, ...members }).reasoning
    expect(reasoning({})).toBeUndefined()
    expect(reasoning({ thinking: { type: 'disabled' } })).toEqual({ mode: 'off' })
    expect(
      reasoning({ thinking: { type: 'enabled', budget_tokens: 2048, display: 'omitted' } }),
    ).toEqual({
      mode: 'on',
      budgetTokens: 2048,
      display: 'omitted',
    })
    expect(reasoning({ thinking: { type: 'adaptive' }, output_config: { effort: 'max' } })).toEqual(
      {
        mode: 'adaptive',
        effort: 'max',
      },
    )
    expect(reasoning({ thinking: { type: 'between_tools' } })).toEqual({ mode: 'adaptive' })
    expect(reasoning({ output_config: { effort: 'low' } })).toEqual({
      mode: 'adaptive',
      effort: 'low',
    })
  })

  test('a system turn may change the effort', () => {
    const messages = [user('a'), { role: 'system', content: [], output_config: { effort: 'high' } }]
    const meaning = meaningWith({ messages, output_config: { effort: 'low' } })
    expect(meaning.reasoning).toEqual({ mode: 'adaptive', effort: 'high' })
    expect(meaning.turns).toHaveLength(1)
  })

  test('an effort that nobody knows is refused when it has to be understood', () => {
    const failure = failureOf(() => meaningWith({ output_config: { effort: 'heroic' } }))
    expect(failure.message).toContain('output_config.effort')
  })

  test('REQ-37 the form of the answer, under either name', () => {
    const schema = '{"type":"object","properties":{"b":{},"a":{}}}'
    const said = (member: string) =>
      `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a"}],${member}}`
    const format = `{"type":"json_schema","schema":${schema}}`
    expect(meaningOf(said(`"output_config":{"format":${format}}`)).format).toEqual({
      type: 'schema',
      schema: schema as never,
    })
    expect(meaningOf(said(`"output_format":${format}`)).format).toEqual({
      type: 'schema',
      schema: schema as never,
    })
  })

  test('T-Q66 the session in a user id keys the prompt cache', () => {
    const session = '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0'
    const json = JSON.stringify({
      device_id: 'd'.repeat(64),
      account_uuid: '',
      session_id: session,
    })
    expect(meaningWith({ metadata: { user_id: json } }).caller).toEqual({
      user: json,
      cacheKey: session,
    })
    const flat = `user_abc_account__session_${session}`
    expect(meaningWith({ metadata: { user_id: flat } }).caller).toEqual({
      user: flat,
      cacheKey: session,
    })
    expect(meaningWith({ metadata: { user_id: 'u1' } }).caller).toEqual({ user: 'u1' })
  })

  test('REQ-25 what has no word of ours is kept by name, as it was said', () => {
    const said = `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a"}],"foo":{ "b":1.0 },"gone":null,"output_config":{"effort":"low","task_budget":{"total":1}},"metadata":{"user_id":"u","team":"t"},"tools":[{"name":"f","input_schema":{},"defer_loading":true}]}`
    expect([...meaningOf(said).extra]).toEqual([
      ['foo', '{ "b":1.0 }'],
      ['output_config.task_budget', '{"total":1}'],
      ['metadata.team', '"t"'],
      ['tools.defer_loading', 'true'],
    ] as never)
  })
})

test('of equal keys the last one counts, whatever the others hold', () => {
  const body = (config: string) =>
    `{"model":"m","max_tokens":4,"messages":[{"role":"user","content":"hi"}],${config}}`
  const extraOf = (config: string) =>
    decodeRequest(bodyOf(body(config)), headersOf()).meaning().extra
  expect([...extraOf('"output_config":1,"output_config":{"novel":2}')]).toEqual([
    ['output_config.novel', '2' as never],
  ])
  expect([...extraOf('"metadata":{"x":1},"metadata":null')]).toEqual([])
})

describe('what only the vendor can do', () => {
  test('V1021-12 a thread is refused with the code that clients know', () => {
    const failure = failureOf(() => meaningWith({ thread: { type: 'create' } }))
    expect(failure.status).toBe(400)
    expect(failure.detail).toBe('thread_unsupported_request')
    for (const thread of [null, false]) expect(meaningWith({ thread }).turns).toHaveLength(1)
  })

  test('a thread is no fault of the request itself, since an upstream may keep it', () => {
    expect(() =>
      decodeRequest(bodyOf(messagesRequest({ thread: { type: 'create' } })), headersOf()),
    ).not.toThrow()
  })

  test('servers of tools, skills and summaries are refused, naming the member', () => {
    const server = { type: 'url', url: 'https://e.com', name: 's' }
    for (const [members, field] of [
      [{ mcp_servers: [server] }, 'mcp_servers'],
      [{ container: { skills: [{ type: 'anthropic', skill_id: 'pdf' }] } }, 'container.skills'],
      [{ compaction: { type: 'summarize' } }, 'compaction'],
    ] as const) {
      const failure = failureOf(() => meaningWith(members))
      expect(failure.code).toBe('not-expressible')
      expect(failure.param).toBe(field)
    }
    expect(meaningWith({ mcp_servers: [], container: 'c1' }).extra.get('container')).toBe(
      '"c1"' as never,
    )
  })
})
