import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import type { Conversation } from '#chat/conversation.ts'
import { Notes } from '#chat/note.ts'
import type { Profile } from '#chat/profile.ts'
import type { ChatRequest } from '#chat/request.ts'
import type { TargetModel } from '#chat/target.ts'
import { decodeRequest } from '#protocols/chat-completions/decode-request/decode-request.ts'
import { mintedSignature } from '#protocols/signature.ts'
import { brandAs } from '#std/brand.ts'
import { membersOf, rawAt } from '#std/json.ts'

import { encodeRequest } from './encode-request.ts'

/** A current model of the vendor itself, except that it still takes sampling parameters and prefills. */
const profile: Profile = {
  family: 'anthropic',
  maxOutput: 64_000,
  defaultMaxTokens: 32_000,
  sampling: 'all',
  topK: true,
  midSystem: 'user',
  prefill: 'native',
  structuredOutput: 'native',
  strictTools: true,
  callIds: 'word',
  toolNameLimit: 64,
  forwardUnknown: false,
  fetchesUrls: true,
  maxTokensField: 'max_tokens',
  systemRole: 'system',
  textParts: true,
  emptyContent: 'null',
  toolResultImages: 'inline',
  streamUsage: true,
  reasoningReplay: 'none',
  reasoningControl: 'none',
  callerFields: true,
  maxStops: 64,
  schemaNeedsProperties: false,
  thinking: 'adaptive',
  firstParty: true,
}

const targetWith = (own: Partial<Profile>): TargetModel => ({
  upstream: 'u',
  model: brandAs('claude'),
  protocol: 'messages',
  profile: { ...profile, ...own },
})

function requestOf(text: string): ChatRequest {
  const body = { text, value: JSON.parse(text), members: membersOf(text) }
  return decodeRequest(body, new Map())
}

function tellText(text: string, own: Partial<Profile> = {}, strict = false) {
  const notes = new Notes(strict)
  const { body, headers, names } = encodeRequest(requestOf(text), targetWith(own), notes)
  return {
    body,
    said: JSON.parse(body),
    headers,
    names,
    notes: notes.list.map(({ field, what }) => `${field} ${what}`),
  }
}

const textWith = (members: object) =>
  JSON.stringify({ model: 'm', messages: [U('Hi')], ...members })
const tell = (members: object, own: Partial<Profile> = {}, strict = false) =>
  tellText(textWith(members), own, strict)
const tellTurns = (messages: readonly object[], own: Partial<Profile> = {}) =>
  tell({ messages }, own)

const S = (content: unknown) => ({ role: 'system', content })
const U = (content: unknown) => ({ role: 'user', content })
const A = (content: unknown, ...calls: readonly object[]) => ({
  role: 'assistant',
  content,
  ...(calls.length > 0 ? { tool_calls: calls } : {}),
})
const T = (id: string, content: unknown) => ({ role: 'tool', tool_call_id: id, content })
const call = (id: string, name: string, text: string) => ({
  id,
  type: 'function',
  function: { name, arguments: text },
})
const fn = (name: string, more: object = {}) => ({ type: 'function', function: { name, ...more } })

const text = (said: string) => ({ type: 'text', text: said })
const u = (...content: readonly unknown[]) => ({ role: 'user', content })
const a = (...content: readonly unknown[]) => ({ role: 'assistant', content })
const plain = (role: string, content: string) => ({ role, content })
const tu = (id: string, name: string, input: unknown) => ({ type: 'tool_use', id, name, input })
const tr = (id: string, content?: unknown) => ({
  type: 'tool_result',
  tool_use_id: id,
  ...(content === undefined ? {} : { content }),
})

const refusal = (param: string) => expect.objectContaining({ code: 'not-expressible', param })

describe('instructions and texts', () => {
  test('T-Q02 the leading instructions are one list of blocks', () => {
    const { said, notes } = tellTurns([S('A'), { role: 'developer', content: 'B' }, U('hi')])
    expect(said.system).toEqual([text('A'), text('B')])
    expect(said.messages).toEqual([plain('user', 'hi')])
    expect(notes).toEqual([])
  })

  test('V22 an instruction of several parts keeps them apart', () => {
    expect(tellTurns([S([text('a'), text(''), text('b')]), U('hi')]).said.system).toEqual([
      text('a'),
      text('b'),
    ])
  })

  test('T-Q03 a late instruction stays in its place, natively or marked', () => {
    const turns = [S('A'), U('1'), A('2'), S('late'), U('3')]
    const native = tellTurns(turns, { midSystem: 'native' })
    expect(native.said.messages).toEqual([
      plain('user', '1'),
      plain('assistant', '2'),
      plain('system', 'late'),
      plain('user', '3'),
    ])
    expect(native.notes).toEqual([])
    const marked = tellTurns(turns)
    expect(marked.said.system).toEqual([text('A')])
    expect(marked.said.messages).toEqual([
      plain('user', '1'),
      plain('assistant', '2'),
      u(text('<system>late</system>'), text('3')),
    ])
    expect(marked.notes).toEqual(['messages[3] said in a turn of the user'])
  })

  test('an instruction that is more than text is refused, wherever it stands', () => {
    const picture = S([{ type: 'image_url', image_url: 'https://a.example/b' }])
    expect(() => tellTurns([picture, U('a')])).toThrow(refusal('messages[0].content'))
    expect(() => tellTurns([U('a'), picture])).toThrow(refusal('messages[1].content'))
  })

  test('a request of instructions alone has the last one said by the user', () => {
    const { said, notes } = tellTurns([S('A'), S('B')])
    expect(said.system).toEqual([text('A')])
    expect(said.messages).toEqual([plain('user', 'B')])
    expect(notes).toEqual(['messages[1] said in a turn of the user'])
  })

  test('T-Q06 blank parts are left out', () => {
    expect(tellTurns([U([text('a'), text(''), text('b')])])).toMatchObject({
      said: { messages: [u(text('a'), text('b'))] },
      notes: [],
    })
    expect(tellTurns([U([text('a'), text(' \n')])]).notes).toEqual([
      'messages[0].content dropped where blank',
    ])
  })

  test('T-Q07 a conversation that says nothing is refused', () => {
    expect(() => tellTurns([U('   ')])).toThrow(refusal('messages[0].content'))
    expect(() => tellTurns([U('   ')])).toThrow('messages[0]: text must be non-empty')
    expect(() => tellTurns([U('')])).toThrow(refusal('messages[0].content'))
  })

  test('an empty message is left out unless the roles would not alternate without it', () => {
    const { said, notes } = tellTurns([U('a'), U(''), A('b'), A(null), U('c')])
    expect(said.messages).toEqual([plain('user', 'a'), plain('assistant', 'b'), plain('user', 'c')])
    expect(notes).toEqual([
      'messages[1] dropped: it says nothing',
      'messages[3] dropped: it says nothing',
    ])
    expect(() => tellTurns([U('a'), A('b'), U(''), A('c')])).toThrow(refusal('messages[2].content'))
    expect(() => tellTurns([U('a'), A('b'), U('')])).toThrow(refusal('messages[2].content'))
  })

  test('V34 every character arrives, half of one as the sign for it', () => {
    const said = '🙂\u2028\u0000"\\'
    expect(tellTurns([U(said)]).said.messages).toEqual([plain('user', said)])
    expect(tellTurns([U('a\ud83d')]).said.messages).toEqual([plain('user', 'a\ufffd')])
  })

  test('a name of a message is dropped with a note', () => {
    expect(tellTurns([{ ...U('hi'), name: 'Ann' }]).notes).toEqual(['messages[0].name dropped'])
  })

  test('a refusal of an earlier answer is what it said', () => {
    expect(tellTurns([U('a'), { ...A(null), refusal: 'no' }, U('b')]).said.messages[1]).toEqual(
      a(text('no')),
    )
  })

  test('cache marks go to the first party alone', () => {
    const turns = [S([{ ...text('s'), cache_control: { type: 'ephemeral', ttl: '1h' } }]), U('hi')]
    expect(tellTurns(turns).body).toContain('"cache_control":{"type":"ephemeral","ttl":"1h"}')
    const other = tellTurns(turns, { firstParty: false })
    expect(other.body).not.toContain('cache_control')
    expect(other.notes).toEqual(['messages[0].cache_control dropped'])
  })
})

describe('an answer that the caller began', () => {
  const turns = [U('a'), A('The answer is \n')]

  test('loses the whitespace at its end, which the protocol refuses', () => {
    const { said, notes } = tellTurns(turns)
    expect(said.messages[1]).toEqual(plain('assistant', 'The answer is'))
    expect(notes).toEqual(['messages[1].content trailing whitespace dropped'])
    expect(tellTurns([U('a'), A('b')]).notes).toEqual([])
  })

  test('is refused for a model that continues none', () => {
    expect(() => tellTurns(turns, { prefill: 'refuse' })).toThrow(refusal('messages[1]'))
    expect(() => tellTurns(turns, { prefill: 'refuse' })).toThrow('assistant message prefill')
    expect(tellTurns([...turns, U('go')], { prefill: 'refuse' }).said.messages).toHaveLength(3)
  })
})

describe('media', () => {
  const image = (url: string, more: object = {}) => ({
    type: 'image_url',
    image_url: { url, ...more },
  })

  test('T-Q17 the data of an image is copied', () => {
    const data = 'iVBORw0KGgoAAAANSUhEUg=='
    expect(
      tellTurns([U([image(`data:image/PNG;charset=utf-8;base64,${data}`)])]).said.messages,
    ).toEqual([u({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } })])
  })

  test('V26 an image at a URL is fetched by a target that can', () => {
    const turns = [U([image('https://a.example/b.png', { detail: 'low' })])]
    const { said, notes } = tellTurns(turns)
    expect(said.messages).toEqual([
      u({ type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } }),
    ])
    expect(notes).toEqual(['messages[0].content[0].image_url.detail dropped'])
    expect(() => tellTurns(turns, { fetchesUrls: false })).toThrow(
      refusal('messages[0].content[0]'),
    )
  })

  test('T-Q18 a PDF is a document with its name, and its data is copied', () => {
    const file = { file_data: 'data:application/pdf;base64,JVBERi0xLjc=', filename: 'a.pdf' }
    expect(tellTurns([U([{ type: 'file', file }])]).said.messages).toEqual([
      u({
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjc=' },
        title: 'a.pdf',
      }),
    ])
  })

  test('T-Q18 a text file is a document of text', () => {
    const file = { file_data: 'data:text/csv;base64,YSxiCsOp', filename: 'a.csv' }
    expect(tellTurns([U([{ type: 'file', file }])]).said.messages).toEqual([
      u({
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'a,b\né' },
        title: 'a.csv',
      }),
    ])
  })

  test.each([
    ['a file of another vendor', { type: 'file', file: { file_id: 'file-1' } }],
    [
      'a file of another kind',
      { type: 'file', file: { file_data: 'data:application/zip;base64,UEs=' } },
    ],
    ['sound', { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } }],
    ['what only other servers know', { type: 'video_url', video_url: { url: 'u' } }],
  ])('%s is refused where it stands', (_what, part) => {
    expect(() => tellTurns([U([text('a'), part])])).toThrow(refusal('messages[0].content[1]'))
  })

  test('T-Q67 an earlier answer in sound cannot be told', () => {
    expect(() =>
      tellTurns([U('a'), { role: 'assistant', audio: { id: 'audio_1' } }, U('b')]),
    ).toThrow(refusal('messages[1].content[0]'))
  })
})

describe('calls and results', () => {
  const tools = [fn('f'), fn('g')]

  test('T-Q10 V23 the results of one turn and what follows them are one turn, results first', () => {
    const calls = A(null, call('c1', 'f', '{}'), call('c2', 'g', '{}'))
    const messages = [U('a'), calls, T('c1', '1'), T('c2', '2'), U('go')]
    expect(tell({ messages, tools }).said.messages).toEqual([
      plain('user', 'a'),
      a(tu('c1', 'f', {}), tu('c2', 'g', {})),
      u(tr('c1', '1'), tr('c2', '2'), text('go')),
    ])
  })

  test('what the user says before a result comes after it; what the user says apart stays apart', () => {
    const messages = [
      U('a'),
      U('b'),
      A(null, call('c1', 'f', '{}')),
      U('wait'),
      T('c1', '1'),
      U('c'),
      U('d'),
    ]
    expect(tell({ messages, tools }).said.messages).toEqual([
      plain('user', 'a'),
      plain('user', 'b'),
      a(tu('c1', 'f', {})),
      u(tr('c1', '1'), text('wait'), text('c')),
      plain('user', 'd'),
    ])
  })

  test('T-Q11 a history that begins with a call is passed on for the upstream to judge', () => {
    expect(
      tell({ messages: [A(null, call('c1', 'f', '{}')), T('c1', '1')], tools }).said.messages,
    ).toEqual([a(tu('c1', 'f', {})), u(tr('c1', '1'))])
  })

  test('T-Q25 a call without arguments has an empty object', () => {
    for (const said of ['', ' \n']) {
      const { said: told, notes } = tell({
        messages: [U('a'), A('x', call('c1', 'f', said))],
        tools,
      })
      expect(told.messages[1]).toEqual(a(text('x'), tu('c1', 'f', {})))
      expect(notes).toEqual([])
    }
  })

  test('the arguments of a call are the same bytes', () => {
    const said = '{ "b":1.0,"a":12345678901234567890, "__proto__":{} }'
    const { body } = tell({
      messages: [U('a'), A(null, call('c1', 'f', said)), T('c1', '')],
      tools,
    })
    expect(rawAt(body, ['messages', 1, 'content', 0, 'input']) as string).toBe(said)
  })

  test.each(['[1]', '"s"', '{bad', 'null'])(
    'T-Q26 arguments that are no object are wrapped: %s',
    (said) => {
      const messages = [
        U('a'),
        A(null, call('c0', 'f', '{}'), call('c:1', 'f', said)),
        T('c:1', '1'),
      ]
      const { said: told, notes } = tell({ messages, tools })
      expect(told.messages[1].content[1].input).toEqual({ _raw: said })
      expect(notes).toEqual([
        `messages[1].tool_calls[1].function.arguments wrapped as {"_raw"} in call ${told.messages[1].content[1].id}`,
      ])
      expect(() => tell({ messages, tools }, {}, true)).toThrow(
        refusal('messages[1].tool_calls[1].function.arguments'),
      )
    },
  )

  test('an empty result has no content, and a failed one says so', () => {
    const messages = [
      U('a'),
      A(null, call('c1', 'f', '{}')),
      { ...T('c1', 'boom'), is_error: true },
      T('c2', ''),
      T('c3', [text('')]),
      T('c4', [text('x'), { type: 'image_url', image_url: 'https://a.example/b' }]),
      T('c5', null),
    ]
    expect(tell({ messages, tools }).said.messages[2]).toEqual(
      u(
        { ...tr('c1', 'boom'), is_error: true },
        tr('c2'),
        tr('c3'),
        tr('c4', [
          text('x'),
          { type: 'image', source: { type: 'url', url: 'https://a.example/b' } },
        ]),
        tr('c5'),
      ),
    )
  })

  test('T-I01 T-I02 ids go unchanged or are rewritten on both sides alike', () => {
    const messages = (id: string) => [U('a'), A(null, call(id, 'f', '{}')), T(id, '1')]
    const idsIn = (id: string) => {
      const { said } = tell({ messages: messages(id), tools })
      return [said.messages[1].content[0].id, said.messages[2].content[0].tool_use_id]
    }
    expect(idsIn('call_x')).toEqual(['call_x', 'call_x'])
    const [called, answered] = idsIn('functions.Bash:0')
    expect(called).toMatch(/^functions_Bash_0_[0-9a-f]{8}$/)
    expect(answered).toBe(called)
  })

  test('T-I05 an id that comes back in a later turn is the same id again', () => {
    const messages = [
      U('a'),
      A(null, call('c.0', 'f', '{}')),
      T('c.0', '1'),
      A(null, call('c.0', 'g', '{}')),
      T('c.0', '2'),
    ]
    const { said } = tell({ messages, tools })
    const ids = said.messages
      .slice(1)
      .map(
        ({ content }: { content: { id?: string; tool_use_id?: string }[] }) =>
          content[0]?.id ?? content[0]?.tool_use_id,
      )
    expect(new Set(ids).size).toBe(1)
  })

  test('T-I06 names are rewritten in tools, choice and history, and can be told back', () => {
    const long = (end: string) => 'a'.repeat(64) + end.padEnd(6, '_')
    const messages = [U('a'), A(null, call('c1', 'old tool', '{}')), T('c1', '1')]
    const { said, names } = tell({
      messages,
      tools: [fn(long('one')), fn(long('two'))],
      tool_choice: fn(long('two')),
    })
    const [one, two] = said.tools.map(({ name }: { name: string }) => name)
    expect(one).not.toBe(two)
    expect(said.tool_choice).toEqual({ type: 'tool', name: two })
    const old = said.messages[1].content[0].name
    expect(old).toMatch(/^old_tool_[0-9a-f]{8}$/)
    expect([...names]).toEqual([
      [one, long('one')],
      [two, long('two')],
      [old, 'old tool'],
    ])
  })

  test('T-Q69 old calls and functions are told as new ones', () => {
    const messages = [
      U('a'),
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a":1}' } },
      { role: 'function', name: 'f', content: '1' },
    ]
    const { said } = tell({ messages, functions: [{ name: 'f' }], function_call: { name: 'f' } })
    const id = said.messages[1].content[0].id
    expect(said.messages.slice(1)).toEqual([a(tu(id, 'f', { a: 1 })), u(tr(id, '1'))])
    expect(said.tools).toEqual([{ name: 'f', input_schema: { type: 'object', properties: {} } }])
    expect(said.tool_choice).toEqual({ type: 'tool', name: 'f' })
  })

  test("Google's extras of a call mean nothing here", () => {
    const marked = {
      ...call('c1', 'f', '{}'),
      extra_content: { google: { thought_signature: 's' } },
    }
    const { body, notes } = tell({ messages: [U('a'), A(null, marked), T('c1', '1')], tools })
    expect(body).not.toContain('thought_signature')
    expect(notes).toEqual(['messages[1].tool_calls[0].extra_content dropped'])
  })
})

describe('tools', () => {
  test('T-Q59 L14 a schema is the same bytes, whatever is in it', () => {
    const schema =
      '{ "x-foo":1.0,"type":"object","$defs":{"a":{"const":1e2}},"additionalProperties":false,"properties":{"__proto__":{"type":"string"},"constructor":{}} }'
    const { body } = tellText(
      `{"model":"m","messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":${schema}}}]}`,
    )
    expect(rawAt(body, ['tools', 0, 'input_schema']) as string).toBe(schema)
  })

  test('L14 of every schema', () => {
    const schemas = fc.dictionary(fc.string(), fc.jsonValue())
    fc.assert(
      fc.property(schemas, fc.nat(2), (members, space) => {
        const schema = JSON.stringify({ ...members, type: 'object' }, null, space)
        const { body } = tellText(
          `{"model":"m","tools":[{"function":{"parameters": ${schema} ,"name":"f"}}],"messages":[{"role":"user","content":"Hi"}]}`,
        )
        expect(rawAt(body, ['tools', 0, 'input_schema']) as string).toBe(schema)
      }),
    )
  })

  test('a schema that does not say what it is of is of an object', () => {
    const schemaOf = (parameters: object | undefined) =>
      tell({ tools: [fn('f', { parameters })] }).said.tools[0].input_schema
    expect(schemaOf(undefined)).toEqual({ type: 'object', properties: {} })
    expect(schemaOf({})).toEqual({ type: 'object', properties: {} })
    expect(schemaOf({ properties: {} })).toEqual({ type: 'object', properties: {} })
    expect(schemaOf({ type: 'object' })).toEqual({ type: 'object' })
  })

  test('strictness goes where it is known', () => {
    const tools = [fn('f', { strict: true }), fn('g', { strict: false })]
    expect(tell({ tools }).said.tools[0].strict).toBeTrue()
    const other = tell({ tools }, { strictTools: false })
    expect(other.said.tools[0]).not.toHaveProperty('strict')
    expect(other.notes).toEqual(['tools[0].strict dropped'])
  })

  test.each([
    ['none', { type: 'none' }],
    ['auto', { type: 'auto' }],
    ['required', { type: 'any' }],
    [fn('f'), { type: 'tool', name: 'f' }],
  ])('T-Q53 V30 the choice %j is %j', (choice, told) => {
    const { said, notes } = tell({ tools: [fn('f')], tool_choice: choice })
    expect(said.tool_choice).toEqual(told)
    expect(said.tools).toHaveLength(1)
    expect(notes).toEqual([])
  })

  test('T-Q54 one call at a time is said with the choice, or as one', () => {
    const choose = (tool_choice?: unknown) =>
      tell({ tools: [fn('f')], tool_choice, parallel_tool_calls: false }).said.tool_choice
    expect(choose()).toEqual({ type: 'auto', disable_parallel_tool_use: true })
    expect(choose('required')).toEqual({ type: 'any', disable_parallel_tool_use: true })
    expect(choose('none')).toEqual({ type: 'none' })
    expect(tell({ tools: [fn('f')], parallel_tool_calls: true }).said).not.toHaveProperty(
      'tool_choice',
    )
  })

  test('T-Q56 an empty list of tools is none, and then there is nothing to choose', () => {
    const { said, notes } = tell({ tools: [], tool_choice: 'auto', parallel_tool_calls: false })
    expect(said).not.toHaveProperty('tools')
    expect(said).not.toHaveProperty('tool_choice')
    expect(notes).toEqual([])
    expect(tell({ tool_choice: 'required' }).notes).toEqual([
      'tool_choice dropped: there are no tools',
    ])
  })

  test('T-Q68 V30 allowed tools are the only ones told', () => {
    const allowed = (mode: string, ...names: string[]) => ({
      type: 'allowed_tools',
      allowed_tools: { mode, tools: names.map((name) => fn(name)) },
    })
    const tools = [fn('f'), fn('g')]
    const { said, notes } = tell({ tools, tool_choice: allowed('required', 'f') })
    expect(said.tools).toMatchObject([{ name: 'f' }])
    expect(said.tool_choice).toEqual({ type: 'any' })
    expect(notes).toEqual(['tool_choice.allowed_tools told as a shorter list of tools'])
    expect(tell({ tools, tool_choice: allowed('auto', 'g') }).said.tool_choice).toEqual({
      type: 'auto',
    })
    expect(() => tell({ tools, tool_choice: allowed('auto', 'h') })).toThrow('allows none')
  })

  test('T-Q29 a history with calls has its tools filled in, and they may not be called', () => {
    const messages = [U('a'), A(null, call('c1', 'f', '{}')), T('c1', '1'), U('b')]
    const { said, notes } = tell({ messages })
    expect(said.tools).toEqual([{ name: 'f', input_schema: { type: 'object', properties: {} } }])
    expect(said.tool_choice).toEqual({ type: 'none' })
    expect(notes).toEqual(['tools filled in from the calls in the history'])
  })

  test('T-F06 tools may be called what objects are born with', () => {
    const names = ['__proto__', 'constructor', 'hasOwnProperty']
    const messages = [
      U('a'),
      A(null, ...names.map((name, at) => call(`c${at}`, name, '{}'))),
      T('c0', '1'),
    ]
    const { said, names: back } = tell({ messages, tools: names.map((name) => fn(name)) })
    expect(said.tools.map(({ name }: { name: string }) => name)).toEqual(names)
    expect(said.messages[1].content.map(({ name }: { name: string }) => name)).toEqual(names)
    expect(back.size).toBe(0)
  })
})

describe('thinking', () => {
  const budget = { thinking: 'budget' } as const

  test('T-Q30 a model that thinks by itself is told not to', () => {
    expect(tell({ reasoning_effort: 'none' }).said.thinking).toEqual({ type: 'disabled' })
    expect(tell({ reasoning_effort: 'none' }, { thinking: 'none' }).said).not.toHaveProperty(
      'thinking',
    )
    expect(tell({}).said).not.toHaveProperty('thinking')
  })

  test.each([
    ['minimal', 'low', ['reasoning_effort told as low']],
    ['low', 'low', []],
    ['high', 'high', []],
    ['xhigh', 'xhigh', []],
    ['max', 'max', []],
  ])('effort %s is told as %s', (effort, told, notes) => {
    const result = tell({ reasoning_effort: effort })
    expect(result.said.thinking).toEqual({ type: 'adaptive' })
    expect(result.said.output_config).toEqual({ effort: told })
    expect(result.notes).toEqual(notes)
  })

  test.each([
    ['T-Q35', 'medium', 8000, 4000],
    ['', 'low', 8000, 1600],
    ['', 'high', 8000, 6400],
    ['', 'max', 8000, 7600],
    ['', 'low', 2000, 1024],
    ['', 'max', 1025, 1024],
  ])('%s effort %s of %d tokens is a budget of %d', (_case, effort, max_tokens, tokens) => {
    const { said, notes } = tell({ reasoning_effort: effort, max_tokens }, budget)
    expect(said.thinking).toEqual({ type: 'enabled', budget_tokens: tokens })
    expect(said.max_tokens).toBe(max_tokens)
    expect(said).not.toHaveProperty('output_config')
    expect(notes).toEqual([])
  })

  test('a budget is told as the effort that would spend as much', () => {
    const { said, notes } = tell({ reasoning: { max_tokens: 4000 }, max_tokens: 8000 })
    expect(said.output_config).toEqual({ effort: 'medium' })
    expect(notes).toEqual(['reasoning.max_tokens told as effort medium'])
    expect(
      tell({ reasoning: { max_tokens: 3000 }, max_tokens: 8000 }, budget).said.thinking,
    ).toEqual({
      type: 'enabled',
      budget_tokens: 3000,
    })
  })

  test('T-Q34 without room to think there is no thinking', () => {
    const { said, notes } = tell({ reasoning_effort: 'high', max_tokens: 1000 }, budget)
    expect(said).not.toHaveProperty('thinking')
    expect(said.max_tokens).toBe(1000)
    expect(notes).toEqual(['reasoning_effort dropped: max_tokens leaves no room to think'])
  })

  test('a model that cannot think is not asked to', () => {
    const { said, notes } = tell({ reasoning_effort: 'high' }, { thinking: 'none' })
    expect(said).not.toHaveProperty('thinking')
    expect(notes).toEqual(['reasoning_effort dropped'])
  })

  test('T-Q52 thinking gives way to a forced call, unless it was asked for in the words of the protocol', () => {
    const forced = { tools: [fn('f')], tool_choice: 'required' }
    const { said, notes } = tell({ ...forced, reasoning_effort: 'high' })
    expect(said.thinking).toEqual({ type: 'disabled' })
    expect(said.tool_choice).toEqual({ type: 'any' })
    expect(said).not.toHaveProperty('output_config')
    expect(notes).toEqual(['reasoning_effort turned off: tool_choice forces a call'])
    expect(tell({ ...forced, reasoning_effort: 'high' }, budget).said).not.toHaveProperty(
      'thinking',
    )
    const native = '{"type":"enabled", "budget_tokens":2048}'
    const worded = tellText(
      `{"model":"m","messages":[{"role":"user","content":"Hi"}],"tools":[{"function":{"name":"f"}}],"tool_choice":"required","thinking":${native}}`,
    )
    expect(rawAt(worded.body, ['thinking']) as string).toBe(native)
    expect(worded.notes).toEqual([])
  })

  test('thinking gives way to an answer that has been begun, and to no call that cannot be forced', () => {
    const begun = tell({ messages: [U('a'), A('b')], reasoning_effort: 'high' }, budget)
    expect(begun.said).not.toHaveProperty('thinking')
    expect(begun.notes).toEqual(['reasoning_effort turned off: the answer has been begun'])
    const free = tell({ reasoning_effort: 'high', tool_choice: 'required' })
    expect(free.said.thinking).toEqual({ type: 'adaptive' })
  })

  test('T-Q47 a loop of calls whose thoughts are lost goes on without thinking where the model insists on them', () => {
    const messages = [U('a'), A(null, call('c1', 'f', '{}')), T('c1', '1')]
    const loop = { messages, tools: [fn('f')], reasoning_effort: 'high' }
    const { said, notes } = tell(loop, budget)
    expect(said).not.toHaveProperty('thinking')
    expect(said.messages[1].content).toHaveLength(1)
    expect(notes).toEqual([
      'reasoning_effort turned off: the thoughts before the last call are missing',
    ])
    expect(tell(loop).said.thinking).toEqual({ type: 'adaptive' })
    const over = { ...loop, messages: [...messages, A('done'), U('b')] }
    expect(tell(over, budget).said.thinking).toMatchObject({ type: 'enabled' })
  })

  test('T-Q46 thoughts that the caller kept come back before the call, and thinking stays on', () => {
    const kept = {
      ...A(null, call('c1', 'f', '{}')),
      reasoning_content: 'why',
      thinking_blocks: [
        { type: 'thinking', thinking: 'why', signature: 'sig==' },
        { type: 'redacted_thinking', data: 'sealed' },
      ],
    }
    const loop = {
      messages: [U('a'), kept, T('c1', '1')],
      tools: [fn('f')],
      reasoning_effort: 'high',
    }
    const { said, notes } = tell(loop, budget)
    expect(said.messages[1].content).toEqual([
      { type: 'thinking', thinking: 'why', signature: 'sig==' },
      { type: 'redacted_thinking', data: 'sealed' },
      tu('c1', 'f', {}),
    ])
    expect(said.thinking).toMatchObject({ type: 'enabled' })
    expect(notes).toEqual([])
  })

  test.each([
    ['unsigned', { reasoning_content: 'why' }],
    [
      'minted',
      {
        thinking_blocks: [
          { type: 'thinking', thinking: 'why', signature: mintedSignature('deepseek') },
        ],
      },
    ],
    [
      'foreign',
      {
        thinking_blocks: [
          { type: 'thinking', thinking: 'why', signature: 's', family: 'deepseek' },
        ],
      },
    ],
    [
      'sealed by another',
      {
        reasoning_details: [
          { type: 'reasoning.encrypted', data: 'e', format: 'openai-responses-v1' },
        ],
      },
    ],
  ])(
    'T-Q45 a thought that is %s is not shown to the vendor that signs its own',
    (_what, thought) => {
      const { said, notes } = tellTurns([U('a'), { ...A('x'), ...thought }, U('b')])
      expect(said.messages[1]).toEqual(plain('assistant', 'x'))
      expect(notes).toEqual(['messages[1].reasoning_content dropped: not signed by the target'])
    },
  )

  test('a server that checks nothing is told every thought', () => {
    const { said, notes } = tellTurns([U('a'), { ...A('x'), reasoning_content: 'why' }, U('b')], {
      family: 'deepseek',
    })
    expect(said.messages[1].content).toEqual([
      { type: 'thinking', thinking: 'why', signature: mintedSignature('deepseek') },
      text('x'),
    ])
    expect(notes).toEqual([])
  })

  test('an answer of thoughts alone says nothing', () => {
    const kept = {
      ...A(null),
      thinking_blocks: [{ type: 'thinking', thinking: 'why', signature: 's' }],
    }
    const { said, notes } = tellTurns([U('a'), kept, U('b')])
    expect(said.messages).toEqual([plain('user', 'a'), plain('user', 'b')])
    expect(notes).toEqual(['messages[1] dropped: it says nothing'])
  })
})

describe('parameters', () => {
  test.each([
    [{}, 64_000],
    [{ max_tokens: 5 }, 5],
    [{ max_tokens: 5, max_completion_tokens: 7 }, 7],
    [{ max_completion_tokens: 7 }, 7],
    [{ max_tokens: 0 }, 64_000],
  ])('T-Q51 V17 the limit of %j is %d', (members, limit) => {
    const { said, notes } = tell(members)
    expect(said.max_tokens).toBe(limit)
    expect(notes).toEqual([])
  })

  test('T-Q51 a limit above that of the model is clamped, and an unknown one is the configured', () => {
    const { said, notes } = tell({ max_tokens: 100_000 })
    expect(said.max_tokens).toBe(64_000)
    expect(notes).toEqual(['max_tokens clamped to 64000'])
    const { maxOutput: _, ...unknown } = profile
    const target = { ...targetWith({}), profile: unknown }
    const { body } = encodeRequest(requestOf(textWith({})), target, new Notes())
    expect(JSON.parse(body).max_tokens).toBe(32_000)
  })

  test('T-Q55 zero and false are values', () => {
    const { said } = tell({ temperature: 0, top_p: 0, stream: false, top_k: 0 })
    expect(said).toMatchObject({ temperature: 0, top_p: 0, stream: false, top_k: 0 })
  })

  test('T-Q65 sampling is adapted to what the model takes', () => {
    const hot = { temperature: 1.7, top_p: 0.9 }
    const all = tell(hot)
    expect(all.said).toMatchObject({ temperature: 1, top_p: 0.9 })
    expect(all.notes).toEqual(['temperature clamped to 1'])
    const one = tell(hot, { sampling: 'one' })
    expect(one.said.temperature).toBe(1)
    expect(one.said).not.toHaveProperty('top_p')
    expect(one.notes).toEqual(['temperature clamped to 1', 'top_p dropped: temperature is set'])
    expect(tell({ top_p: 0.9 }, { sampling: 'one' }).said.top_p).toBe(0.9)
    const none = tell({ ...hot, top_k: 5 }, { sampling: 'none' })
    expect(none.said).not.toHaveProperty('temperature')
    expect(none.said).not.toHaveProperty('top_p')
    expect(none.said).not.toHaveProperty('top_k')
    expect(none.notes).toEqual(['temperature dropped', 'top_p dropped', 'top_k dropped'])
  })

  test('a value that is the default anyway is left out without a word', () => {
    const defaults = {
      temperature: 1,
      top_p: 1,
      frequency_penalty: 0,
      presence_penalty: 0,
      logit_bias: {},
      n: 1,
      logprobs: false,
      store: false,
      verbosity: 'medium',
      modalities: ['text'],
      response_format: { type: 'text' },
      parallel_tool_calls: true,
      stream_options: { include_obfuscation: false },
      prompt_cache_key: 'k',
    }
    const { body, notes } = tell(defaults, { sampling: 'none' })
    expect(notes).toEqual([])
    expect(Object.keys(JSON.parse(body))).toEqual(['model', 'max_tokens', 'stream', 'messages'])
  })

  test('thinking goes only with the default sampling', () => {
    const { said, notes } = tell({
      reasoning_effort: 'low',
      temperature: 0.2,
      top_p: 0.5,
      top_k: 3,
    })
    expect(said).not.toHaveProperty('temperature')
    expect(notes).toEqual([
      'temperature dropped: the model thinks',
      'top_p dropped: the model thinks',
      'top_k dropped: the model thinks',
    ])
  })

  test('thinking goes with a top_p that hardly matters', () => {
    const { said, notes } = tell({ reasoning_effort: 'low', temperature: 1, top_p: 0.97 })
    expect(said.top_p).toBe(0.97)
    expect(notes).toEqual([])
  })

  test.each([
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['modalities', { modalities: ['text', 'audio'], audio: { voice: 'a', format: 'wav' } }],
    ['response_format', { response_format: { type: 'regex', pattern: 'a' } }],
  ])('T-Q67 %s is refused: the caller needs what cannot be', (param, members) => {
    expect(() => tell(members)).toThrow(refusal(param))
  })

  test.each([
    ['seed', { seed: 5 }],
    ['frequency_penalty', { frequency_penalty: 0.5 }],
    ['presence_penalty', { presence_penalty: 0.5 }],
    ['logit_bias', { logit_bias: { 1: 5 } }],
    ['min_p', { min_p: 0.1 }],
    ['metadata', { metadata: { a: 'b' } }],
    ['store', { store: true }],
    ['verbosity', { verbosity: 'low' }],
    ['prediction', { prediction: { type: 'content', content: 'a' } }],
    ['reasoning_effort', { reasoning_effort: 'default' }],
    ['whatever', { whatever: 1 }],
  ])('%s is dropped with a note, and refused where every note is', (field, members) => {
    const { said, notes } = tell(members)
    expect(said).not.toHaveProperty(field)
    expect(notes).toEqual([`${field} dropped`])
    expect(() => tell(members, {}, true)).toThrow(refusal(field))
  })

  test('V15 unknown members go on as they were said to a target that asks for them', () => {
    const text_ = `{"model":"m","messages":[{"role":"user","content":"Hi"}],"whatever": {"a":1.0},"system":"x"}`
    const { body, notes } = tellText(text_, { forwardUnknown: true })
    expect(rawAt(body, ['whatever']) as string).toBe('{"a":1.0}')
    expect(rawAt(body, ['system'])).toBeUndefined()
    expect(notes).toEqual(['system dropped'])
  })

  test('T-Q71 V11 blank stop words are left out', () => {
    const { said, notes } = tell({ stop: ['\n', 'END'] })
    expect(said.stop_sequences).toEqual(['END'])
    expect(notes).toEqual(['stop dropped where blank'])
    expect(tell({ stop: 'END' }).said.stop_sequences).toEqual(['END'])
    expect(tell({ stop: ' ' }).said).not.toHaveProperty('stop_sequences')
    expect(tell({ stop: ['a', 'b', 'c', 'd', 'e'] }).said.stop_sequences).toHaveLength(5)
  })

  test.each([
    ['auto', 'auto', []],
    ['default', 'standard_only', []],
    ['flex', 'auto', ['service_tier told as auto']],
  ])('T-Q72 the tier %s is %s', (tier, told, notes) => {
    const result = tell({ service_tier: tier })
    expect(result.said.service_tier).toBe(told)
    expect(result.notes).toEqual(notes)
    expect(tell({ service_tier: tier }, { firstParty: false }).said).not.toHaveProperty(
      'service_tier',
    )
  })

  test('the user is told, a long name as its hash', () => {
    expect(tell({ user: 'ann' }).said.metadata).toEqual({ user_id: 'ann' })
    const { said, notes } = tell({ safety_identifier: 'a'.repeat(513), user: 'ann' })
    expect(said.metadata.user_id).toMatch(/^[0-9a-f]{64}$/)
    expect(notes).toEqual(['user hashed', 'user dropped'])
  })

  test('V1021-04 sampling is not told to a target of the version that refuses it', () => {
    const { said, notes, headers } = tell(
      { temperature: 0.5, top_p: 0.9, top_k: 4 },
      { version: '2026-10-21', sampling: 'all', topK: true },
    )
    expect(said).not.toHaveProperty('temperature')
    expect(said).not.toHaveProperty('top_p')
    expect(said).not.toHaveProperty('top_k')
    expect(notes).toEqual(['temperature dropped', 'top_p dropped', 'top_k dropped'])
    expect([...headers]).toEqual([['anthropic-version', '2026-10-21']])
  })

  test('the version is the oldest, which takes the most, unless the target needs another', () => {
    expect([...tell({}).headers]).toEqual([['anthropic-version', '2023-06-01']])
    expect([...tell({}, { version: '2023-01-01' }).headers]).toEqual([
      ['anthropic-version', '2023-01-01'],
    ])
  })
})

describe('formats', () => {
  const schema = { type: 'object', properties: { a: { type: 'number', minimum: 1 } } }
  const format = { type: 'json_schema', json_schema: { name: 'n', schema, strict: true } }

  test('V31 a schema is told as it was said', () => {
    const { said, body, notes } = tell({ response_format: format, reasoning_effort: 'low' })
    expect(said.output_config).toEqual({ effort: 'low', format: { type: 'json_schema', schema } })
    expect(rawAt(body, ['output_config', 'format', 'schema']) as string).toBe(
      JSON.stringify(schema),
    )
    expect(notes).toEqual(['response_format.json_schema.name dropped'])
  })

  test('T-Q62 an answer that is already begun cannot be held to a schema', () => {
    const messages = [U('a'), A('{')]
    expect(() => tell({ messages, response_format: format })).toThrow(refusal('response_format'))
    expect(() => tell({ messages, response_format: format })).toThrow('already begun')
    const instructed = tell(
      { messages, response_format: format },
      { structuredOutput: 'instruction' },
    )
    expect(instructed.said.messages).toHaveLength(2)
    const called = [U('a'), A(null, call('c1', 'f', '{}')), T('c1', 'x')]
    expect(tell({ messages: called, response_format: format }).said.messages).toHaveLength(3)
    expect(() => tell({ messages, response_format: format }, { prefill: 'refuse' })).toThrow(
      'assistant message prefill',
    )
  })

  test('T-Q63 a model that cannot be held to a schema is asked for it, and keeps its tools', () => {
    const { said, notes } = tell(
      { messages: [S('s'), U('a')], response_format: format, tools: [fn('f')] },
      { structuredOutput: 'instruction' },
    )
    expect(said.tools).toMatchObject([{ name: 'f' }])
    expect(said).not.toHaveProperty('output_config')
    expect(said.system).toHaveLength(2)
    expect(said.system[1].text).toEndWith(JSON.stringify(schema))
    expect(notes).toEqual(['response_format told as an instruction'])
    expect(() =>
      tell({ response_format: format }, { structuredOutput: 'instruction' }, true),
    ).toThrow(refusal('response_format'))
  })

  test('JSON without a schema is asked for last', () => {
    const { said, notes } = tell({
      messages: [S('s'), U('a')],
      response_format: { type: 'json_object' },
    })
    expect(said.system.map((block: { text: string }) => block.text)).toEqual([
      's',
      expect.stringContaining('JSON'),
    ])
    expect(notes).toEqual(['response_format told as an instruction'])
  })
})

describe('bytes that stay the same', () => {
  const turns = [
    S('s'),
    U('a'),
    A(null, call('c1', 'f', '{}'), call('c2', 'f', '{}')),
    T('c1', '1'),
    T('c2', '2'),
    A('b'),
    U([text('c'), text('d')]),
    A('e', call('c3', 'f', '{"a":1}')),
    T('c3', ''),
    A('f'),
    U('g'),
  ]
  const members = {
    tools: [fn('f'), fn('g')],
    temperature: 0.5,
    user: 'ann',
    reasoning_effort: 'low',
    stop: 'x',
  }

  test('T-K01 the same request is the same bytes, with the tools and instructions before the conversation', () => {
    const { body } = tell({ ...members, messages: turns })
    expect(tell({ ...members, messages: turns }).body).toBe(body)
    const keys = Object.keys(JSON.parse(body))
    expect(keys.slice(0, 5)).toEqual(['model', 'max_tokens', 'stream', 'system', 'tools'])
    expect(keys.at(-1)).toBe('messages')
  })

  test('T-K01 requests differ only where the caller differed', () => {
    const at = (parameters: object) => tell({ ...members, tools: [fn('f', { parameters })] }).body
    const [one, other] = [at({ type: 'object', x: 1 }), at({ x: 1, type: 'object' })]
    expect(one).not.toBe(other)
    expect(one.replace('{"type":"object","x":1}', '{"x":1,"type":"object"}')).toBe(other)
  })

  test('T-K02 L11 a longer conversation begins with the bytes of the shorter one', () => {
    const bodies = turns.flatMap((turn, at) => {
      const ends = at > 0 && turns[at + 1]?.role !== 'tool' && turn.role !== 'assistant'
      return ends ? [tell({ ...members, messages: turns.slice(0, at + 1) }).body] : []
    })
    expect(bodies).toHaveLength(5)
    for (const [at, body] of bodies.entries())
      for (const longer of bodies.slice(at + 1)) expect(longer).toStartWith(body.slice(0, -2))
  })
})

const words = fc.string({ minLength: 1, maxLength: 5 }).filter((word) => word.trim() !== '')
const ids = fc.string({ minLength: 1, maxLength: 8 })
/** A round of a conversation: what is asked, what is called with its results, and what is answered. */
const rounds = fc.array(
  fc.record({
    asked: fc.oneof(words, fc.array(words.map(text), { minLength: 1, maxLength: 3 })),
    called: fc.uniqueArray(fc.tuple(ids, words), { maxLength: 3, selector: ([id]) => id }),
    answered: words,
  }),
  { minLength: 1, maxLength: 4 },
)

describe('laws', () => {
  const messagesOf = (
    all: readonly (typeof rounds extends fc.Arbitrary<infer R> ? R : never)[number][],
  ) =>
    all.flatMap(({ asked, called, answered }) => [
      U(asked),
      ...(called.length === 0
        ? []
        : [
            A(null, ...called.map(([id, name]) => call(id, name, `{"id":${JSON.stringify(id)}}`))),
            ...called.map(([id]) => T(id, id)),
          ]),
      A(answered),
    ])

  test('L10 every call is sent under an id and a name that the target takes, and its result under the same id', () => {
    fc.assert(
      fc.property(rounds, (all) => {
        const { said, names } = tell({ messages: [...messagesOf(all), U('go')], tools: [fn('f')] })
        const blocks = said.messages.flatMap(({ content }: { content: unknown }) =>
          Array.isArray(content) ? content : [],
        )
        const calls = blocks.filter(({ type }: { type: string }) => type === 'tool_use')
        const results = blocks.filter(({ type }: { type: string }) => type === 'tool_result')
        expect(results.map((block: { tool_use_id: string }) => block.tool_use_id)).toEqual(
          calls.map((block: { id: string }) => block.id),
        )
        const before = all.flatMap(({ called }) => called)
        expect(calls.map((block: { name: string }) => names.get(block.name) ?? block.name)).toEqual(
          before.map(([, name]) => name),
        )
        for (const { id, name } of calls) expect(`${id} ${name}`).toMatch(/^[\w-]+ [\w-]{1,64}$/)
      }),
      { numRuns: 60 },
    )
  })

  test('L11 whatever was said, the bytes of its beginning stay when the conversation goes on', () => {
    fc.assert(
      fc.property(rounds, rounds, (first, more) => {
        const tools = [fn('f')]
        const known = (all: typeof first) =>
          all.map((round) => ({
            ...round,
            called: round.called.map(([id]): [string, string] => [id, 'f']),
          }))
        const shorter = tell({ messages: [...messagesOf(known(first)), U('go')], tools }).body
        const longer = tell({
          messages: [
            ...messagesOf(known(first)),
            U('go'),
            A('on'),
            ...messagesOf(known(more)),
            U('end'),
          ],
          tools,
        }).body
        expect(longer).toStartWith(shorter.slice(0, -2))
      }),
      { numRuns: 60 },
    )
  })

  test('L2 said once more by a caller of this protocol, a conversation is the same', () => {
    fc.assert(
      fc.property(rounds, (all) => {
        const request = requestOf(
          textWith({ messages: [S('s'), ...messagesOf(all), U('go')], tools: [fn('f')] }),
        )
        const once = encodeRequest(request, targetWith({}), new Notes())
        const again = encodeRequest(retold(request, once.body), targetWith({}), new Notes())
        expect(again.body).toBe(once.body)
      }),
      { numRuns: 60 },
    )
  })
})

/** The request as a caller of the messages protocol would have said it: the same turns in the shapes that were told. */
function retold(request: ChatRequest, body: string): ChatRequest {
  const told = JSON.parse(body)
  const meaning: Conversation = {
    ...request.meaning(),
    turns: [
      ...told.system.map((block: { text: string }) => ({
        role: 'system',
        shape: 'list',
        field: 'system',
        blocks: [block],
      })),
      ...told.messages.map(turnOf),
    ],
    tools: told.tools.map((tool: { name: string }, at: number) => ({
      ...tool,
      schema: rawAt(body, ['tools', at, 'input_schema']),
      field: `tools[${at}]`,
    })),
  }
  return { ...request, protocol: 'messages', meaning: () => meaning }
}

type WireBlock = {
  type: string
  text: string
  id: string
  name: string
  input: unknown
  tool_use_id: string
  content?: string
}

function turnOf({ role, content }: { role: string; content: string | WireBlock[] }, at: number) {
  const field = `messages[${at}]`
  if (typeof content === 'string')
    return { role, shape: 'string', field, blocks: [{ type: 'text', text: content }] }
  const blocks = content.map((block) => {
    if (block.type === 'tool_use')
      return {
        type: 'call',
        id: block.id,
        name: block.name,
        arguments: JSON.stringify(block.input),
      }
    if (block.type === 'tool_result')
      return { type: 'result', callId: block.tool_use_id, content: block.content }
    return block
  })
  return { role, shape: 'list', field, blocks }
}
