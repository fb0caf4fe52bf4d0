import { describe, expect, test } from 'bun:test'

import { Notes } from '#chat/note.ts'
import type { Profile } from '#chat/profile.ts'
import {
  decodeCountRequest,
  decodeRequest,
} from '#protocols/messages/decode-request/decode-request.ts'
import { mintedSignature } from '#protocols/signature.ts'
import {
  bodyOf,
  failureOf,
  headersOf,
  messagesRequest,
  noteLines,
  targetOf,
} from '#test/requests.ts'

import { passRequest } from './pass-request.ts'

const firstParty: Partial<Profile> = { firstParty: true, family: 'anthropic' }

function passed(said: string | object, profile: Partial<Profile> = {}): string {
  const request = decodeRequest(bodyOf(said), headersOf())
  return passRequest(request, targetOf('messages', profile), new Notes()).body
}

/** What is passed on, without the change of the model's name. */
function passedWith(members: object, profile: Partial<Profile> = {}): unknown {
  return { ...bodyOf(passed(messagesRequest(members), profile)).value, model: 'm' }
}

const text = (said: string) => ({ type: 'text', text: said })
const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown) => ({ role: 'assistant', content })

describe('the body', () => {
  test('T-P01 T-P02 only the bytes of the model change, whatever else is said', () => {
    const said = `{ "messages":[ {"role":"user","content":"the \\"model\\":\\"m\\" is"} ],\n "foo":{"model":"m","n":1.0},"model" : "m" ,"max_tokens":16,"\\u006dx":1e3}`
    expect(passed(said, firstParty)).toBe(
      said.replace('"model" : "m" ,', '"model" : "upstream-model" ,'),
    )
  })

  test('T-P01 a request for a model of the same name passes as the same text', () => {
    const said = JSON.stringify(
      messagesRequest({ model: 'upstream-model', foo: [1.5], system: [text('a')] }),
    )
    expect(passed(said, firstParty)).toBe(said)
    expect(passed(said)).toBe(said)
  })

  test('T-Q05 the first party is told whom to bill, others are not', () => {
    const billing = text('x-anthropic-billing-header: v; cch=abc12;')
    const system = [billing, text('You are')]
    expect(passedWith({ system }, firstParty)).toEqual(messagesRequest({ system }))
    expect(passedWith({ system })).toEqual(messagesRequest({ system: [text('You are')] }))
    expect(passedWith({ system: [text('You are'), billing] })).toEqual(
      messagesRequest({ system: [text('You are')] }),
    )
    expect(passedWith({ system: [billing] })).toEqual(messagesRequest({ system: [] }))
    expect(passedWith({ system: billing.text })).toEqual(messagesRequest({ system: [] }))
  })

  test('T-P05 cache marks are reduced where the protocol has them, and nowhere else', () => {
    const full = { type: 'ephemeral', ttl: '1h', scope: 'global' }
    const plain = { type: 'ephemeral' }
    const request = (mark: object) => ({
      system: [{ ...text('s'), cache_control: mark }],
      tools: [
        {
          name: 'f',
          input_schema: {
            type: 'object',
            properties: { cache_control: full },
            cache_control: full,
          },
          cache_control: mark,
        },
      ],
      messages: [
        user([{ ...text('a'), cache_control: mark }]),
        assistant([
          {
            type: 'tool_use',
            id: 'x',
            name: 'f',
            input: { cache_control: full },
            cache_control: mark,
          },
        ]),
        user([
          {
            type: 'tool_result',
            tool_use_id: 'x',
            content: [{ ...text('b'), cache_control: mark }],
            cache_control: mark,
          },
        ]),
        { role: 'system', content: [{ ...text('c'), cache_control: mark }] },
      ],
    })
    expect(passedWith(request(full))).toEqual(messagesRequest(request(plain)))
    expect(passedWith(request(full), firstParty)).toEqual(messagesRequest(request(full)))
  })

  test('T-P06 a count of tokens is passed with the same edits', () => {
    const system = [{ ...text('s'), cache_control: { type: 'ephemeral', ttl: '1h' } }]
    const counted = bodyOf({ model: 'm', messages: [user('hi')], system })
    const request = decodeCountRequest(counted, headersOf())
    expect(bodyOf(passRequest(request, targetOf('messages'), new Notes()).body).value).toEqual({
      model: 'upstream-model',
      messages: [user('hi')],
      system: [{ ...text('s'), cache_control: { type: 'ephemeral' } }],
    })
  })

  test('T-Q45 thoughts that the gateway signed are taken out where signatures are checked', () => {
    const minted = { type: 'thinking', thinking: 'a', signature: mintedSignature('deepseek') }
    const genuine = { type: 'thinking', thinking: 'b', signature: 'EqQB.real' }
    const messages = [
      user('1'),
      assistant([minted, genuine, text('x'), minted, text('y')]),
      user('2'),
      assistant([minted, minted]),
      user('3'),
    ]
    expect(passedWith({ messages }, firstParty)).toEqual(
      messagesRequest({
        messages: [user('1'), assistant([genuine, text('x'), text('y')]), user('2'), user('3')],
      }),
    )
    expect(passedWith({ messages }, { family: 'deepseek' })).toEqual(messagesRequest({ messages }))
  })

  test('thoughts that nobody signed are taken out where signatures are checked, and nowhere else', () => {
    const unsigned = [
      { type: 'thinking', thinking: 'why' },
      { type: 'thinking', thinking: 'why', signature: '' },
      { type: 'thinking', thinking: 'why', signature: null },
    ]
    const messages = [user('1'), assistant([...unsigned, text('x')]), user('2')]
    expect(passedWith({ messages }, firstParty)).toEqual(
      messagesRequest({ messages: [user('1'), assistant([text('x')]), user('2')] }),
    )
    expect(passedWith({ messages }, { family: 'unknown' })).toEqual(messagesRequest({ messages }))
  })
})

describe('what goes is noted', () => {
  test('T-Q45 thoughts that the gateway signed, by the message', () => {
    const notes = new Notes()
    const thought = { type: 'thinking', thinking: 'why', signature: mintedSignature('google') }
    const said = messagesRequest({
      messages: [user('a'), assistant([thought, text('b')]), assistant([thought]), user('c')],
    })
    const request = decodeRequest(bodyOf(said), headersOf())
    passRequest(request, targetOf('messages', firstParty), notes)
    expect(noteLines(notes.list)).toEqual([
      'messages[1].content: thoughts of another model dropped',
      'messages[2].content: thoughts of another model dropped',
    ])
  })

  test('V1021-04 sampling, where the upstream is set to the version that refuses it', () => {
    const notes = new Notes()
    const said = messagesRequest({ top_k: 3, temperature: 0.5 })
    const request = decodeRequest(bodyOf(said), headersOf())
    const { body, headers } = passRequest(
      request,
      targetOf('messages', { version: '2026-10-21' }),
      notes,
    )
    expect(bodyOf(body).value).toEqual(messagesRequest({ model: 'upstream-model' }))
    expect([...headers]).toEqual([['anthropic-version', '2026-10-21']])
    expect(noteLines(notes.list)).toEqual(['temperature: dropped', 'top_k: dropped'])
  })
})

describe('threads', () => {
  test('V1021-12 the first party keeps them, others are not asked to', () => {
    const thread = { type: 'continue', previous_message_id: 'msg_1' }
    expect(passedWith({ thread }, firstParty)).toEqual(messagesRequest({ thread }))
    const failure = failureOf(() => passedWith({ thread }))
    expect(failure.status).toBe(400)
    expect(failure.detail).toBe('thread_unsupported_request')
  })
})

describe('the headers', () => {
  const headersFor = (callers: ReadonlyMap<string, string>, profile: Partial<Profile> = {}) =>
    Object.fromEntries(
      passRequest(
        decodeRequest(bodyOf(messagesRequest()), callers),
        targetOf('messages', profile),
        new Notes(),
      ).headers,
    )

  test('V1021-10 the caller’s version and betas go on as they are', () => {
    for (const version of ['2026-10-21', '2023-06-01'])
      expect(headersFor(headersOf(version, 'a-1,b-2'))).toEqual({
        'anthropic-version': version,
        'anthropic-beta': 'a-1,b-2',
      })
  })

  test('an upstream that knows only an older version is sent that one', () => {
    expect(headersFor(headersOf('2026-10-21'), { version: '2023-06-01' })).toEqual({
      'anthropic-version': '2023-06-01',
    })
  })

  test('a caller without a version is taken to mean the one of the specification', () => {
    expect(headersFor(new Map())).toEqual({ 'anthropic-version': '2023-06-01' })
  })
})

describe('a cap on the answer', () => {
  const lowered = (cap: number) => `max_tokens: lowered to ${cap} by a limit of the key`
  const off = 'thinking: turned off: max_tokens leaves no room to think'
  const interleaved = 'interleaved-thinking-2025-05-14'
  const enabled = (budget: number): string =>
    `{ "type":"enabled", "budget_tokens" : ${budget}, "x":1.0 }`

  function capped(members: string, cap: number, profile: Partial<Profile> = firstParty) {
    const said = `{ "model":"upstream-model",\n${members}, "messages":[{"role":"user","content":"Hi"}] }`
    const notes = new Notes(true)
    const request = { ...decodeRequest(bodyOf(said), headersOf('2023-06-01', interleaved)), cap }
    const { body } = passRequest(request, targetOf('messages', profile), notes)
    const head = body.slice(body.indexOf('\n') + 1, body.indexOf(', "messages"'))
    expect(body).toBe(said.replace(members, head))
    return { head, notes: noteLines(notes.list) }
  }

  test.each([
    ['lowers the limit where it stands', '"max_tokens" : 1e2', 50, '"max_tokens" : 50', []],
    [
      'leaves a budget that still fits',
      `"max_tokens":9000,"thinking":${enabled(2000)}`,
      4000,
      `"max_tokens":4000,"thinking":${enabled(2000)}`,
      [],
    ],
    [
      'lowers a budget that fits no more by as much',
      `"thinking":${enabled(8000)},"max_tokens":10000`,
      4000,
      `"thinking":${enabled(3200)},"max_tokens":4000`,
      ['thinking.budget_tokens: lowered to 3200'],
    ],
    [
      'leaves a budget at least what the protocol asks for',
      `"thinking":${enabled(2000)},"max_tokens":10000`,
      1500,
      `"thinking":${enabled(1024)},"max_tokens":1500`,
      ['thinking.budget_tokens: lowered to 1024'],
    ],
    [
      'turns off thinking where there is no room for it',
      `"thinking":${enabled(2000)},"max_tokens":10000`,
      1024,
      '"thinking":{"type":"disabled"},"max_tokens":1024',
      [off],
    ],
    [
      'leaves a budget for several turns',
      `"thinking":${enabled(20000)},"max_tokens":10000`,
      5000,
      `"thinking":${enabled(20000)},"max_tokens":5000`,
      [],
    ],
    [
      'leaves thinking that has no budget',
      '"thinking":{"type":"adaptive"},"max_tokens":10000',
      500,
      '"thinking":{"type":"adaptive"},"max_tokens":500',
      [],
    ],
  ])('%s', (_, said, cap, sent, notes) => {
    expect(capped(said, cap)).toEqual({ head: sent, notes: [lowered(cap), ...notes] })
  })

  test('changes nothing of a lower limit', () => {
    const said = `"max_tokens":2000,"thinking":${enabled(1999)}`
    expect(capped(said, 2000)).toEqual({ head: said, notes: [] })
  })
})
