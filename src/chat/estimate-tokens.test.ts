import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { rawJson } from '#std/json.ts'

import type { Block, Conversation } from './conversation.ts'
import { estimateInput, estimateText, roughInput } from './estimate-tokens.ts'

function conversation(blocks: readonly Block[], members: Partial<Conversation> = {}): Conversation {
  return {
    turns: [{ role: 'user', shape: 'list', blocks, field: 'messages[0]' }],
    tools: [],
    sampling: {},
    stop: [],
    choices: 1,
    extra: new Map(),
    ...members,
  }
}

const text = (said: string) => ({ type: 'text', text: said }) as const

test('the data of images and files is no text', () => {
  const json = 'x'.repeat(4_000_400)
  const bare = { images: 0, files: 0, imageLength: 0, fileLength: 0 }
  expect(roughInput(json, bare)).toBe(1_000_100)
  expect(roughInput(json, { ...bare, images: 1, imageLength: 4_000_000 })).toBe(1300)
  expect(roughInput(json, { ...bare, files: 1, fileLength: 4_000_000 })).toBe(100_100)
})

describe('a text', () => {
  test('no text takes no tokens', () => {
    expect(estimateText('')).toBe(0)
  })

  test('English takes about a token for four characters, ideographs about one each', () => {
    const english = 'The quick brown fox jumps over the lazy dog and runs away from the bear. '
    expect(estimateText(english)).toBeGreaterThan(english.length / 5)
    expect(estimateText(english)).toBeLessThan(english.length / 3)
    expect(estimateText('天地玄黄宇宙洪荒')).toBeGreaterThanOrEqual(6)
    expect(estimateText('天地玄黄宇宙洪荒')).toBeLessThanOrEqual(10)
  })

  test('more text never takes fewer tokens', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        expect(estimateText(one + other)).toBeGreaterThanOrEqual(estimateText(one))
        expect(Number.isInteger(estimateText(one))).toBe(true)
      }),
    )
  })
})

describe('a conversation', () => {
  const plain = estimateInput(conversation([text('hello there')]))

  test('it takes at least 1 token, and the same ones every time', () => {
    expect(estimateInput(conversation([], { turns: [] }))).toBe(1)
    expect(estimateInput(conversation([text('hello there')]))).toBe(plain)
  })

  test('CNT-02 a system prompt, tools, images, files and results each add to it', () => {
    const system = {
      role: 'system',
      shape: 'string',
      blocks: [text('be brief')],
      field: 'system',
    } as const
    const hello = conversation([text('hello there')])
    const tool = {
      name: 'f',
      description: 'does',
      schema: rawJson({ type: 'object' }),
      field: 'tools[0]',
    }
    const more: readonly Conversation[] = [
      { ...hello, turns: [system, ...hello.turns] },
      { ...hello, tools: [tool] },
      { ...hello, format: { type: 'schema', schema: rawJson({ type: 'object' }) } },
      ...(
        [
          { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'AAAA' } },
          { type: 'document', source: { type: 'text', text: 'a page' }, title: 't' },
          {
            type: 'document',
            source: { type: 'base64', mediaType: 'application/pdf', data: 'A'.repeat(400) },
          },
          { type: 'document', source: { type: 'url', url: 'https://e.com' } },
          { type: 'audio', data: 'A'.repeat(400), format: 'wav' },
          { type: 'reasoning', text: 'let me see', opaque: [] },
          { type: 'call', id: 'c', name: 'f', arguments: '{"a":1}' },
          { type: 'result', callId: 'c', content: [text('done')] },
          { type: 'result', callId: 'c' },
          { type: 'other', kind: 'search_result', raw: rawJson({ title: 't' }) },
        ] as const
      ).map((block) => conversation([text('hello there'), block])),
    ]
    for (const one of more) expect(estimateInput(one)).toBeGreaterThan(plain)
  })

  test('an image is not counted by its bytes', () => {
    const image = (size: number) =>
      estimateInput(
        conversation([
          {
            type: 'image',
            source: { type: 'base64', mediaType: 'image/png', data: 'A'.repeat(size) },
          },
        ]),
      )
    expect(image(1_000_000)).toBe(image(100))
  })
})
