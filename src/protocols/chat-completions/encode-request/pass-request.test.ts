import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { Notes } from '#chat/note.ts'
import type { Profile } from '#chat/profile.ts'
import type { TargetModel } from '#chat/target.ts'
import { decodeRequest } from '#protocols/chat-completions/decode-request/decode-request.ts'
import { brandAs } from '#std/brand.ts'
import { membersOf } from '#std/json.ts'

import { passRequest } from './pass-request.ts'

const profile: Profile = {
  family: 'unknown',
  defaultMaxTokens: 4096,
  sampling: 'all',
  topK: true,
  midSystem: 'native',
  prefill: 'native',
  structuredOutput: 'native',
  strictTools: true,
  callIds: 'any',
  toolNameLimit: 64,
  forwardUnknown: true,
  fetchesUrls: true,
  maxTokensField: 'max_tokens',
  systemRole: 'developer',
  textParts: true,
  emptyContent: 'null',
  toolResultImages: 'after',
  streamUsage: true,
  reasoningReplay: 'none',
  reasoningControl: 'effort',
  callerFields: true,
  maxStops: 4,
  schemaNeedsProperties: false,
  thinking: 'none',
  firstParty: false,
}

function passed(text: string, own: Partial<Profile> = {}, model = 'm'): string {
  return passedWith(text, own, { model }).body
}

/** What is passed on under a cap, and what the caller is told of it. */
function passedWith(
  text: string,
  own: Partial<Profile>,
  { model = 'm', cap }: { readonly model?: string; readonly cap?: number },
): { readonly body: string; readonly notes: readonly string[] } {
  const body = { text, value: JSON.parse(text), members: membersOf(text) }
  const target: TargetModel = {
    upstream: 'u',
    model: brandAs(model),
    protocol: 'chat-completions',
    profile: { ...profile, ...own },
  }
  const notes = new Notes(true)
  const request = { ...decodeRequest(body, new Map()), ...(cap !== undefined && { cap }) }
  const encoded = passRequest(request, target, notes)
  expect([...encoded.headers, ...encoded.names]).toEqual([])
  return { body: encoded.body, notes: notes.list.map(({ field, what }) => `${field}: ${what}`) }
}

const hi = '"messages":[{"role":"user","content":"Hi"}]'

describe('a request for an upstream of the same protocol', () => {
  test('T-P01 V35 is the same bytes: spaces, key order, number forms, what nobody knows', () => {
    const text = `{ "foo" : 1.0,\n\t"seed":9223372036854775807, "model":"m","temperature":1e0,"x":{"b":1,"a":[ ]},${hi} }`
    expect(passed(text)).toBe(text)
  })

  test('T-P02 only the value of the top-level model changes', () => {
    const text = `{"x":{"model":"fast"},"note":"\\"model\\":\\"fast\\"", "model" : "fast" ,${hi}}`
    const expected = `{"x":{"model":"fast"},"note":"\\"model\\":\\"fast\\"", "model" : "org/m\\"1" ,${hi}}`
    expect(passed(text, {}, 'org/m"1')).toBe(expected)
  })

  test('T-P02 a model whose key is written with escapes is found', () => {
    expect(passed(`{"mod\\u0065l":"fast",${hi}}`)).toBe(`{"mod\\u0065l":"m",${hi}}`)
  })

  test.each([
    ['', ',"stream_options":{"include_usage":true}'],
    [',"stream_options":null', ',"stream_options":{"include_usage":true}'],
    [',"stream_options":{}', ',"stream_options":{"include_usage":true}'],
    [',"stream_options": { "a" : 1 }', ',"stream_options": {"include_usage":true, "a" : 1 }'],
    [
      ',"stream_options":{"include_usage":false,"a":1}',
      ',"stream_options":{"include_usage":true,"a":1}',
    ],
    [',"stream_options":{"include_usage":true}', ',"stream_options":{"include_usage":true}'],
  ])('a stream is asked for its usage, whatever else was asked for: %s', (said, told) => {
    expect(passed(`{"model":"m",${hi},"stream":true${said}}`)).toBe(
      `{"model":"m",${hi},"stream":true${told}}`,
    )
  })

  test('V19 an upstream that counts without being asked is not asked, and neither is one that does not stream', () => {
    const stream = `{"model":"m",${hi},"stream":true}`
    expect(passed(stream, { streamUsage: false })).toBe(stream)
    const whole = `{"model":"m",${hi},"stream":false,"stream_options":{"include_usage":false}}`
    expect(passed(whole)).toBe(whole)
  })

  test.each([
    ['V18', 'max_completion_tokens', '"max_tokens":5', '"max_completion_tokens":5'],
    ['V18', 'max_tokens', '"max_completion_tokens":5', '"max_tokens":5'],
    [
      'V17',
      'max_completion_tokens',
      '"max_tokens":5,"max_completion_tokens":7',
      '"max_completion_tokens":7',
    ],
    ['V17', 'max_tokens', '"max_tokens":5, "max_completion_tokens":7', '"max_tokens":7'],
    ['V17', 'max_tokens', '"max_completion_tokens":7,"max_tokens":5', '"max_tokens":7'],
    [
      'V17',
      'max_completion_tokens',
      '"max_tokens":5,"max_completion_tokens":null',
      '"max_completion_tokens":5',
    ],
    ['V17', 'max_tokens', '"max_tokens":5,"max_completion_tokens":-1', '"max_tokens":5'],
  ] as const)(
    '%s the limit goes by the name that the upstream knows (%s): %s',
    (_case, field, said, told) => {
      const at = (limit: string) => `{"model":"m",${hi},${limit}}`
      const first = (limit: string) => `{${limit},"model":"m",${hi}}`
      expect(passed(at(said), { maxTokensField: field })).toBe(at(told))
      expect(passed(first(said), { maxTokensField: field })).toBe(first(told))
    },
  )

  test('V21 an upstream without developers is told of a system', () => {
    const text = `{"model":"m","messages":[ {"content":"role developer", "role" : "developer"},{"role":"user","content":"developer"}]}`
    const told = `{"model":"m","messages":[ {"content":"role developer", "role" : "system"},{"role":"user","content":"developer"}]}`
    expect(passed(text, { systemRole: 'system' })).toBe(told)
    expect(passed(text, { systemRole: 'system', family: 'openai' })).toBe(text)
    expect(passed(text)).toBe(text)
  })

  describe('that changes nothing where it stands', () => {
    const empty = `{"tools":[],"model":"m",${hi},"stop":[ ],"stream_options":{"include_usage":true},"tool_choice":"auto","parallel_tool_calls":false,"stream":false}`

    test('goes on as it was said', () => {
      expect(passed(empty)).toBe(empty)
    })

    test('is taken out for an upstream that refuses it', () => {
      expect(passed(empty, { dropsEmpty: true })).toBe(`{"model":"m",${hi},"stream":false}`)
      const legacy = `{"model":"m",${hi},"functions":[],"function_call":"none"}`
      expect(passed(legacy, { dropsEmpty: true })).toBe(`{"model":"m",${hi}}`)
    })

    test('stays where it means something', () => {
      const told = `{"model":"m",${hi},"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"auto","parallel_tool_calls":false,"stop":"x","stream":true,"stream_options":{"include_usage":true}}`
      expect(passed(told, { dropsEmpty: true })).toBe(told)
      const forced = `{"model":"m",${hi},"tool_choice":"required"}`
      expect(passed(forced, { dropsEmpty: true })).toBe(forced)
    })
  })

  test('several edits at once leave the rest alone', () => {
    const text = `{"max_tokens":5,"model":"fast","messages":[{"role":"developer","content":"a"}],"stream":true,"max_completion_tokens":7}`
    expect(passed(text, { systemRole: 'system', maxTokensField: 'max_completion_tokens' })).toBe(
      `{"model":"m","messages":[{"role":"system","content":"a"}],"stream":true,"max_completion_tokens":7,"stream_options":{"include_usage":true}}`,
    )
    expect(passed(text, { systemRole: 'system' })).toBe(
      `{"model":"m","messages":[{"role":"system","content":"a"}],"stream":true,"max_tokens":7,"stream_options":{"include_usage":true}}`,
    )
  })

  test('a member that goes and one that comes may meet at the end', () => {
    const text = `{"model":"m",${hi},"stream":true,"max_completion_tokens":7,"max_tokens":5}`
    expect(passed(text)).toBe(
      `{"model":"m",${hi},"stream":true,"max_tokens":7,"stream_options":{"include_usage":true}}`,
    )
  })

  test('of two equal members the last one counts, as it does for whoever parses it', () => {
    const text = `{"model":"m",${hi},"stream":true,"stream_options":null,"stream_options":{}}`
    expect(JSON.parse(passed(text)).stream_options).toEqual({ include_usage: true })
  })

  test('whatever else was said is said still, and passing twice changes nothing more', () => {
    const others = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 6 })
    fc.assert(
      fc.property(others, fc.boolean(), fc.nat(3), (extra, stream, space) => {
        const unknown = Object.fromEntries(
          Object.entries(extra).map(([key, value]) => [`x${key}`, value]),
        )
        const said = {
          ...unknown,
          model: 'fast',
          stream,
          max_tokens: 5,
          messages: [{ role: 'developer', content: 'a' }],
        }
        const text = JSON.stringify(said, null, space)
        const own = { systemRole: 'system', maxTokensField: 'max_completion_tokens' } as const
        const told = passed(text, own)
        const { max_tokens: limit, ...rest } = JSON.parse(text)
        expect(JSON.parse(told)).toEqual({
          ...rest,
          model: 'm',
          max_completion_tokens: limit,
          messages: [{ role: 'system', content: 'a' }],
          ...(stream ? { stream_options: { include_usage: true } } : {}),
        })
        expect(passed(told, own)).toBe(told)
      }),
    )
  })
})

describe('a cap on the answer', () => {
  const newer = { maxTokensField: 'max_completion_tokens' } as const
  const note = 'lowered to 50 by a limit of the key'

  test.each<[string, string, string, Partial<Profile>]>([
    [
      'lowers the limit where it stands',
      '"max_tokens" : 1e2 ,"n":1',
      '"max_tokens" : 50 ,"n":1',
      {},
    ],
    [
      'lowers it under its newer name',
      '"max_completion_tokens":51',
      '"max_completion_tokens":50',
      newer,
    ],
    [
      'lowers it under the name that the target has for it',
      '"max_tokens":51',
      '"max_completion_tokens":50',
      newer,
    ],
    [
      'lowers the one that counts of two',
      '"max_tokens":60,"max_completion_tokens":70',
      '"max_tokens":50',
      {},
    ],
    ['sets one where there is none', '"n":1', '"n":1,"max_tokens":50', {}],
    ['sets one under the newer name', '"n":1', '"n":1,"max_completion_tokens":50', newer],
    ['sets one in place of nothing', '"max_tokens":null', '"max_tokens":50', {}],
    [
      'sets one for a model that could say more',
      '"n":1',
      '"n":1,"max_tokens":50',
      { maxOutput: 51 },
    ],
  ])('%s', (_, said, sent, profile) => {
    const body = (members: string): string => `{ "model":"m", ${hi}, ${members} }`
    const passed = passedWith(body(said), profile, { cap: 50 })
    expect(passed.body).toBe(body(sent))
    expect(passed.notes).toEqual([expect.stringMatching(note)])
  })

  test.each<[string, string, Partial<Profile>]>([
    ['as low a limit', '"max_tokens":50', {}],
    ['a lower limit', '"max_tokens":1', {}],
    ['a model that ends sooner anyway', '"n":1', { maxOutput: 50 }],
  ])('changes nothing of %s', (_, said, profile) => {
    const text = `{"model":"m",${hi},${said}}`
    expect(passedWith(text, profile, { cap: 50 })).toEqual({ body: text, notes: [] })
  })

  test('stands beside the usage that the gateway asks for', () => {
    const text = `{"model":"m",${hi},"stream":true}`
    expect(passedWith(text, {}, { cap: 50 }).body).toBe(
      `{"model":"m",${hi},"stream":true,"max_tokens":50,"stream_options":{"include_usage":true}}`,
    )
  })
})
