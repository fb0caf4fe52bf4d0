import { describe, expect, test } from 'bun:test'

import type { ModelCard } from '#chat/model-card.ts'
import { thrownBy } from '#test/messages-frames.ts'

import { decodeModels, encodeModel, encodeModelList } from './models.ts'

const cards: readonly ModelCard[] = [
  { id: 'old', upstream: 'up', created: 1_600_000_000 },
  {
    id: 'a/b',
    upstream: 'up',
    created: 1_700_000_000,
    displayName: 'A B',
    maxInput: 200_000,
    maxOutput: 64_000,
  },
  { id: 'ageless', upstream: 'up' },
]

interface List {
  readonly data: readonly { readonly id: string }[]
  readonly has_more: boolean
  readonly first_id: string | null
  readonly last_id: string | null
}

function listed(query: string, of: readonly ModelCard[] = cards): List {
  return JSON.parse(encodeModelList(of, new URLSearchParams(query)))
}

describe('the list of models', () => {
  test('has every member of the protocol, newest first (MOD-01, MOD-02, MOD-04)', () => {
    expect(listed('')).toEqual({
      data: [
        {
          type: 'model',
          id: 'a/b',
          display_name: 'A B',
          created_at: '2023-11-14T22:13:20Z',
          max_input_tokens: 200_000,
          max_tokens: 64_000,
          capabilities: null,
        },
        expect.objectContaining({ id: 'old', display_name: 'old', max_tokens: null }),
        expect.objectContaining({ id: 'ageless', created_at: '1970-01-01T00:00:00Z' }),
      ],
      has_more: false,
      first_id: 'a/b',
      last_id: 'ageless',
    } as unknown as List)
  })

  test('tells a time that cannot be as unknown', () => {
    const timeOf = (created: number) =>
      JSON.parse(encodeModel({ id: 'm', upstream: 'up', created })).created_at
    expect(timeOf(253_402_300_799)).toBe('9999-12-31T23:59:59Z')
    for (const created of [1_753_000_000_000, 1_753_000_000_000_000, Number.MAX_SAFE_INTEGER])
      expect(timeOf(created)).toBe('1970-01-01T00:00:00Z')
  })

  test('is walked page by page, every model once (MOD-05)', () => {
    const many = Array.from({ length: 45 }, (_, at) => ({ id: `m${at}`, upstream: 'up' }))
    for (const limit of ['', 'limit=1&', 'limit=7&', 'limit=45&']) {
      const seen: string[] = []
      for (
        let page = listed(limit, many);
        ;
        page = listed(`${limit}after_id=${page.last_id}`, many)
      ) {
        seen.push(...page.data.map(({ id }) => id))
        if (!page.has_more) break
      }
      expect(seen).toEqual(many.map(({ id }) => id))
    }
  })

  test('is walked backwards (MOD-06)', () => {
    const ids = (query: string) => listed(query).data.map(({ id }) => id)
    expect(ids('before_id=ageless&limit=1')).toEqual(['old'])
    expect(listed('before_id=ageless&limit=1').has_more).toBe(true)
    expect(ids('before_id=ageless')).toEqual(['a/b', 'old'])
    expect(listed('before_id=ageless').has_more).toBe(false)
    expect(ids('before_id=a%2Fb')).toEqual([])
  })

  test('ends beside an id that is not in it', () => {
    expect(listed('after_id=gone')).toMatchObject({ data: [], has_more: false })
    expect(listed('before_id=gone')).toMatchObject({ data: [], has_more: false })
  })

  test('takes limits from 1 to 1000 (MOD-08)', () => {
    expect(listed('limit=1000').data).toHaveLength(3)
    for (const limit of ['0', '1001', '-1', '1.5', 'x']) {
      expect(thrownBy(() => listed(`limit=${limit}`))).toMatchObject({
        code: 'request-invalid',
        param: 'limit',
      })
    }
  })

  test('may be empty (MOD-10)', () => {
    expect(listed('', [])).toEqual({ data: [], has_more: false, first_id: null, last_id: null })
  })

  test('shows one model as it stands in it (MOD-09)', () => {
    const [, card] = cards
    expect(JSON.parse(encodeModel(card!))).toEqual(listed('limit=1').data[0])
  })
})

describe('the list of an upstream', () => {
  test('is read back as it was written', () => {
    const read = decodeModels(encodeModelList(cards, new URLSearchParams()))
    expect(read[0]).toEqual({
      id: 'a/b',
      created: 1_700_000_000,
      displayName: 'A B',
      maxInput: 200_000,
      maxOutput: 64_000,
    })
    expect(read.map(({ id }) => id)).toEqual(['a/b', 'old', 'ageless'])
  })

  test('is read in the shape of the other protocol, each id once', () => {
    const text = '{"object":"list","data":[{"id":"m","created":5,"owned_by":"o"},{"id":"m"},{},7]}'
    expect(decodeModels(text)).toEqual([{ id: 'm', created: 5, ownedBy: 'o' }])
  })

  test.each(['', '[]', '{}', '{"data":{}}', '<html>'])('is refused if it is none: %j', (text) => {
    expect(thrownBy(() => decodeModels(text))).toMatchObject({ code: 'upstream-failed' })
  })
})
