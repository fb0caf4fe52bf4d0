import { describe, expect, test } from 'bun:test'

import { getLlama, LlamaLogLevel } from 'node-llama-cpp'

import type { Conversation, Tool } from '#chat/conversation.ts'
import { type CallFormat, plainCalls } from '#engine/templates/call-format.ts'
import { thoughtWords } from '#engine/templates/chat-template.ts'
import { rawJson } from '#std/json.ts'

import { grammarOf, type Held, type Manner } from './grammar-of.ts'

const [thought, bracketed] = thoughtWords
const llama = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.disabled })

async function judge(grammar: string | undefined): Promise<(text: string) => boolean> {
  const compiled = await llama.createGrammar({ grammar: grammar ?? 'root ::= ' })
  const inner = compiled as unknown as { _testText(text: string): boolean }
  return (text) => inner._testText(text)
}

const tool = (name: string, property: string): Tool => ({
  name,
  schema: rawJson({
    type: 'object',
    properties: { [property]: { type: 'integer' } },
    required: [property],
  }),
  field: 'tools[0]',
})
const tools = [tool('add', 'a'), tool('get "x"', 'b')]
const base: Conversation = {
  turns: [],
  tools,
  sampling: {},
  stop: [],
  choices: 1,
  extra: new Map(),
}

function held(more: Partial<Conversation>, manner: Partial<Manner> = {}): Held {
  return grammarOf(
    { ...base, ...more },
    { calls: plainCalls, thinking: 'none', thought, ...manner },
  )
}

const call = (name: string, args: string) =>
  `<tool_call>\n{"name": "${name}", "arguments": ${args}}\n</tool_call>`
const any = { type: 'any' } as const

describe('calls', () => {
  test('are held to the tools and their schemas once their mark was said', async () => {
    const { always, afterMark } = held({})
    expect(always).toBeUndefined()
    const fits = await judge(afterMark)
    const behind = (text: string) => text.slice('<tool_call>'.length)
    expect(fits(behind(call('add', '{"a": 1}')))).toBe(true)
    expect(fits(behind(`${call('add', '{"a": 1}')}\n${call('get "x"', '{"b": 2}')}`))).toBe(true)
    expect(fits(behind(call('add', '{"b": 1}')))).toBe(false)
    expect(fits(behind(call('sub', '{"a": 1}')))).toBe(false)
  })

  test('are forced from the first word on if one has to be made', async () => {
    const fits = await judge(held({ toolChoice: any }).always)
    expect(fits(call('add', '{"a": 1}'))).toBe(true)
    expect(fits(`Well. ${call('add', '{"a": 1}')}`)).toBe(false)
    expect(fits('')).toBe(false)
  })

  test('are of the one that is named, or of those that are allowed', async () => {
    const named = await judge(held({ toolChoice: { type: 'named', name: 'add' } }).always)
    const allowed = await judge(
      held({ toolChoice: { type: 'allowed', mode: 'any', names: ['add'] } }).always,
    )
    for (const fits of [named, allowed]) {
      expect(fits(call('add', '{"a": 1}'))).toBe(true)
      expect(fits(call('get "x"', '{"b": 1}'))).toBe(false)
    }
  })

  test('are one at most if they may not be parallel, or the model makes one a turn', async () => {
    const { next: _next, ...single } = plainCalls
    const two = `${call('add', '{"a": 1}')}\n${call('add', '{"a": 1}')}`
    const cases: [Partial<Conversation>, CallFormat][] = [
      [{ parallelCalls: false }, plainCalls],
      [{}, single],
    ]
    for (const [more, calls] of cases) {
      const fits = await judge(held({ ...more, toolChoice: any }, { calls }).always)
      expect([fits(call('add', '{"a": 1}')), fits(two)]).toEqual([true, false])
    }
  })

  test('may be made in place of a text of a given form', async () => {
    const fits = await judge(held({ format: { type: 'json' } }).always)
    expect([fits(call('add', '{"a": 1}')), fits('{"x": 1}'), fits('Hello')]).toEqual([
      true,
      true,
      false,
    ])
  })

  test('are not held at all where none may be made', () => {
    expect(held({ toolChoice: { type: 'none' } })).toEqual({ notes: [] })
  })

  test('that are asked for without a tool are refused', () => {
    expect(() => held({ tools: [], toolChoice: any })).toThrow(
      expect.objectContaining({ param: 'tool_choice' }),
    )
  })
})

test.each([thought, bracketed])(
  'a thought may come before what is forced, or has begun already: %o',
  async (words) => {
    const { open, close } = words
    const possible = await judge(
      held({ toolChoice: any }, { thinking: 'possible', thought: words }).always,
    )
    const opened = await judge(
      held({ toolChoice: any }, { thinking: 'opened', thought: words }).always,
    )
    const made = call('add', '{"a": 1}')
    expect([possible(made), possible(`${open}1 < [2${close}\n\n${made}`)]).toEqual([true, true])
    expect([opened(made), opened(`so${close}\n\n${made}`)]).toEqual([false, true])
  },
)

test.each([thought, bracketed, { open: '<a>', close: 'aab' }, { open: '<a>', close: '◁/é^]-▷' }])(
  'a thought may hold anything but the word that ends it: %o',
  async (words) => {
    const { close } = words
    const { always } = held({ toolChoice: any }, { thinking: 'opened', thought: words })
    const fits = await judge(always)
    const made = call('add', '{"a": 1}')
    const thoughts = [
      '',
      '<b>x</b>',
      '</',
      '[/',
      close.slice(0, -1),
      close.slice(0, -1) + 'é',
      close.slice(1),
    ]
    for (let length = 1; length < close.length; length++) thoughts.push(close.slice(0, length))
    for (const said of thoughts) expect([said, fits(said + close + made)]).toEqual([said, true])
    expect(fits(close + close + made)).toBe(false)
    expect(fits(`a${close}b${close}${made}`)).toBe(false)
  },
)

test('what a schema says beyond any grammar is noted with its field', () => {
  const schema = rawJson({ type: 'array', uniqueItems: true })
  expect(held({ tools: [], format: { type: 'schema', schema } }).notes).toEqual([
    { field: 'response_format', what: 'not enforced: uniqueItems' },
  ])
})

test('arguments are an object, whatever else a schema lets through', async () => {
  const none = { $defs: { none: { type: ['object', 'null'], nullable: true } } }
  const schemas = [
    { ...none, $ref: '#/$defs/none' },
    { ...none, anyOf: [{ $ref: '#/$defs/none' }, { type: 'null' }] },
    { type: 'object', nullable: true },
  ]
  for (const schema of schemas) {
    const one: Tool = { name: 'add', schema: rawJson(schema), field: 'tools[0]' }
    const fits = await judge(held({ tools: [one], toolChoice: any }).always)
    expect([fits(call('add', '{}')), fits(call('add', 'null'))]).toEqual([true, false])
  }
})

test('what the grammar has room for is shared by all tools', () => {
  const long = (name: string, field: string): Tool => {
    const texts = Array.from({ length: 15 }, (_, at) => [at, { type: 'string', maxLength: 1000 }])
    return { name, schema: rawJson({ properties: Object.fromEntries(texts) }), field }
  }
  expect(held({ tools: [long('a', 'tools[0]'), long('b', 'tools[1]')] }).notes).toEqual([
    { field: 'tools[1]', what: 'not enforced: maxLength' },
  ])
})

test('a schema that is no object is refused with its field', () => {
  expect(() => held({ tools: [], format: { type: 'schema', schema: rawJson(1) } })).toThrow(
    expect.objectContaining({ code: 'request-invalid', param: 'response_format' }),
  )
})
