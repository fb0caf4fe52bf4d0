import { describe, expect, test } from 'bun:test'

import type { Conversation } from '#chat/conversation.ts'
import type { ModelName } from '#chat/names.ts'
import { Notes } from '#chat/note.ts'
import type { ChatRequest } from '#chat/request.ts'
import { brandAs } from '#std/brand.ts'
import { rawJson } from '#std/json.ts'
import {
  bodyOf,
  failureOf,
  messagesRequest,
  noteLines,
  saidInChat,
  targetOf,
  turnsInChat,
} from '#test/requests.ts'

import { encodeRequest } from './encode-request.ts'

const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown) => ({ role: 'assistant', content })
const system = (content: unknown) => ({ role: 'system', content })
const text = (said: string) => ({ type: 'text', text: said })
const call = (id: string, members: object = {}) => ({
  type: 'tool_use',
  id,
  name: 'f',
  input: {},
  ...members,
})
const result = (id: string, content?: unknown, members: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...members,
})
const thought = (said: string, signature = 'sig') => ({
  type: 'thinking',
  thinking: said,
  signature,
})
const image = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
}
const imagePart = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
const tool = (members: object = {}) => ({
  name: 'f',
  input_schema: { type: 'object', properties: {} },
  ...members,
})

const saidWith = (members: object, ...rest: [profile?: object, isStrict?: boolean]) =>
  saidInChat(messagesRequest(members), ...rest)

/** What a request is refused with on its way to a chat server. */
const refusalWith = (members: object, profile: object = {}) => {
  const failure = failureOf(() => saidWith(members, profile))
  expect(failure.code).toBe('not-expressible')
  expect(failure.status).toBe(400)
  return failure
}

describe('the request as a whole', () => {
  test('T-K01 the same request gives the same bytes, tools before the conversation', () => {
    const request = messagesRequest({
      system: 's',
      tools: [tool()],
      temperature: 0.5,
      stream: true,
    })
    const { text: said } = saidInChat(request)
    expect(said).toBe(
      '{"model":"upstream-model","stream":true,"stream_options":{"include_usage":true},"max_tokens":16,"temperature":0.5,' +
        '"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}],' +
        '"messages":[{"role":"system","content":"s"},{"role":"user","content":"hi"}]}',
    )
    expect(saidInChat(request).text).toBe(said)
  })

  test('T-K01 a caller that permutes the keys of a schema changes only the schema', () => {
    const request = (schema: string) =>
      `{"model":"m","max_tokens":1,"tools":[{"name":"f","input_schema":${schema}}],"messages":[{"role":"user","content":"a"}]}`
    const one = '{"type":"object","properties":{"a":{},"b":{}}}'
    const other = '{"properties":{"b":{},"a":{}},"type":"object"}'
    expect(saidInChat(request(other)).text).toBe(saidInChat(request(one)).text.replace(one, other))
  })

  test('T-K02 a turn that is added leaves the bytes before it as they were', () => {
    const turns = [user('a'), assistant([text('b'), call('x')]), user([result('x', 'c')])]
    const before = saidWith({ system: 's', messages: turns }).text
    const after = saidWith({ system: 's', messages: [...turns, assistant('d'), user('e')] }).text
    expect(after.startsWith(before.slice(0, -2))).toBe(true)
  })

  test('a stream asks for its usage, where the server can tell', () => {
    expect(saidWith({ stream: true }).body.stream_options).toEqual({ include_usage: true })
    expect(saidWith({ stream: true }, { streamUsage: false }).body).not.toHaveProperty(
      'stream_options',
    )
    expect(saidWith({}).body).not.toHaveProperty('stream')
  })

  test('half of a surrogate pair is sent as the replacement character', () => {
    const said = '{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a\\ud83d"}]}'
    expect(saidInChat(said).messages[0]).toEqual(user('a\ufffd'))
  })
})

describe('the system prompt and text', () => {
  test('T-Q01 blocks stay apart: as parts, or with a blank line between them', () => {
    const members = { system: [text('A'), text('B')] }
    expect(saidWith(members).messages[0]).toEqual(system([text('A'), text('B')]))
    expect(saidWith(members, { textParts: false }).messages[0]).toEqual(system('A\n\nB'))
    expect(saidWith({ system: 's' }).messages[0]).toEqual(system('s'))
  })

  test('the role is the one that the server knows', () => {
    expect(saidWith({ system: 's' }, { systemRole: 'developer' }).messages[0]?.role).toBe(
      'developer',
    )
  })

  test('T-Q05 the billing line is left out, so that equal prompts are equal bytes', () => {
    const request = (stamp: string) =>
      messagesRequest({
        system: [text(`x-anthropic-billing-header: v; cch=${stamp};`), text('You are')],
      })
    expect(saidInChat(request('abc12')).text).toBe(saidInChat(request('zzz99')).text)
    expect(saidInChat(request('abc12')).messages[0]).toEqual(system([text('You are')]))
  })

  test('T-Q09 texts of a user stay apart: as parts, or on lines of their own', () => {
    const messages = [user([text('a'), text('b')])]
    expect(turnsInChat(messages)).toEqual([user([text('a'), text('b')])])
    expect(turnsInChat(messages, { textParts: false })).toEqual([user('a\nb')])
    expect(turnsInChat([user('a')])).toEqual([user('a')])
  })

  test('REQ-12 turns of one role stay apart', () => {
    const messages = [user('a'), user('b'), assistant('c'), assistant('d'), user('e')]
    expect(turnsInChat(messages)).toEqual(messages)
  })

  test('REQ-32 a system turn in the middle stays where it is', () => {
    const messages = [user('1'), system('late'), assistant('2'), user('3')]
    expect(turnsInChat(messages)).toEqual(messages)
  })

  test('T-Q03 where the server takes none, it is said inside the user turns beside it', () => {
    const late = '<system>late</system>'
    const { messages, notes } = saidWith(
      { messages: [user('1'), system('late'), assistant('2'), user('3')], system: 's' },
      { midSystem: 'user' },
    )
    expect(messages).toEqual([
      system('s'),
      user([text('1'), text(late)]),
      assistant('2'),
      user('3'),
    ])
    expect(noteLines(notes)).toEqual(['messages[1]: said inside a user turn'])
    const forward = [user('1'), assistant('2'), system('late'), user('3')]
    expect(turnsInChat(forward, { midSystem: 'user' })).toEqual([
      user('1'),
      assistant('2'),
      user([text(late), text('3')]),
    ])
  })

  test('T-Q14 each block of a long history is said exactly once', () => {
    const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel']
    const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = ''] = words
    const { text: said } = saidWith({
      system: [text(a)],
      messages: [
        user(b),
        assistant([text(c), call('x', { input: { word: d } })]),
        user([result('x', [text(e)]), text(f)]),
        assistant(g),
        user(h),
      ],
    })
    for (const word of words) expect(said.split(word)).toHaveLength(2)
  })
})

describe('answers in the history', () => {
  test('T-Q13 a turn of calls alone has content all the same', () => {
    const messages = [user('a'), assistant([call('c1')]), user([result('c1', 'ok')])]
    const called = [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }]
    expect(turnsInChat(messages)[1]).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: called,
    })
    expect(turnsInChat(messages, { emptyContent: 'string' })[1]).toEqual({
      role: 'assistant',
      content: '',
      tool_calls: called,
    })
  })

  test('T-Q27 arguments are the text that was said', () => {
    const input = '{"b":1.0, "a":12345678901234567890}'
    const said = saidInChat(
      `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"x","name":"f","input":${input}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"x"}]}]}`,
    )
    expect(said.messages[1]).toMatchObject({ tool_calls: [{ function: { arguments: input } }] })
  })

  test('texts side by side are one text; others are joined with a note', () => {
    const split = saidWith({ messages: [user('a'), assistant([text('b'), text('c')]), user('d')] })
    expect(split.messages[1]).toEqual(assistant('bc'))
    expect(split.notes).toEqual([])
    const cut = saidWith(
      { messages: [user('a'), assistant([text('b'), thought('t'), text('c')]), user('d')] },
      { reasoningReplay: 'reasoning_content' },
    )
    expect(cut.messages[1]).toEqual({ ...assistant('b\n\nc'), reasoning_content: 't' })
    expect(noteLines(cut.notes)).toEqual([
      'messages[1]: text joined, out of its place among other blocks',
    ])
  })

  test('T-Q41 thoughts go under the member that the server reads, never among the text', () => {
    const messages = [user('a'), assistant([thought('why'), text('x')]), user('b')]
    expect(turnsInChat(messages, { reasoningReplay: 'reasoning_content' })[1]).toEqual({
      ...assistant('x'),
      reasoning_content: 'why',
    })
    expect(turnsInChat(messages, { reasoningReplay: 'reasoning' })[1]).toEqual({
      ...assistant('x'),
      reasoning: 'why',
    })
    const dropped = saidWith({ messages })
    expect(dropped.messages[1]).toEqual(assistant('x'))
    expect(noteLines(dropped.notes)).toEqual([
      'messages.thinking: thoughts of earlier turns dropped',
    ])
  })

  test('T-Q42 where thoughts are required beside calls, lost ones are empty', () => {
    const said = (...blocks: readonly unknown[]) =>
      turnsInChat([user('a'), assistant([...blocks, call('c1')]), user([result('c1', '1')])], {
        reasoningReplay: 'required',
      })[1]
    expect(said(thought('why'))).toHaveProperty('reasoning_content', 'why')
    expect(said()).toHaveProperty('reasoning_content', '')
    expect(said(thought('why'))).not.toHaveProperty('reasoning_details')
    expect(
      turnsInChat([user('a'), assistant('b'), user('c')], { reasoningReplay: 'required' })[1],
    ).toEqual(assistant('b'))
  })

  test('thoughts go back signed to the family that signed them', () => {
    const blocks = [thought('why'), { type: 'redacted_thinking', data: 'enc' }, text('x')]
    const messages = [user('a'), assistant(blocks), user('b')]
    expect(turnsInChat(messages, { family: 'anthropic' })[1]).toEqual({
      ...assistant('x'),
      thinking_blocks: blocks.slice(0, 2),
    })
  })

  test('a turn of thoughts alone is said where thoughts are, and left out elsewhere', () => {
    const messages = [user('a'), assistant([thought('why')]), user('b')]
    expect(turnsInChat(messages, { reasoningReplay: 'reasoning_content' })[1]).toEqual({
      ...assistant(''),
      reasoning_content: 'why',
    })
    expect(turnsInChat(messages)).toEqual([user('a'), user('b')])
  })

  test('T-Q15 REQ-17 an answer to go on with is asked for as the server wants it', () => {
    const messages = [user('2+2'), assistant('The answer is')]
    const flags = { continue_final_message: true, add_generation_prompt: false }
    expect(saidWith({ messages }, { prefill: 'continue' }).body).toMatchObject({
      ...flags,
      messages,
    })
    expect(saidWith({ messages }, { prefill: 'prefix' }).messages[1]).toEqual({
      ...assistant('The answer is'),
      prefix: true,
    })
    expect(saidWith({ messages }, { prefill: 'native' }).messages).toEqual(messages)
  })

  test('T-Q15 an answer that is already begun leaves no room for thoughts', () => {
    const reasoningOff = rawJson({ chat_template_kwargs: { enable_thinking: false } })
    const members = { messages: [user('2+2'), assistant('4')], thinking: { type: 'adaptive' } }
    const { body, notes } = saidWith(members, { prefill: 'continue', reasoningOff })
    expect(body.chat_template_kwargs).toEqual({ enable_thinking: false })
    expect(noteLines(notes)).toEqual(['thinking: turned off, because the answer is already begun'])
  })

  test('T-Q62 an answer that is already begun cannot be held to a format', () => {
    const members = {
      messages: [user('2+2'), assistant('{')],
      output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
    }
    const failure = refusalWith(members, { prefill: 'continue' })
    expect(failure.status).toBe(400)
    expect(failure.param).toBe('output_config.format')
    expect(failure.message).toContain('already begun')
    const told = saidWith(members, { prefill: 'continue', structuredOutput: 'instruction' })
    expect(told.body).toMatchObject({ continue_final_message: true })
  })

  test('REQ-19 where the server cannot go on, it is refused in the words that clients know', () => {
    const failure = refusalWith({ messages: [user('a'), assistant('b')] }, { prefill: 'refuse' })
    expect(failure.message).toContain('does not support assistant message prefill')
    expect(failure.param).toBe('messages.1')
  })
})

describe('results of tools', () => {
  const asked = (...blocks: readonly unknown[]) => {
    const ids = blocks.flatMap((block) => {
      const { tool_use_id: id } = block as { tool_use_id?: string }
      return id === undefined ? [] : [id]
    })
    return [user('a'), assistant(ids.map((id) => call(id))), user(blocks)]
  }

  test('TOOL-07 TOOL-08 each result is a message of its own, and the rest follows them', () => {
    const said = turnsInChat(asked(text('so'), result('y', '2'), result('x', '1'), text('and')))
    expect(said.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'y', content: '2' },
      { role: 'tool', tool_call_id: 'x', content: '1' },
      user([text('so'), text('and')]),
    ])
  })

  test('TOOL-04 a result of nothing is an empty text', () => {
    expect(turnsInChat(asked(result('x')))[2]).toEqual({
      role: 'tool',
      tool_call_id: 'x',
      content: '',
    })
    expect(turnsInChat(asked(result('x', [])))[2]).toHaveProperty('content', '')
  })

  test('a single text is a string; several are parts, or lines', () => {
    expect(turnsInChat(asked(result('x', [text('a')])))[2]).toHaveProperty('content', 'a')
    const two = asked(result('x', [text('a'), text('b')]))
    expect(turnsInChat(two)[2]).toHaveProperty('content', [text('a'), text('b')])
    expect(turnsInChat(two, { textParts: false })[2]).toHaveProperty('content', 'a\nb')
  })

  test('TOOL-03 T-Q21 an image in a result is attached after it', () => {
    const { messages, notes } = saidWith({ messages: asked(result('c1', [text('txt'), image])) })
    expect(messages.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'txt\n[image 1 attached below]' },
      user([text('[image 1, from the result of call c1]'), imagePart]),
    ])
    expect(noteLines(notes)).toEqual(['messages[2]: image of a tool result said after the results'])
  })

  test('T-Q22 nothing stands between the results', () => {
    const said = turnsInChat(
      asked(result('c1', [image]), result('c2', [text('2'), image]), text('go')),
    )
    expect(said.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: '[image 1 attached below]' },
      { role: 'tool', tool_call_id: 'c2', content: '2\n[image 2 attached below]' },
      user([
        text('[image 1, from the result of call c1]'),
        imagePart,
        text('[image 2, from the result of call c2]'),
        imagePart,
        text('go'),
      ]),
    ])
  })

  test('TOOL-03 a server that takes images in results is given them there', () => {
    const said = turnsInChat(asked(result('c1', [text('txt'), image])), {
      toolResultImages: 'inline',
    })
    expect(said[2]).toHaveProperty('content', [text('txt'), imagePart])
    expect(said).toHaveLength(3)
  })

  test('T-Q23 a failed tool is marked, in the text and, where it is taken, beside it', () => {
    const failed = asked(result('c1', 'boom', { is_error: true }))
    expect(turnsInChat(failed)[2]).toEqual({
      role: 'tool',
      tool_call_id: 'c1',
      content: '[tool error]\nboom',
    })
    expect(turnsInChat(failed, { forwardUnknown: true })[2]).toEqual({
      role: 'tool',
      tool_call_id: 'c1',
      content: '[tool error]\nboom',
      is_error: true,
    })
    const listed = asked(result('c1', [text('a'), text('b')], { is_error: true }))
    expect(turnsInChat(listed)[2]).toHaveProperty('content', [
      text('[tool error]'),
      text('a'),
      text('b'),
    ])
    const silent = asked(result('c1', undefined, { is_error: true }))
    expect(turnsInChat(silent)[2]).toHaveProperty('content', '[tool error]')
  })

  test('T-Q23 a text that speaks of an error is no failed tool', () => {
    expect(turnsInChat(asked(result('c1', '{"error":"x"}')))[2]).toHaveProperty(
      'content',
      '{"error":"x"}',
    )
  })

  test('T-I02 an id that the server does not take is changed on both sides alike', () => {
    const said = turnsInChat(asked(result('toolu_1', 'a'), result('functions.f:0', 'b')), {
      callIds: 'nine',
    })
    const [first, second] = [said[2]?.tool_call_id, said[3]?.tool_call_id]
    expect(said[1]).toMatchObject({ tool_calls: [{ id: first }, { id: second }] })
    expect(first).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(second).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(first).not.toBe(second)
  })
})

describe('images and documents', () => {
  const image_url = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }
  const pdf = (members: object = {}) => ({
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
    ...members,
  })

  test('IMG-01 an image is sent as a data URL, its bytes copied', () => {
    expect(turnsInChat([user([text('a'), image])])).toEqual([user([text('a'), imagePart])])
  })

  test('IMG-02 T-Q19 a URL is passed on, or refused where the server fetches none', () => {
    expect(turnsInChat([user([image_url])])).toEqual([
      user([{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }]),
    ])
    const failure = refusalWith({ messages: [user([image_url])] }, { fetchesUrls: false })
    expect(failure.message).toContain('messages.0.content: image.source.url')
  })

  test('IMG-02 a file of another vendor is refused', () => {
    for (const type of ['image', 'document']) {
      const block = { type, source: { type: 'file', file_id: 'file_1' } }
      expect(refusalWith({ messages: [user([block])] }).message).toContain(`${type}.source.file_id`)
    }
  })

  test('T-Q18 a PDF is a file with its title as the name, its bytes copied', () => {
    expect(turnsInChat([user([pdf({ title: 'a.pdf' }), pdf()])])).toEqual([
      user([
        {
          type: 'file',
          file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
        },
        {
          type: 'file',
          file: { filename: 'document.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
        },
      ]),
    ])
  })

  test('DOC-01 a text document is said as text under its title, with a note', () => {
    const document = {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'body' },
      title: 'Title',
      context: 'from the archive',
      citations: { enabled: true },
    }
    const { messages, notes } = saidWith({ messages: [user([document])] })
    expect(messages).toEqual([user([text('Title\nfrom the archive\n\nbody')])])
    expect(noteLines(notes)).toEqual([
      'messages[0].citations: dropped',
      'messages[0]: document said as text',
    ])
  })

  test('DOC-01 a document of several texts is said as text; one with images is refused', () => {
    const document = (content: unknown) => ({
      type: 'document',
      source: { type: 'content', content },
    })
    expect(turnsInChat([user([document([text('a'), text('b')])])])).toEqual([user([text('a\nb')])])
    expect(refusalWith({ messages: [user([document([image])])] }).message).toContain(
      'messages.0.content',
    )
  })

  test('DOC-01 a document by URL is refused, since this protocol has no word for it', () => {
    const document = { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } }
    expect(refusalWith({ messages: [user([document])] }).message).toContain('document.source.url')
  })

  test('V1021-06 a document of the assistant is said as text', () => {
    const document = {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'x' },
    }
    expect(turnsInChat([user('a'), assistant([document]), user('b')])[1]).toEqual(assistant('x'))
    expect(refusalWith({ messages: [user('a'), assistant([image]), user('b')] }).message).toContain(
      'messages.1.content',
    )
  })

  test('search results are said as text; a block that only the vendor knows is refused', () => {
    const found = {
      type: 'search_result',
      title: 'T',
      source: 'https://e.com',
      content: [text('a'), text('b')],
    }
    const { messages, notes } = saidWith({ messages: [user([found])] })
    expect(messages).toEqual([user([text('T\nhttps://e.com\n\na\nb')])])
    expect(noteLines(notes)).toEqual(['messages[0]: search_result said as text'])
    const upload = { type: 'container_upload', file_id: 'f' }
    expect(refusalWith({ messages: [user([upload])] }).message).toContain(
      "messages.0.content: Input tag 'container_upload'",
    )
  })
})

describe('tools', () => {
  test('T-Q59 a schema is the text that was said', () => {
    const schema =
      '{ "type":"object","properties":{},"$defs":{"b":{},"a":{}},"additionalProperties":false,"const":1.0,"x-foo":[ ]}'
    const said = saidInChat(
      `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a"}],"tools":[{"input_schema":${schema},"name":"f"}]}`,
    )
    expect(said.text).toContain(`"parameters":${schema}`)
  })

  test('T-Q60 a schema without properties is given some where the server needs them', () => {
    const parameters = (input_schema: object, schemaNeedsProperties = true) => {
      const { body } = saidWith({ tools: [tool({ input_schema })] }, { schemaNeedsProperties })
      return JSON.stringify(
        (body as { tools: [{ function: { parameters: unknown } }] }).tools[0].function.parameters,
      )
    }
    expect(parameters({ type: 'object' })).toBe('{"type":"object","properties":{}}')
    expect(parameters({})).toBe('{"type":"object","properties":{}}')
    expect(parameters({ properties: { a: {} } })).toBe('{"properties":{"a":{}},"type":"object"}')
    expect(parameters({ type: 'object' }, false)).toBe('{"type":"object"}')
  })

  test('T-Q61 only what this protocol knows of a tool is said', () => {
    const members = {
      description: 'does',
      strict: true,
      cache_control: { type: 'ephemeral' },
      defer_loading: true,
      eager_input_streaming: true,
      input_examples: [{}],
    }
    const { body, notes } = saidWith({ tools: [tool(members)] })
    expect(body.tools).toEqual([
      {
        type: 'function',
        function: {
          name: 'f',
          description: 'does',
          parameters: { type: 'object', properties: {} },
          strict: true,
        },
      },
    ])
    expect(noteLines(notes)).toEqual([
      'tools.defer_loading: dropped',
      'tools.eager_input_streaming: dropped',
      'tools.input_examples: dropped',
      'cache_control: dropped',
    ])
    expect(
      noteLines(saidWith({ tools: [tool({ strict: true })] }, { strictTools: false }).notes),
    ).toEqual(['tools[0].strict: dropped'])
  })

  test('T-Q53 TOOL-09 TOOL-11 TOOL-12 the choice among tools', () => {
    const choice = (tool_choice: object) => saidWith({ tools: [tool()], tool_choice }).body
    expect(choice({ type: 'auto' }).tool_choice).toBe('auto')
    expect(choice({ type: 'none' }).tool_choice).toBe('none')
    expect(choice({ type: 'any' }).tool_choice).toBe('required')
    expect(choice({ type: 'tool', name: 'f' }).tool_choice).toEqual({
      type: 'function',
      function: { name: 'f' },
    })
    expect(choice({ type: 'auto' })).not.toHaveProperty('parallel_tool_calls')
    expect(choice({ type: 'any', disable_parallel_tool_use: true }).parallel_tool_calls).toBe(false)
  })

  test('T-Q56 TOOL-17 without tools nothing is said of them', () => {
    const { body } = saidWith({
      tools: [],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    })
    for (const member of ['tools', 'tool_choice', 'parallel_tool_calls'])
      expect(body).not.toHaveProperty(member)
  })

  test('T-I06 TOOL-13 long names are shortened everywhere alike, and the caller’s are known', () => {
    const one = `${'n'.repeat(64)}_one`
    const other = `${'n'.repeat(64)}_two`
    const { body, messages, names } = saidWith({
      tools: [tool({ name: one }), tool({ name: other })],
      tool_choice: { type: 'tool', name: other },
      messages: [user('a'), assistant([call('x', { name: one })]), user([result('x')])],
    })
    const sent = (body.tools as { function: { name: string } }[]).map((each) => each.function.name)
    expect(new Set(sent).size).toBe(2)
    expect(sent.every((name) => name.length <= 64)).toBe(true)
    expect(body.tool_choice).toEqual({ type: 'function', function: { name: sent[1] } })
    expect(messages[1]).toMatchObject({ tool_calls: [{ function: { name: sent[0] } }] })
    expect([...names]).toEqual([
      [sent[0], one],
      [sent[1], other],
    ] as never)
  })

  test('T-Q57 TOOL-16 a tool that the vendor runs is refused', () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }]
    expect(refusalWith({ tools }).message).toContain("tools.0: Input tag 'web_search_20250305'")
  })
})

describe('settings', () => {
  test('max_tokens goes under the name that the server knows, up to what the model can', () => {
    expect(
      saidWith({ max_tokens: 7 }, { maxTokensField: 'max_completion_tokens' }).body,
    ).toMatchObject({ max_completion_tokens: 7 })
    const { body, notes } = saidWith({ max_tokens: 32_000 }, { maxOutput: 8192 })
    expect(body.max_tokens).toBe(8192)
    expect(noteLines(notes)).toEqual(['max_tokens: lowered from 32000 to 8192'])
  })

  test('T-Q51 REQ-05 reading a prompt without answering is refused', () => {
    expect(refusalWith({ max_tokens: 0 }).param).toBe('max_tokens')
  })

  test('T-Q55 REQ-27 zero is a value', () => {
    const { body } = saidWith({ temperature: 0, top_p: 0, top_k: 0 }, { topK: true })
    expect(body).toMatchObject({ temperature: 0, top_p: 0, top_k: 0 })
  })

  test('sampling that the server refuses is left out, with a note unless it is the ordinary one', () => {
    const said = (members: object, profile: object) => noteLines(saidWith(members, profile).notes)
    const both = { temperature: 0.5, top_p: 0.9 }
    expect(said(both, { sampling: 'none' })).toEqual(['temperature: dropped', 'top_p: dropped'])
    expect(said(both, { sampling: 'one' })).toEqual(['top_p: dropped'])
    expect(said({ temperature: 1, top_p: 1 }, { sampling: 'none' })).toEqual([])
    expect(said({ top_k: 5 }, { topK: false })).toEqual(['top_k: dropped'])
  })

  test('REQ-28 stop sequences are passed on, or refused if the server takes fewer', () => {
    expect(saidWith({ stop_sequences: ['END'] }).body.stop).toEqual(['END'])
    expect(saidWith({ stop_sequences: [] }).body).not.toHaveProperty('stop')
    expect(refusalWith({ stop_sequences: ['1', '2', '3', '4', '5'] }).param).toBe('stop_sequences')
  })

  test('T-Q31 a caller that does not ask for thoughts gets none from a model that thinks by itself', () => {
    const reasoningOff = rawJson({ think: false, chat_template_kwargs: { enable_thinking: false } })
    const off = { think: false, chat_template_kwargs: { enable_thinking: false } }
    expect(saidWith({}, { reasoningOff }).body).toMatchObject(off)
    expect(saidWith({ thinking: { type: 'disabled' } }, { reasoningOff }).body).toMatchObject(off)
    expect(saidWith({ thinking: { type: 'adaptive' } }, { reasoningOff }).body).not.toHaveProperty(
      'think',
    )
    expect(saidWith({}).body).not.toHaveProperty('reasoning_effort')
  })

  test('T-Q32 the effort is passed on by name, up to the hardest that the model has', () => {
    const effort = (level: string, profile: object = {}) =>
      saidWith({ thinking: { type: 'adaptive' }, output_config: { effort: level } }, profile)
    expect(effort('low').body.reasoning_effort).toBe('low')
    const most = effort('max')
    expect(most.body.reasoning_effort).toBe('high')
    expect(noteLines(most.notes)).toEqual(['output_config.effort: lowered from max to high'])
    expect(effort('max', { highestEffort: 'max' }).body.reasoning_effort).toBe('max')
    const none = effort('high', { reasoningControl: 'none' })
    expect(none.body).not.toHaveProperty('reasoning_effort')
    expect(noteLines(none.notes)).toEqual(['output_config.effort: dropped'])
  })

  test.each([
    [2000, 'low'],
    [5000, 'medium'],
    [8000, 'high'],
  ] as const)(
    'a budget of %i of 10000 tokens is said as the effort %s',
    (budget_tokens, effort) => {
      const members = { max_tokens: 10_000, thinking: { type: 'enabled', budget_tokens } }
      const { body, notes } = saidWith(members)
      expect(body.reasoning_effort).toBe(effort)
      expect(noteLines(notes)).toEqual([`thinking.budget_tokens: said as effort ${effort}`])
    },
  )

  test('REQ-37 the form of the answer is passed on, strict where the schema allows it', () => {
    const format = (schema: object) =>
      saidWith({ output_config: { format: { type: 'json_schema', schema } } }).body.response_format
    const closed = {
      type: 'object',
      properties: { a: {} },
      required: ['a'],
      additionalProperties: false,
    }
    expect(format(closed)).toEqual({
      type: 'json_schema',
      json_schema: { name: 'response', schema: closed, strict: true },
    })
    const open = { type: 'object', properties: { a: {} } }
    expect(format(open)).toEqual({
      type: 'json_schema',
      json_schema: { name: 'response', schema: open },
    })
    const nested = { ...closed, properties: { a: { type: 'object', properties: { b: {} } } } }
    expect(format(nested)).not.toHaveProperty('json_schema.strict')
  })

  test('REQ-37 a server that knows no form is told it as the last instruction', () => {
    const schema = '{"type":"object"}'
    const members = {
      system: 's',
      output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
    }
    const { messages, notes, body } = saidWith(members, { structuredOutput: 'instruction' })
    expect(body).not.toHaveProperty('response_format')
    expect(messages[0]).toMatchObject({ role: 'system', content: [text('s'), { type: 'text' }] })
    expect(JSON.stringify(messages[0])).toContain(JSON.stringify(schema).slice(1, -1))
    expect(noteLines(notes)).toEqual(['output_config.format: said as an instruction'])
    const alone = saidWith({ ...members, system: undefined }, { structuredOutput: 'instruction' })
    expect(alone.messages[0]?.role).toBe('system')
  })

  test('REQ-29 T-Q66 the user and its session are told to servers that ask, hashed if too long', () => {
    const id = JSON.stringify({ device_id: 'd'.repeat(64), session_id: 'abcd-1234-efgh' })
    const metadata = { user_id: id }
    const { body } = saidWith({ metadata }, { callerFields: true })
    expect(body.safety_identifier).toMatch(/^[0-9a-f]{64}$/)
    expect(body.prompt_cache_key).toBe('abcd-1234-efgh')
    expect(
      saidWith({ metadata: { user_id: 'u1' } }, { callerFields: true }).body.safety_identifier,
    ).toBe('u1')
    const silent = saidWith({ metadata })
    expect(silent.body).not.toHaveProperty('safety_identifier')
    expect(noteLines(silent.notes)).toEqual(['metadata.user_id: dropped'])
  })

  test('REQ-36 the tier is told in the words of this protocol', () => {
    const tier = (service_tier: string, callerFields: boolean) =>
      saidWith({ service_tier }, { callerFields })
    expect(tier('standard_only', true).body.service_tier).toBe('default')
    expect(tier('auto', true).body.service_tier).toBe('auto')
    expect(noteLines(tier('standard_only', false).notes)).toEqual(['service_tier: dropped'])
    expect(tier('auto', false).notes).toEqual([])
  })

  test('REQ-25 unknown members go on where the server takes them, those of the vendor nowhere', () => {
    const members = { foo: 1, context_management: { edits: [] }, speed: 'fast' }
    const taken = saidWith(members, { forwardUnknown: true })
    expect(taken.body.foo).toBe(1)
    expect(noteLines(taken.notes)).toEqual(['context_management: dropped', 'speed: dropped'])
    expect(noteLines(saidWith(members).notes)).toContain('foo: dropped')
  })

  test('a strict gateway refuses what it would have to adapt', () => {
    const failure = failureOf(() => saidWith({ top_k: 5 }, { topK: false }, true))
    expect(failure.code).toBe('not-expressible')
    expect(failure.param).toBe('top_k')
    expect(saidWith({ temperature: 0.5 }, {}, true).notes).toEqual([])
  })
})

describe('real clients', () => {
  const ephemeral = { type: 'ephemeral', ttl: '1h', scope: 'global' }

  test('REQ-32 the request of a coding agent is translated whole', () => {
    const agent = {
      model: 'm',
      max_tokens: 32_000,
      stream: true,
      thinking: { type: 'adaptive' },
      output_config: { effort: 'medium' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      metadata: {
        user_id: JSON.stringify({ device_id: 'd', account_uuid: '', session_id: 's'.repeat(36) }),
      },
      system: [
        text('x-anthropic-billing-header: cc_version=2.1.69; cch=abcde;'),
        { ...text('You are a coding agent.'), cache_control: ephemeral },
      ],
      tools: [
        {
          name: 'Bash',
          description: 'Runs',
          input_schema: {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            type: 'object',
            properties: { command: { type: 'string' } },
            additionalProperties: false,
          },
          cache_control: ephemeral,
          eager_input_streaming: true,
        },
        { name: 'mcp__server__tool', input_schema: { type: 'object' }, defer_loading: true },
      ],
      messages: [
        user([{ ...text('do it'), cache_control: ephemeral }]),
        {
          ...system([{ ...text('reminder'), cache_control: ephemeral }]),
          clear_at: 'next_user_message',
        },
        assistant([
          thought('hmm'),
          text('ok'),
          call('toolu_1', { name: 'Bash', input: { command: 'ls' }, cache_control: ephemeral }),
        ]),
        user([
          {
            ...result('toolu_1', [{ type: 'tool_reference', tool_name: 'mcp__server__tool' }]),
            cache_control: ephemeral,
          },
          text('next'),
        ]),
      ],
    }
    const { messages, notes } = saidInChat(agent)
    expect(messages.map((message) => message.role)).toEqual([
      'system',
      'user',
      'system',
      'assistant',
      'tool',
      'user',
    ])
    expect(messages[4]).toHaveProperty('content', 'The tool mcp__server__tool is available.')
    expect(noteLines(notes)).toContain('cache_control: dropped')
    expect(JSON.stringify(messages)).not.toContain('cache_control')
    expect(JSON.stringify(messages)).not.toContain('billing')
  })

  test('REQ-33 the body of the official test suite is translated', () => {
    const { body } = saidWith({
      container: 'container',
      inference_geo: 'inference_geo',
      cache_control: { type: 'ephemeral' },
      output_config: { effort: 'low', format: { schema: { foo: 'bar' }, type: 'json_schema' } },
      thinking: { type: 'adaptive', display: 'summarized' },
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      tools: [
        tool({
          type: 'custom',
          allowed_callers: ['direct'],
          input_schema: { type: 'object', properties: { location: 'bar' } },
        }),
      ],
      stop_sequences: ['string'],
      service_tier: 'auto',
    })
    expect(body).toMatchObject({
      reasoning_effort: 'low',
      stop: ['string'],
      parallel_tool_calls: false,
    })
  })
})

describe('a conversation that came in this protocol', () => {
  const nothing: Conversation = {
    turns: [
      {
        role: 'user',
        shape: 'string',
        blocks: [{ type: 'text', text: 'hi' }],
        field: 'messages[0]',
      },
    ],
    tools: [],
    sampling: {},
    stop: [],
    choices: 1,
    extra: new Map(),
  }

  function retold(conversation: Partial<Conversation>, profile: object = {}) {
    const request: ChatRequest = {
      protocol: 'chat-completions',
      model: brandAs<ModelName>('m'),
      stream: false,
      wantsUsage: false,
      body: bodyOf({}),
      headers: new Map(),
      meaning: () => ({ ...nothing, ...conversation }),
    }
    const notes = new Notes()
    const sent = encodeRequest(request, targetOf('chat-completions', profile), notes)
    return { body: bodyOf(sent.body).value, notes: notes.list }
  }

  test('what only this protocol can say is said', () => {
    const { body, notes } = retold({
      choices: 2,
      logprobs: { top: 3 },
      verbosity: 'low',
      format: { type: 'json' },
      sampling: { seed: rawJson(7), presencePenalty: 0.5, logitBias: rawJson({ 5: -1 }) },
    })
    expect(body).toEqual({
      model: 'upstream-model',
      presence_penalty: 0.5,
      logit_bias: { 5: -1 },
      seed: 7,
      n: 2,
      logprobs: true,
      top_logprobs: 3,
      verbosity: 'low',
      response_format: { type: 'json_object' },
      messages: [user('hi')],
    })
    expect(notes).toEqual([])
  })

  test('silence about thoughts stays silence', () => {
    expect(retold({}, { reasoningOff: rawJson({ think: false }) }).body).not.toHaveProperty('think')
    expect(retold({ reasoning: { mode: 'off', effort: 'none' } }).body.reasoning_effort).toBe(
      'none',
    )
  })

  test('a last answer is history, not one to go on with', () => {
    const turn = {
      role: 'assistant',
      shape: 'string',
      blocks: [{ type: 'text', text: 'x' }],
      field: 'messages[1]',
    } as const
    const { body } = retold({ turns: [...nothing.turns, turn] }, { prefill: 'refuse' })
    expect(body.messages).toEqual([user('hi'), assistant('x')])
  })

  test('names, sound, refusals and parts that only this protocol has are kept', () => {
    const blocks = [
      { type: 'audio', data: 'AAAA', format: 'wav' },
      { type: 'other', kind: 'video_url', raw: rawJson({ url: 'u' }) },
      { type: 'image', source: { type: 'url', url: 'https://e.com' }, detail: 'low' },
    ] as const
    const { body } = retold({
      turns: [
        { role: 'user', name: 'Ann', shape: 'list', blocks, field: 'messages[0]' },
        {
          role: 'assistant',
          shape: 'list',
          blocks: [{ type: 'refusal', text: 'no' }],
          field: 'messages[1]',
        },
        { role: 'user', shape: 'string', blocks: [], field: 'messages[2]' },
      ],
    })
    expect(body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
          { type: 'video_url', video_url: { url: 'u' } },
          { type: 'image_url', image_url: { url: 'https://e.com', detail: 'low' } },
        ],
        name: 'Ann',
      },
      { role: 'assistant', content: null, refusal: 'no' },
      user(''),
    ])
  })

  test('T-Q22 images in results that are turns of their own come after the last of them', () => {
    const result_ = (callId: string) =>
      ({
        role: 'user',
        shape: 'list',
        field: 'messages[2]',
        blocks: [
          {
            type: 'result',
            callId,
            content: [{ type: 'image', source: { type: 'url', url: 'https://e.com' } }],
          },
        ],
      }) as const
    const { body } = retold({ turns: [...nothing.turns, result_('a'), result_('b')] })
    expect((body.messages as { role: string }[]).map((message) => message.role)).toEqual([
      'user',
      'tool',
      'tool',
      'user',
    ])
  })

  test('a narrowed choice and empty arguments are said as this protocol has them', () => {
    const { body } = retold({
      tools: [{ name: 'f', field: 'tools[0]' }],
      toolChoice: { type: 'allowed', mode: 'any', names: ['f'] },
      turns: [
        ...nothing.turns,
        {
          role: 'assistant',
          shape: 'list',
          field: 'messages[1]',
          blocks: [{ type: 'call', id: 'c', name: 'f', arguments: ' ' }],
        },
      ],
    })
    expect(body.tool_choice).toEqual({
      type: 'allowed_tools',
      allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'f' } }] },
    })
    expect(JSON.stringify(body.messages)).toContain('"arguments":"{}"')
  })

  test('what Google keeps beside a call goes back to it, and a lost signature is said to be lost', () => {
    const said = (opaque: readonly object[]) => {
      const block = { type: 'call', id: 'c', name: 'f', arguments: '{}', opaque } as never
      const { body } = retold(
        {
          turns: [
            ...nothing.turns,
            { role: 'assistant', shape: 'list', field: 'messages[1]', blocks: [block] },
          ],
        },
        { family: 'google' },
      )
      return JSON.stringify(body.messages)
    }
    expect(
      said([{ family: 'google', kind: 'extra', data: '{"google":{"thought_signature":"s"}}' }]),
    ).toContain('"extra_content":{"google":{"thought_signature":"s"}}')
    expect(said([])).toContain('skip_thought_signature_validator')
  })
})
