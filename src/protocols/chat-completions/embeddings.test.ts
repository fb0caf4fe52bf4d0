import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import type { UpstreamModel } from '#chat/names.ts'
import type { RequestBody } from '#chat/request.ts'
import { encodeFloats } from '#protocols/float32.ts'
import { brandAs } from '#std/brand.ts'
import { membersOf } from '#std/json.ts'
import { thrownBy } from '#test/messages-frames.ts'

import {
  decodeEmbeddingReply,
  decodeEmbeddingRequest,
  encodeEmbeddingReply,
  encodeEmbeddingRequest,
} from './embeddings.ts'

function bodyOf(text: string): RequestBody {
  return { text, value: JSON.parse(text), members: membersOf(text) }
}

function decoded(members: object) {
  return decodeEmbeddingRequest(bodyOf(JSON.stringify({ model: 'm', ...members })))
}

const model = brandAs<UpstreamModel>('up-model')

describe('a request for embeddings', () => {
  test.each([
    ['a text (E01)', 'a', ['a']],
    ['a blank text (E08)', ' ', [' ']],
    ['texts (E04)', ['a', 'b', 'c'], ['a', 'b', 'c']],
    ['one text as tokens (E05)', [1, 2, 3], [[1, 2, 3]]],
    ['texts as tokens', [[1, 2], [3]], [[1, 2], [3]]],
  ])('holds %s', (_, input, inputs) => {
    expect(decoded({ input }).inputs).toEqual(inputs)
  })

  test('keeps what it was asked for, and what we have no word for as it was said (E19)', () => {
    const text =
      '{"model":"m","input":"a","encoding_format":null,"dimensions":8,"user":"u","input_type": {"x":1.0}}'
    const request = decodeEmbeddingRequest(bodyOf(text))
    expect(request).toMatchObject({ encoding: 'float', dimensions: 8, user: 'u' })
    expect([...request.extra].map(([key, raw]) => [key, String(raw)])).toEqual([
      ['input_type', '{"x":1.0}'],
    ])
    expect(decoded({ input: 'a', encoding_format: 'base64' }).encoding).toBe('base64')
  })

  const long = Array.from({ length: 2049 }, () => 'a')
  test.each([
    ['E07', { input: '' }, 'input', 'invalid_value'],
    ['E07', { input: [] }, 'input', 'empty_array'],
    ['E07', { input: ['a', ''] }, 'input[1]', 'invalid_value'],
    ['E07', { input: [[1], []] }, 'input[1]', 'empty_array'],
    ['E09', { input: long }, 'input', 'array_above_max_length'],
    ['E11', { input: 'a', dimensions: 0 }, 'dimensions', 'integer_below_min_value'],
    ['E11', { input: 'a', dimensions: -1 }, 'dimensions', 'integer_below_min_value'],
    ['E11', { input: 'a', dimensions: '8' }, 'dimensions', 'invalid_type'],
    ['E12', { input: 'a', encoding_format: 'hex' }, 'encoding_format', 'invalid_value'],
    ['E20', { input: ['a', 1] }, 'input[1]', 'invalid_type'],
    ['E20', { input: [1, 'a'] }, 'input[1]', 'invalid_type'],
    ['E20', { input: [[1], 'a'] }, 'input[1]', 'invalid_type'],
    ['-', { input: [1.5] }, 'input[0]', 'invalid_type'],
    ['-', { input: [-1] }, 'input[0]', 'invalid_value'],
    ['-', { input: { text: 'a' } }, 'input', 'invalid_type'],
    ['-', { input: [null] }, 'input[0]', 'invalid_type'],
    ['-', {}, 'input', 'missing_required_parameter'],
    ['-', { input: 'a', model: '' }, 'model', 'missing_required_parameter'],
    ['-', { input: 'a', model: 7 }, 'model', 'invalid_type'],
    ['-', { input: 'a', user: 7 }, 'user', 'invalid_type'],
  ])('is refused where it is wrong (%s): %j', (_, members, param, detail) => {
    expect(thrownBy(() => decoded(members))).toMatchObject({
      code: 'request-invalid',
      param,
      detail,
    })
  })

  test('goes to an upstream with its own name for the model', () => {
    const request = decoded({ input: ['a', 'b'], dimensions: 8, user: 'u', odd: 1 })
    expect(encodeEmbeddingRequest(request, model, { forwardUnknown: false })).toBe(
      '{"model":"up-model","input":["a","b"],"encoding_format":"float","dimensions":8,"user":"u"}',
    )
    expect(encodeEmbeddingRequest(request, model, { forwardUnknown: true })).toEndWith(',"odd":1}')
  })

  test('goes in parts where an upstream takes fewer inputs, a single one without a list', () => {
    const request = decoded({ input: ['a', 'b'], encoding_format: 'base64' })
    const options = { inputs: request.inputs.slice(1), forwardUnknown: false }
    expect(encodeEmbeddingRequest(request, model, options)).toBe(
      '{"model":"up-model","input":"b","encoding_format":"base64"}',
    )
  })
})

function reply(data: readonly object[]): string {
  return JSON.stringify({
    object: 'list',
    data,
    model: 'up-model',
    usage: { prompt_tokens: 6, total_tokens: 6 },
  })
}

function item(index: number, embedding: unknown): object {
  return { object: 'embedding', index, embedding }
}

describe('vectors', () => {
  const text = reply([item(0, [0.1, -0.2, 0.3, 0.4])])
  const inBase64 = reply([item(0, 'zczMPc3MTL6amZk+zczMPg==')])

  test('are told as the numbers that they came as (E01)', () => {
    expect(JSON.parse(encodeEmbeddingReply(decodeEmbeddingReply(text, 1), 'float'))).toEqual({
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [0.1, -0.2, 0.3, 0.4] }],
      model: 'up-model',
      usage: { prompt_tokens: 6, total_tokens: 6 },
    })
  })

  test('are told as base64 to who asked for it, whichever way they came (E03, E13)', () => {
    for (const came of [text, inBase64]) {
      const told = encodeEmbeddingReply(decodeEmbeddingReply(came, 1, 'base64'), 'base64')
      expect(JSON.parse(told).data[0].embedding).toBe('zczMPc3MTL6amZk+zczMPg==')
    }
  })

  test('that came as base64 are told as short numbers', () => {
    const told = encodeEmbeddingReply(decodeEmbeddingReply(inBase64, 1), 'float')
    expect(told).toContain('"embedding":[0.1,-0.2,0.3,0.4]')
  })

  test('are put in the order of the inputs (E15)', () => {
    const came = reply([item(2, [3]), item(0, [1]), item(1, [2])])
    expect(decodeEmbeddingReply(came, 3).vectors).toEqual([[1], [2], [3]])
    expect(
      decodeEmbeddingReply(reply([{ embedding: [1] }, { embedding: [2] }]), 2).vectors,
    ).toEqual([[1], [2]])
  })

  test('keep every bit of a float32, and every digit of a number', () => {
    fc.assert(
      fc.property(
        fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
        (numbers) => {
          const came = reply([item(0, encodeFloats(numbers))])
          const floats = encodeEmbeddingReply(decodeEmbeddingReply(came, 1), 'float')
          const again = encodeEmbeddingReply(decodeEmbeddingReply(floats, 1), 'base64')
          expect(JSON.parse(again).data[0].embedding).toBe(encodeFloats(numbers.map((n) => n + 0)))
          const told = JSON.stringify(numbers)
          const same = encodeEmbeddingReply(
            decodeEmbeddingReply(reply([item(0, numbers)]), 1),
            'float',
          )
          expect(same).toContain(told)
        },
      ),
    )
  })

  test.each([
    ['fewer than the inputs', [item(0, [1])], 2],
    ['more than the inputs', [item(0, [1]), item(1, [1])], 1],
    ['for one input twice', [item(0, [1]), item(0, [1])], 2],
    ['of several widths', [item(0, [1]), item(1, [1, 2])], 2],
    ['of no width', [item(0, [])], 1],
    ['with a null inside', [item(0, [1, null])], 1],
    ['over what a float32 holds', [item(0, [1e39])], 1],
    ['as base64 of nothing', [item(0, '')], 1],
    ['as base64 that is none', [item(0, '!!!!')], 1],
    ['as base64 of half a number', [item(0, 'zczM')], 1],
    ['as base64 of no finite number', [item(0, encodeFloats([Infinity]))], 1],
    ['that are none', [{ index: 0 }], 1],
  ] as const)('fail if they are %s', (_, data, count) => {
    expect(thrownBy(() => decodeEmbeddingReply(reply(data), count))).toMatchObject({
      code: 'upstream-failed',
    })
  })

  test('fail with what an error under a good status says', () => {
    const error = thrownBy(() => decodeEmbeddingReply('{"error":{"message":"Full."}}', 1))
    expect(error).toMatchObject({ message: expect.stringContaining('Full.') })
    expect(thrownBy(() => decodeEmbeddingReply('<html>', 1))).toMatchObject({
      code: 'upstream-failed',
    })
  })
})
