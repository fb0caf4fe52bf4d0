import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import type { ModelName } from '#chat/names.ts'
import type { ChatRequest } from '#chat/request.ts'
import type { Step } from '#chat/step.ts'
import { brandAs } from '#std/brand.ts'
import {
  c,
  type Chunk,
  delta,
  DONE,
  F,
  heard,
  r,
  role,
  sse,
  stepsOf,
  t,
  USG,
} from '#test/chat-answers.ts'

import { decodeStream } from './decode-stream.ts'
import { passStream } from './pass-stream.ts'

function request(wantsUsage: boolean): ChatRequest {
  return {
    protocol: 'chat-completions',
    model: brandAs<ModelName>('m'),
    stream: true,
    wantsUsage,
    body: { text: '{}', value: {}, members: [] },
    headers: new Map(),
    meaning: () => {
      throw new Error('The meaning of a request that is passed on is never asked for.')
    },
  }
}

const asked = request(true)
const notAsked = request(false)

function saidIn(steps: readonly Step[]): string {
  return Buffer.concat(steps.map(({ said }) => Buffer.from(said ?? ''))).toString()
}

function pass(text: string, from = asked) {
  const { steps, failure } = stepsOf(passStream(from), text)
  return { said: saidIn(steps), means: steps.flatMap(({ means }) => means), failure, steps }
}

const usage = {
  prompt_tokens: 100,
  completion_tokens: 7,
  total_tokens: 107,
  prompt_tokens_details: { cached_tokens: 40 },
}

describe('a stream that goes on in its own words', () => {
  test('T-P01: every byte as it came, with what no client knows', () => {
    const text = `: hello\n\n${sse(role)}event: odd\nid: 7\ndata:{"choices" : [ ], "x":1.0}\n\nretry: 5\n\n${sse(c('x'), F('stop'), USG(1, 2), DONE)}`
    expect(pass(text).said).toBe(text)
  })

  test('T-P01, T-T01: however the bytes are cut', () => {
    const text = sse(
      role,
      r('why'),
      c('🙂é'),
      t(0, 'c1', 'f', '{"error":"usage"}'),
      c('"usage":null [DONE] error'),
      F('stop'),
      USG(1, 2),
      DONE,
    )
    const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(sizes, fc.constantFrom('\n', '\r\n', '\r'), (sizes, lineEnd) => {
        const bytes = Buffer.from(text.replaceAll('\n', lineEnd))
        const reads: Buffer[] = []
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1
          reads.push(bytes.subarray(at, at + size))
          at += size
        }
        const { steps, failure } = stepsOf(passStream(asked), ...reads)
        expect(failure).toBeUndefined()
        expect(saidIn(steps)).toBe(bytes.toString())
        expect(steps.length).toBeLessThanOrEqual(reads.length + 1)
        expect(steps.flatMap(({ means }) => means)).toEqual([
          { type: 'answer-start', id: 'chatcmpl-1', model: 'served' },
          { type: 'usage', usage: { input: 1, output: 2 } },
          { type: 'answer-end', reason: 'end', said: 'stop' },
        ])
      }),
    )
  })

  test('a read of whole frames is handed on without a copy', () => {
    const decoder = passStream(asked)
    const read = Buffer.from(sse(role, c('x')))
    const [said] = [...decoder.push(read)].map((step) => step.said)
    expect(said instanceof Uint8Array && said.buffer === read.buffer).toBe(true)
  })

  test('frames go on as soon as they are whole, and the end in a step of its own', () => {
    const decoder = passStream(notAsked)
    const said = (text: string) =>
      [...decoder.push(Buffer.from(text))].map((step) => String(step.said))
    expect(said('data: {"choices":[{}]}\n')).toEqual([])
    expect(said('\ndata: {"ch')).toEqual(['data: {"choices":[{}]}\n\n'])
    expect(said(`oices":[]}\n\n${sse(F('stop'), DONE)}data: late\n\n`)).toEqual([
      `data: {"choices":[]}\n\n${sse(F('stop'))}`,
      'data: [DONE]\n\n',
    ])
    expect(said(sse(c('later')))).toEqual([])
    expect([...decoder.end()]).toEqual([])
  })

  test.each<[string, (Chunk | string)[]]>([
    ['text', [role, c('x'), F('stop'), { choices: [], usage }, DONE]],
    ['a call', [role, t(0, 'c1', 'f', '{}'), { ...F('tool_calls'), usage }, DONE]],
    ['usage in the choice', [role, F('length', { usage }), DONE]],
    ['running usage', [{ ...role, usage }, { ...c('x'), usage }, { ...F('stop'), usage }, DONE]],
    [
      'a first chunk without a choice',
      [{ id: '', model: '', choices: [] }, role, F('content_filter'), DONE],
    ],
    [
      'stop after a more telling word',
      [role, t(0, 'c1', 'f', '{}'), F('tool_calls'), F('stop'), DONE],
    ],
  ])('T-P03: what accounting is told is what a translation would say, %s', (_name, frames) => {
    const text = sse(...frames)
    const accounted = ['answer-start', 'usage', 'answer-end']
    const translated = stepsOf(decodeStream(heard), text).steps.flatMap(({ means }) => means)
    expect(pass(text).means).toEqual(translated.filter(({ type }) => accounted.includes(type)))
  })
})

describe('usage that only the gateway asked for', () => {
  test('S06: is taken out of every chunk, and the chunk of its own is left out', () => {
    const text = [
      '{"id":"1","choices":[{"index":0,"delta":{"content":"\\"usage\\":null"},"finish_reason":null}],"usage":null,"x":1}',
      '{"usage":null,"id":"1","choices":[{"index":0,"delta":{}}]}',
      '{"id":"1", "usage" : 5, "choices":[{"index":0,"delta":{}}], "usage": null }',
      '{"usage": {"prompt_tokens":3,"x":{"y":"}"}} , "choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":{"a":1}}]}',
      '{"id":"1","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}',
      '[DONE]',
    ]
    const { said, means } = pass(sse(...text), notAsked)
    expect(said).toBe(
      sse(
        '{"id":"1","choices":[{"index":0,"delta":{"content":"\\"usage\\":null"},"finish_reason":null}],"x":1}',
        '{"id":"1","choices":[{"index":0,"delta":{}}]}',
        '{"id":"1", "usage" : 5, "choices":[{"index":0,"delta":{}}] }',
        '{ "choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
        '[DONE]',
      ),
    )
    expect(means).toContainEqual({ type: 'usage', usage: { input: 3, output: 4 } })
  })

  test('S06: whatever the members and wherever the reads are cut, nothing else changes', () => {
    const member = fc.tuple(
      fc.constantFrom('id', 'usage', 'error', 'logprobs', 'ü'),
      fc.constantFrom(
        'null',
        '"usage\\":"',
        '{"usage":null}',
        '[{"error":null,"usage":null}]',
        '1.0',
      ),
    )
    const chunk = fc
      .tuple(fc.array(member, { maxLength: 4 }), fc.constantFrom('', ' '))
      .map(([members, blank]) => {
        const said = [...new Map<string, string>([...members, ['choices', '[{"index":0}]']])]
        return {
          said,
          text: `{${said.map(([key, value]) => `"${key}":${blank}${key === 'error' ? 'null' : key === 'usage' ? (value === '1.0' ? 'null' : '{"prompt_tokens":1}') : value}`).join(`${blank},${blank}`)}}`,
        }
      })
    fc.assert(
      fc.property(
        fc.array(chunk, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 200 }),
        (chunks, size) => {
          const bytes = Buffer.from(sse(...chunks.map(({ text }) => text), F('stop'), DONE))
          const reads = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
            bytes.subarray(at * size, (at + 1) * size),
          )
          const { steps, failure } = stepsOf(passStream(notAsked), ...reads)
          expect(failure).toBeUndefined()
          const told = saidIn(steps)
            .split('\n\n')
            .slice(0, chunks.length)
            .map((frame) => JSON.parse(frame.slice('data: '.length)))
          expect(told).toEqual(chunks.map(({ text }) => withoutHidden(JSON.parse(text))))
        },
      ),
    )
  })

  test('the bytes are the very ones where there is nothing to take out', () => {
    const text = sse(role, c('x'), F('stop'), DONE)
    expect(pass(text, notAsked).said).toBe(text)
  })
})

function withoutHidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutHidden)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(
    ([key, one]) => key !== 'usage' && !(key === 'error' && one === null),
  )
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutHidden(one)]))
}

describe('the end of a stream that goes on in its own words', () => {
  test.each([
    ['S25: a blank after [DONE]', 'data: [DONE] \n\n', 'data: [DONE]\n\n'],
    ['no blank before it', 'data:[DONE]\n\n', 'data: [DONE]\n\n'],
    ['no blank line after it', 'data: [DONE]', 'data: [DONE]\n\n'],
    ['one line end after it', 'data: [DONE]\n', 'data: [DONE]\n\n'],
    ['S25: nothing', '', 'data: [DONE]\n\n'],
    ['other line ends', 'data: [DONE]\r\n\r\n', 'data: [DONE]\r\n\r\n'],
  ])('S25: is told exactly, whether it comes as %s', (_name, end, told) => {
    const { said, steps } = pass(sse(role, F('stop')) + end, notAsked)
    expect(said).toBe(sse(role, F('stop')) + told)
    expect(String(steps.at(-1)?.said)).toBe(told)
    expect(steps.at(-1)?.means).toEqual([{ type: 'answer-end', reason: 'end', said: 'stop' }])
  })

  test('a last chunk without its blank line is given one', () => {
    const text = sse(role, F('stop'))
    expect(pass(text.trimEnd(), notAsked).said).toBe(`${text}data: [DONE]\n\n`)
  })

  test.each([sse(role, c('x'), c('y'), F('stop'), DONE), sse(role, c('x'), c('y'), F('stop'))])(
    'S09: the usage that a caller asked for and the upstream left out is estimated, and says so',
    (text) => {
      const { said, means } = pass(text)
      const end = said.slice(said.indexOf(sse(F('stop'))) + sse(F('stop')).length)
      const { id, created, model } = role
      const counts = { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4, estimated: true }
      const object = 'chat.completion.chunk'
      expect(end).toBe(sse({ id, object, created, model, choices: [], usage: counts }, DONE))
      expect(means.some(({ type }) => type === 'usage')).toBe(false)
    },
  )

  test('S09: a stream that breaks off has no usage made up for it', () => {
    const { said, failure } = pass(sse(role, c('x')))
    expect(failure?.code).toBe('upstream-lost')
    expect(said).toBe(sse(role, c('x')))
  })

  test.each([
    ['S27: without a finish and without [DONE]', sse(role, c('x')), 'upstream-lost'],
    ['S26: in the middle of a chunk', `${sse(role, c('x'))}data: {"choi`, 'upstream-lost'],
    [
      'S26: in the middle of a chunk after the finish',
      `${sse(role, F('stop'))}data: {"usage":{"prom`,
      'upstream-lost',
    ],
    ['before anything was said', '', 'upstream-lost'],
    ['with [DONE] alone', sse(DONE), 'upstream-failed'],
    [
      'T-E15: in a chunk with usage that is no JSON',
      sse(role, '{"usage":{"a":', c('x'), DONE),
      'upstream-failed',
    ],
    ['T-E15: in nonsense', sse('nonsense', F('stop'), DONE), 'upstream-failed'],
  ] as const)('T-F02: %s it is no end', (_name, text, code) => {
    const { failure, said } = pass(text)
    expect(failure?.code).toBe(code)
    expect(said).not.toContain('[DONE]')
  })

  test('of several answers every one has to finish', () => {
    const both = { ...notAsked, choices: 2 }
    const other = (choice: Chunk) => ({ ...role, choices: [{ index: 1, delta: {}, ...choice }] })
    const first = sse(role, F('stop'), other({ delta: { content: 'mid' } }))
    const { failure, said } = pass(first, both)
    expect(failure?.code).toBe('upstream-lost')
    expect(said).toBe(first)
    const whole = first + sse(other({ finish_reason: 'length' }))
    expect(pass(whole, both).said).toBe(`${whole}data: [DONE]\n\n`)
  })

  test('L8: cut anywhere before the finish, the answer is never whole', () => {
    const before = sse(role, r('why'), c('x'), t(0, 'c1', 'f', '{}'))
    for (let length = 0; length <= before.length; length++) {
      const { failure, means } = pass(before.slice(0, length))
      expect(failure?.code).toBe('upstream-lost')
      expect(means.some(({ type }) => type === 'answer-end')).toBe(false)
    }
  })
})

describe('failures in a stream that goes on in its own words', () => {
  test.each([
    [
      'S29: flat, under an event of its name',
      'event: error\ndata: {"message":"no room"}\n\n',
      'no room',
    ],
    ['as no JSON', 'event: error\ndata: no room\n\n', 'no room'],
    ['S30: a text', sse({ error: 'no room' }), 'no room'],
    ['an object', sse({ error: { message: 'no room' } }), 'no room'],
    ['T-E14: marked by its object', sse({ object: 'error', message: 'no room' }), 'no room'],
    [
      'T-E11: beside no choices',
      sse({ choices: [], error: { code: 502, message: 'no room' } }),
      'no room',
    ],
    ['in the choice', sse(delta({}, { error: { message: 'no room' } })), 'no room'],
    ['T-E11: a finish that says so', sse(F('error')), 'error'],
    [
      'a finish that says so in other words',
      sse(F('insufficient_system_resource')),
      'insufficient_system_resource',
    ],
  ])('%s, are thrown, after what came before them', (_name, bad, words) => {
    for (const from of [asked, notAsked]) {
      const before = sse(role, c('x'))
      const { said, failure, means } = pass(before + bad + sse(c('never'), F('stop'), DONE), from)
      expect(said).toBe(before)
      expect(failure?.message).toContain(words)
      expect(means.some(({ type }) => type === 'answer-end')).toBe(false)
    }
  })

  test('S33: the first of all leaves nothing to say', () => {
    const { steps, failure } = pass(sse({ error: { message: 'busy', code: 503 } }))
    expect(steps).toEqual([])
    expect(failure?.code).toBe('upstream-overloaded')
  })

  test('S31: an error that is null is taken out', () => {
    const text = sse(
      '{"choices":[{}],"error":null,"x":"error"}',
      '{"error": null,"choices":[{"finish_reason":"stop"}]}',
      DONE,
    )
    expect(pass(text, notAsked).said).toBe(
      sse('{"choices":[{}],"x":"error"}', '{"choices":[{"finish_reason":"stop"}]}', DONE),
    )
  })

  test('words in the text mean nothing', () => {
    const text = sse(
      role,
      c('error "error": {"usage":{}} [DONE] data: [DONE] "finish_reason":"error"'),
      t(0, 'c1', 'f', '{"error":{"a":1},"usage":null}'),
      F('tool_calls'),
      DONE,
    )
    const { said, failure } = pass(text, notAsked)
    expect(failure).toBeUndefined()
    expect(said).toBe(text)
  })

  test.each([
    ['a comment', ': "usage":{"a":1} "finish_reason":"error"\n\n'],
    ['a field that nobody knows', '"finish_reason":"error"\n"usage":\n\n'],
    ['a line beside the data', '"usage":\ndata: {"choices":[]}\n\n'],
  ])('words in %s are not looked at', (_name, odd) => {
    const { said, failure } = pass(sse(role, c('x')) + odd + sse(F('stop'), DONE), notAsked)
    expect(failure).toBeUndefined()
    expect(said).toContain(odd)
  })

  test('a count that nests too deep to be cut out stays where it is', () => {
    const deep = `data: {"choices":[{"index":0,"delta":{}}],"usage":${'['.repeat(200)}${']'.repeat(200)}}\n\n`
    const { said, failure } = pass(sse(role) + deep + sse(F('stop'), DONE), notAsked)
    expect(failure).toBeUndefined()
    expect(said).toContain(deep)
  })

  test('T-U08: thoughts of Google that only the total tells of are counted', () => {
    const usage = '{"prompt_tokens":20,"completion_tokens":424,"total_tokens":1016}'
    const last = `{"choices":[],"usage":${usage}}`
    const { steps } = stepsOf(passStream(asked, 'google'), sse(role, F('stop'), last, DONE))
    expect(steps.flatMap(({ means }) => means ?? [])).toContainEqual({
      type: 'usage',
      usage: { input: 20, output: 996, reasoning: 572 },
    })
  })

  test('T-F04: a frame over 8 MiB is refused', () => {
    const mebi = Buffer.alloc(1024 * 1024, 'x')
    const { failure } = stepsOf(
      passStream(asked),
      'data: ',
      ...Array.from({ length: 9 }, () => mebi),
    )
    expect(failure?.message).toContain('8 MiB')
  })
})
