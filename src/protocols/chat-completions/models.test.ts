import { describe, expect, test } from 'bun:test'

import { thrownBy } from '#test/messages-frames.ts'

import { decodeModels, encodeModel, encodeModelList } from './models.ts'

const cards = [
  { id: 'org/Model 3:8b', upstream: 'gpu-box', created: 1_686_935_002, maxInput: 131_072 },
  { id: 'plain', upstream: 'parley', ownedBy: 'acme' },
]

describe('the list of models', () => {
  test('has the four members of every item, and the window under both names (M01)', () => {
    expect(JSON.parse(encodeModelList(cards, new URLSearchParams()))).toEqual({
      object: 'list',
      data: [
        {
          id: 'org/Model 3:8b',
          object: 'model',
          created: 1_686_935_002,
          owned_by: 'gpu-box',
          context_length: 131_072,
          max_model_len: 131_072,
        },
        { id: 'plain', object: 'model', created: 0, owned_by: 'acme' },
      ],
    })
  })

  test('has no pages, whatever the query', () => {
    const query = new URLSearchParams('limit=1')
    expect(JSON.parse(encodeModelList(cards, query)).data).toHaveLength(2)
  })

  test('shows one model as it stands in it (M03)', () => {
    const { data } = JSON.parse(encodeModelList(cards, new URLSearchParams()))
    expect(cards.map((card) => JSON.parse(encodeModel(card)))).toEqual(data)
  })
})

describe('the list of an upstream', () => {
  test('is read back as it was written', () => {
    expect(decodeModels(encodeModelList(cards, new URLSearchParams()))).toEqual([
      { id: 'org/Model 3:8b', created: 1_686_935_002, ownedBy: 'gpu-box', maxInput: 131_072 },
      { id: 'plain', created: 0, ownedBy: 'acme' },
    ])
  })

  test.each([
    ['vLLM', { max_model_len: 4096 }],
    ['OpenRouter', { context_length: 4096 }],
    ['llama.cpp', { meta: { n_ctx_train: 4096 } }],
    ['LM Studio', { max_context_length: 4096 }],
  ])('tells the window of %s', (_, members) => {
    const text = JSON.stringify({ object: 'list', data: [{ id: 'm', ...members }] })
    expect(decodeModels(text)).toEqual([{ id: 'm', maxInput: 4096 }])
  })

  test('may be bare, and its entries without an id or said twice are passed over', () => {
    expect(decodeModels('[{"id":"a"},{"id":"a"},{"object":"model"},null,"b"]')).toEqual([
      { id: 'a' },
    ])
  })

  test.each(['', '{}', '{"data":null}', '<html>', '"x"'])(
    'is refused if it is none: %j',
    (text) => {
      expect(thrownBy(() => decodeModels(text))).toMatchObject({ code: 'upstream-failed' })
    },
  )
})
