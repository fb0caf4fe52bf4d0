import { describe, expect, test } from 'bun:test'

import type { RequestBody } from '#chat/request.ts'

import { mediaPartsOf } from './media-parts.ts'
import * as wishes from './wishes.ts'

const { prefixOf } = wishes
const needsOf = (asked: RequestBody) => wishes.needsOf(asked, mediaPartsOf(asked.value))

function body(value: { readonly [key: string]: unknown }): RequestBody {
  return { text: JSON.stringify(value), value, members: [] }
}

const user = (content: unknown) => ({ role: 'user', content })

describe('what a request needs', () => {
  test('is seen in either protocol, in results of tools too', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } }
    expect(needsOf(body({ messages: [user('hello')] }))).toEqual({ images: false, tools: false })
    expect(needsOf(body({ messages: [user([image])], tools: [{}] }))).toEqual({
      images: true,
      tools: true,
    })
    const result = { type: 'tool_result', tool_use_id: 'a', content: [image] }
    expect(needsOf(body({ messages: [user([result])] })).images).toBe(true)
    const url = { type: 'image_url', image_url: { url: 'data:,' } }
    expect(needsOf(body({ messages: [user([url])], functions: [{}] }))).toEqual({
      images: true,
      tools: true,
    })
  })

  test('is nothing in a body that is nonsense', () => {
    expect(
      needsOf(body({ messages: [null, 1, [], user(null), user([null, 'x'])], tools: 1 })),
    ).toEqual({ images: false, tools: false })
  })
})

describe('the prefix of a conversation', () => {
  const system = { role: 'system', content: 'Be brief.' }

  test('is the same in all of its turns', () => {
    const first = body({ messages: [system, user('one')], max_tokens: 5 })
    const second = body({
      messages: [system, user('one'), { role: 'assistant', content: 'I' }, user('two')],
    })
    expect(prefixOf(second)).toBe(prefixOf(first))
  })

  test('is another where the system prompt, the tools or the first turn are', () => {
    const said = [
      body({ messages: [system, user('one')] }),
      body({ messages: [system, user('two')] }),
      body({ messages: [user('one')] }),
      body({ messages: [user('one')], system: 'Be brief.' }),
      body({ messages: [user('one')], tools: [{ name: 'look' }] }),
      body({ messages: [] }),
    ]
    expect(new Set(said.map(prefixOf)).size).toBe(said.length)
  })
})
