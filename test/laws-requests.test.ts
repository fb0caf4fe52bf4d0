import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import type { Block, Conversation, Turn } from '#chat/conversation.ts'
import { GatewayError } from '#chat/error.ts'
import type { ProtocolName } from '#chat/names.ts'
import { Notes } from '#chat/note.ts'
import type { Profile } from '#chat/profile.ts'
import type { ChatRequest } from '#chat/request.ts'
import { decodeRequest as decodeChat } from '#protocols/chat-completions/decode-request/decode-request.ts'
import { encodeRequest as encodeChat } from '#protocols/chat-completions/encode-request/encode-request.ts'
import { decodeRequest as decodeMessages } from '#protocols/messages/decode-request/decode-request.ts'
import { encodeRequest as encodeMessages } from '#protocols/messages/encode-request/encode-request.ts'
import { type JsonObject, rawAt } from '#std/json.ts'

import { bodyOf, headersOf, saidInChat, targetOf } from './requests.ts'

/** Upstreams that can be told everything that both protocols can say. */
const able: Partial<Profile> = {
  family: 'anthropic',
  topK: true,
  callerFields: true,
  firstParty: true,
  forwardUnknown: true,
  structuredOutput: 'native',
  midSystem: 'native',
  prefill: 'native',
  thinking: 'adaptive',
  highestEffort: 'max',
  schemaNeedsProperties: false,
}

const inChat = (said: string | object) => decodeChat(bodyOf(said), new Map())
const inMessages = (said: string | object) => decodeMessages(bodyOf(said), headersOf())
const toChat = (request: ChatRequest) =>
  encodeChat(request, targetOf('chat-completions', able), new Notes()).body
const toMessages = (request: ChatRequest) =>
  encodeMessages(request, targetOf('messages', able), new Notes()).body

/** A request that speaks for its meaning alone, as if it had come in the given protocol. */
function as(protocol: ProtocolName, request: ChatRequest): ChatRequest {
  return { ...request, protocol }
}

/**
 * What both protocols can tell apart of a conversation: not whether a lone text was a string or a list of one, nor
 * whether what a user says stands in the same entry as the results before it.
 */
function common({ turns, ...rest }: Conversation) {
  return {
    ...rest,
    tools: rest.tools.map((tool) => ({ ...tool, field: '' })),
    turns: turns.flatMap(commonTurns),
  }
}

function commonTurns({ role, blocks }: Turn): { role: string; blocks: readonly Block[] }[] {
  const results = blocks.filter((block) => block.type === 'result')
  const others = blocks.filter((block) => block.type !== 'result')
  const apart = results.map((block) => ({ role, blocks: [commonResult(block)] }))
  return others.length === 0 ? apart : [...apart, { role, blocks: others }]
}

function commonResult(block: Extract<Block, { type: 'result' }>): Block {
  const { content } = block
  const [only, second] = Array.isArray(content) ? (content as readonly Block[]) : []
  const said = only?.type === 'text' && second === undefined ? only.text : content
  return { ...block, content: said ?? '' }
}

const word = fc.stringMatching(/^[a-zA-Z0-9 é天\\"{}]{0,12}[a-z]$/)
const name = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/)
const key = fc.constantFrom('a', 'b', 'type', '__proto__', 'cache_control', 'x y')
const json = fc.oneof(
  fc.integer(),
  fc.constantFrom('1.0', '12345678901234567890', 'true', '"é\\n"', '[ ]', '{"a" : null}'),
)

/** The text of an object in odd ways of writing. */
const objectSaid = fc
  .tuple(
    fc.uniqueArray(fc.tuple(key, json), { selector: ([said]) => said, maxLength: 4 }),
    fc.constantFrom('', ' ', '\n'),
  )
  .map(
    ([members, space]) =>
      `{${space}${members.map(([said, value]) => `${JSON.stringify(said)}:${space}${value}`).join(',')}${space}}`,
  )

interface Round {
  readonly ask: readonly string[]
  readonly say: string
  readonly calls: readonly {
    readonly name: string
    readonly input: string
    readonly result: string
  }[]
}

const round: fc.Arbitrary<Round> = fc.record({
  ask: fc.array(word, { minLength: 1, maxLength: 3 }),
  say: word,
  calls: fc.array(fc.record({ name, input: objectSaid, result: word }), { maxLength: 3 }),
})

interface Script {
  readonly system: readonly string[]
  readonly rounds: readonly Round[]
  readonly last: string
  readonly tools: readonly { readonly name: string; readonly schema: string }[]
  readonly settings: JsonObject
}

const script: fc.Arbitrary<Script> = fc.record({
  system: fc.array(word, { maxLength: 2 }),
  rounds: fc.array(round, { maxLength: 3 }),
  last: word,
  tools: fc.uniqueArray(
    fc.record({
      name,
      schema: objectSaid.map((said) =>
        said.replace(/^\{/, '{"type":"object"').replace(/^(\{"type":"object")(?=\s*")/, '$1,'),
      ),
    }),
    {
      selector: (tool) => tool.name,
      minLength: 1,
      maxLength: 3,
    },
  ),
  settings: fc.record(
    {
      temperature: fc.constantFrom(0, 0.5, 1),
      top_p: fc.constantFrom(0, 0.5, 1),
      top_k: fc.constantFrom(0, 40),
      stream: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
})

/** JSON text in which the raw pieces stand as they are. */
function written(value: unknown, raw: readonly string[]): string {
  return JSON.stringify(value).replace(/"<raw (\d+)>"/g, (_, at: string) => raw[Number(at)] ?? '')
}

/** The script as a request of the messages protocol. */
function messagesText({ system, rounds, last, tools, settings }: Script): string {
  const raw: string[] = []
  const piece = (text: string) => `<raw ${raw.push(text) - 1}>`
  const block = (text: string) => ({ type: 'text', text })
  const messages = rounds.flatMap(({ ask, say, calls }, at) => [
    { role: 'user', content: ask.map(block) },
    {
      role: 'assistant',
      content: [
        block(say),
        ...calls.map((call, index) => ({
          type: 'tool_use',
          id: `c${at}_${index}`,
          name: call.name,
          input: piece(call.input),
        })),
      ],
    },
    ...(calls.length === 0
      ? []
      : [
          {
            role: 'user',
            content: calls.map((call, index) => ({
              type: 'tool_result',
              tool_use_id: `c${at}_${index}`,
              content: call.result,
            })),
          },
        ]),
  ])
  const body = {
    model: 'm',
    max_tokens: 100,
    ...(system.length > 0 && { system: system.map(block) }),
    tools: tools.map((tool) => ({ name: tool.name, input_schema: piece(tool.schema) })),
    ...settings,
    messages: [...messages, { role: 'user', content: last }],
  }
  return written(body, raw)
}

/** The script as a request of the chat protocol. */
function chatText({ system, rounds, last, tools, settings }: Script): string {
  const raw: string[] = []
  const piece = (text: string) => `<raw ${raw.push(text) - 1}>`
  const part = (text: string) => ({ type: 'text', text })
  const messages = rounds.flatMap(({ ask, say, calls }, at) => [
    { role: 'user', content: ask.length === 1 ? ask[0] : ask.map(part) },
    {
      role: 'assistant',
      content: say,
      ...(calls.length > 0 && {
        tool_calls: calls.map((call, index) => ({
          id: `c${at}_${index}`,
          type: 'function',
          function: { name: call.name, arguments: call.input },
        })),
      }),
    },
    ...calls.map((call, index) => ({
      role: 'tool',
      tool_call_id: `c${at}_${index}`,
      content: call.result,
    })),
  ])
  const body = {
    model: 'm',
    max_tokens: 100,
    tools: tools.map((tool) => ({
      type: 'function',
      function: { name: tool.name, parameters: piece(tool.schema) },
    })),
    ...settings,
    messages: [
      ...(system.length > 0 ? [{ role: 'system', content: system.map(part) }] : []),
      ...messages,
      { role: 'user', content: last },
    ],
  }
  return written(body, raw)
}

/** What a chat server would be told, or the status of the refusal. */
function toldOrRefused(said: object): { readonly text?: string; readonly status?: number } {
  try {
    return { text: toChat(inMessages(said)) }
  } catch (error) {
    if (error instanceof GatewayError) return { status: error.status }
    throw error
  }
}

const runs = { numRuns: 100 }

describe('a request in its own protocol', () => {
  test('L1 saying what was read and reading it again changes no meaning', () => {
    fc.assert(
      fc.property(script, (said) => {
        const messages = inMessages(messagesText(said))
        expect(common(inMessages(toMessages(messages)).meaning())).toEqual(
          common(messages.meaning()),
        )
        const chat = inChat(chatText(said))
        expect(common(inChat(toChat(chat)).meaning())).toEqual(common(chat.meaning()))
      }),
      runs,
    )
  })

  test('L2 a request that was said once is said again in the same bytes', () => {
    fc.assert(
      fc.property(script, (said) => {
        const messages = toMessages(inMessages(messagesText(said)))
        expect(toMessages(as('messages', inMessages(messages)))).toBe(messages)
        const chat = toChat(inChat(chatText(said)))
        expect(toChat(inChat(chat))).toBe(chat)
        const crossed = toChat(inMessages(messagesText(said)))
        expect(toChat(inChat(crossed))).toBe(crossed)
      }),
      runs,
    )
  })
})

describe('a request through the other protocol', () => {
  test('L3 from messages to chat and back it means the same', () => {
    fc.assert(
      fc.property(script, (said) => {
        const first = inMessages(messagesText(said))
        const back = inMessages(toMessages(inChat(toChat(first))))
        expect(common(back.meaning())).toEqual(common(first.meaning()))
      }),
      runs,
    )
  })

  test('L3 from chat to messages and back it means the same', () => {
    fc.assert(
      fc.property(script, (said) => {
        const first = inChat(chatText(said))
        const back = inChat(toChat(inMessages(toMessages(first))))
        expect(common(back.meaning())).toEqual(common(first.meaning()))
      }),
      runs,
    )
  })

  test('both protocols mean the same by the same script', () => {
    fc.assert(
      fc.property(script, (said) => {
        const one = inMessages(messagesText(said)).meaning()
        const other = inChat(chatText(said)).meaning()
        expect(common(one)).toEqual(common(other))
      }),
      runs,
    )
  })

  test('L11 a conversation that goes on begins with the same bytes', () => {
    fc.assert(
      fc.property(script, round, (said, next) => {
        const rounds = [...said.rounds, { ask: [said.last], say: next.say, calls: next.calls }]
        const whole = (text: string) => rawAt(text, ['messages'])?.slice(0, -1)
        const shorter = toChat(
          inMessages(
            messagesText(said).replace(
              /"content":"([^"\\]|\\.)*"\}\]\}$/,
              `"content":[${JSON.stringify({ type: 'text', text: said.last })}]}]}`,
            ),
          ),
        )
        const longer = toChat(inMessages(messagesText({ ...said, rounds })))
        expect(longer.startsWith(shorter.slice(0, -2))).toBe(true)
        expect(whole(longer)?.startsWith(whole(shorter) ?? '?')).toBe(true)
      }),
      runs,
    )
  })

  test('L14 schemas and arguments are the bytes that the caller wrote', () => {
    fc.assert(
      fc.property(script, (said) => {
        const chat = toChat(inMessages(messagesText(said)))
        for (const [at, { schema }] of said.tools.entries())
          expect(String(rawAt(chat, ['tools', at, 'function', 'parameters']))).toBe(schema)
        for (const { calls } of said.rounds)
          for (const { input } of calls)
            expect(chat).toContain(`"arguments":${JSON.stringify(input)}`)
        const messages = toMessages(inChat(chatText(said)))
        for (const [at, { schema }] of said.tools.entries())
          expect(String(rawAt(messages, ['tools', at, 'input_schema']))).toBe(schema)
      }),
      runs,
    )
  })
})

/** How each member of a request shows in what a chat server is told, or under which words it is noted. */
const traces = {
  temperature: { value: 0.5, shows: 'temperature', noted: /^temperature$/ },
  top_p: { value: 0.5, shows: 'top_p', noted: /^top_p$/ },
  top_k: { value: 5, shows: 'top_k', noted: /^top_k$/ },
  stop_sequences: { value: ['END'], shows: 'stop', noted: /^stop_sequences$/ },
  metadata: { value: { user_id: 'u' }, shows: 'safety_identifier', noted: /^metadata/ },
  service_tier: { value: 'standard_only', shows: 'service_tier', noted: /^service_tier$/ },
  thinking: {
    value: { type: 'enabled', budget_tokens: 2048 },
    shows: 'reasoning_effort',
    noted: /^thinking/,
  },
  output_config: {
    value: { format: { type: 'json_schema', schema: { type: 'object' } } },
    shows: 'response_format',
    noted: /^output_config/,
  },
  context_management: { value: { edits: [] }, shows: '-', noted: /^context_management$/ },
  inference_geo: { value: 'us', shows: '-', noted: /^inference_geo$/ },
  foo: { value: 1, shows: 'foo', noted: /^foo$/ },
} as const

const limited: fc.Arbitrary<Partial<Profile>> = fc.record({
  sampling: fc.constantFrom('all', 'one', 'none'),
  topK: fc.boolean(),
  callerFields: fc.boolean(),
  forwardUnknown: fc.boolean(),
  reasoningControl: fc.constantFrom('effort', 'none'),
  structuredOutput: fc.constantFrom('native', 'instruction'),
})

test('L13 what a chat server is not told is noted', () => {
  const names = Object.keys(traces) as (keyof typeof traces)[]
  fc.assert(
    fc.property(fc.subarray(names), limited, (chosen, profile) => {
      const members = Object.fromEntries(chosen.map((name) => [name, traces[name].value]))
      const messages = [{ role: 'user', content: 'hi' }]
      const said = saidInChat({ model: 'm', max_tokens: 4096, ...members, messages }, profile)
      for (const name of chosen) {
        const { shows, noted } = traces[name]
        const isTold = shows in said.body || said.notes.some(({ field }) => noted.test(field))
        expect([name, isTold]).toEqual([name, true])
      }
    }),
    runs,
  )
})

describe('any request', () => {
  test('what is accepted is either translated into JSON or refused by name', () => {
    const block = fc.oneof(
      fc.record({ type: fc.constant('text'), text: word }),
      fc.record({
        type: fc.constantFrom('image', 'document'),
        source: fc.oneof(
          fc.record({
            type: fc.constant('base64'),
            media_type: fc.constantFrom('image/png', 'application/pdf'),
            data: fc.constantFrom('AAAA', 'x y'),
          }),
          fc.record({ type: fc.constant('url'), url: fc.webUrl() }),
          fc.record({ type: fc.constant('file'), file_id: word }),
        ),
      }),
      fc.record({ type: word, raw: fc.jsonValue() }),
    )
    const entry = fc.record({
      role: fc.constantFrom('user', 'assistant', 'system'),
      content: fc.oneof(word, fc.array(block, { maxLength: 3 })),
    })
    fc.assert(
      fc.property(
        fc.array(entry, { minLength: 1, maxLength: 5 }),
        fc.dictionary(word, fc.jsonValue()),
        (entries, members) => {
          const told = toldOrRefused({ ...members, model: 'm', max_tokens: 9, messages: entries })
          expect(told.status === 400 || typeof JSON.parse(told.text ?? '') === 'object').toBe(true)
        },
      ),
      runs,
    )
  })
})
