import { describe, expect, test } from 'bun:test'

import type { ChatEvent } from '#chat/event.ts'
import type { Answer, Step } from '#chat/step.ts'
import { chatCompletions } from '#protocols/chat-completions/protocol.ts'
import { messages } from '#protocols/messages/protocol.ts'
import { membersOf, rawJson } from '#std/json.ts'
import { heard } from '#test/chat-answers.ts'

import type { Protocol } from './protocol.ts'
import { type Listener, tellReply, tellStream } from './tell.ts'

function listener(protocol: Protocol, members: object = {}): Listener {
  const said = {
    model: 'm',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'hi' }],
    ...members,
  }
  const text = JSON.stringify(said)
  const body = { text, value: JSON.parse(text), members: membersOf(text) }
  return { protocol, request: protocol.decodeRequest(body, new Map()), target: heard.target }
}

function answer(...events: readonly ChatEvent[]): Answer {
  const end: ChatEvent = { type: 'answer-end', reason: 'end' }
  async function* steps(): AsyncGenerator<Step> {
    yield { means: [{ type: 'answer-start' }, ...events] }
    yield { means: [end] }
  }
  return { steps: steps() }
}

const call: readonly ChatEvent[] = [
  { type: 'block-start', block: { type: 'call', id: 'c1', name: 'f' } },
  { type: 'block-delta', text: '{}' },
  { type: 'block-end' },
]

const thought: readonly ChatEvent[] = [
  { type: 'block-start', block: { type: 'reasoning' } },
  { type: 'block-delta', text: 'why' },
  { type: 'block-end' },
]

async function streamed(told: Answer, to: Listener): Promise<string> {
  return (await Array.fromAsync(tellStream(told, to))).join('')
}

describe('a caller who offers functions in the old form', () => {
  const functions = [{ name: 'f' }]

  test('is told of calls in the old form, also where an empty list of tools stands beside them', async () => {
    for (const members of [{ functions }, { functions, tools: [] }]) {
      const to = listener(chatCompletions, members)
      expect((await tellReply(answer(...call), to)).body).toContain('"function_call":{"name":"f"')
      expect(await streamed(answer(...call), to)).toContain('"function_call":{"name":"f"')
      expect(to.request.meaning().isLegacyFunctions).toBe(true)
    }
  })

  test('is told of them in the new form where there are tools', async () => {
    const tools = [{ type: 'function', function: { name: 'f' } }]
    for (const members of [
      { functions, tools },
      { functions: [], tools },
    ]) {
      const to = listener(chatCompletions, members)
      expect((await tellReply(answer(...call), to)).body).toContain('"tool_calls":[')
    }
  })
})

test('T-Q45 a thought without a mark is told to a caller of messages as one of the family that had it', async () => {
  const to = listener(messages)
  expect((await tellReply(answer(...thought), to)).body).toContain('"parley.1.engine"')
  expect(await streamed(answer(...thought), to)).toContain('"parley.1.engine"')
})

test('T-R25 what a reply cannot tell is among its notes', async () => {
  const block = { type: 'other', kind: 'server_tool_use', raw: rawJson({}) } as const
  const told = answer({ type: 'block-start', block }, { type: 'block-end' })
  const { notes, body } = await tellReply(told, listener(chatCompletions))
  expect(notes).toEqual([{ field: 'answer.content', what: 'server_tool_use left out' }])
  expect(body).not.toContain('tool_calls')
})
