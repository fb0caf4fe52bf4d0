import { jsonOf, listAt, textAt, valueAt } from '#console/web/api/json-path.ts'

import type { AnswerTurn, Setting, ToolCall, Turn } from './conversation.ts'
import { saidTurns } from './conversation.ts'

/** The protocol `messages`, as far as the playground speaks it. */
export const messagesWords = { bodyOf, heard, read }

function bodyOf(model: string, setting: Setting, turns: readonly Turn[]): Record<string, unknown> {
  const { system, maxTokens, temperature, topP, stop, isStream, tools } = setting
  return {
    model,
    max_tokens: maxTokens,
    ...(system !== '' && { system }),
    messages: saidTurns(turns).map(messageOf),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(stop.length > 0 && { stop_sequences: stop }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        name,
        ...(description !== undefined && { description }),
        input_schema: parameters,
      })),
    }),
    ...(isStream && { stream: true }),
  }
}

function messageOf(turn: Turn): object {
  if (turn.type === 'answer') return { role: 'assistant', content: blocksOf(turn) }
  if (turn.type === 'results')
    return {
      role: 'user',
      content: turn.results.map(({ callId, text }) => ({
        type: 'tool_result',
        tool_use_id: callId,
        content: text,
      })),
    }
  if (turn.pictures.length === 0) return { role: 'user', content: turn.text }
  const pictures = turn.pictures.map(({ mediaType, base64 }) => ({
    type: 'image',
    source: { type: 'base64', media_type: mediaType, data: base64 },
  }))
  return { role: 'user', content: [...pictures, { type: 'text', text: turn.text }] }
}

function blocksOf({ text, calls }: AnswerTurn): readonly object[] {
  return [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, name, input }) => ({
      type: 'tool_use',
      id,
      name,
      input: jsonOf(input) ?? {},
    })),
  ]
}

function heard(answer: AnswerTurn, event: unknown): AnswerTurn {
  switch (textAt(event, 'type')) {
    case 'content_block_start':
      return begun(answer, valueAt(event, 'content_block'))
    case 'content_block_delta':
      return added(answer, valueAt(event, 'delta'))
    case 'message_delta':
      return { ...answer, stopReason: textAt(event, 'delta', 'stop_reason') || answer.stopReason }
    case 'error':
      return { ...answer, problem: textAt(event, 'error', 'message') }
    default:
      return answer
  }
}

function begun(answer: AnswerTurn, block: unknown): AnswerTurn {
  if (textAt(block, 'type') !== 'tool_use')
    return { ...answer, text: answer.text + textAt(block, 'text') }
  const call = { id: textAt(block, 'id'), name: textAt(block, 'name'), input: '' }
  return { ...answer, calls: [...answer.calls, call] }
}

/** Blocks are open one after the other, so the input that comes is that of the last call. */
function added(answer: AnswerTurn, delta: unknown): AnswerTurn {
  return {
    ...answer,
    text: answer.text + textAt(delta, 'text'),
    reasoning: answer.reasoning + textAt(delta, 'thinking'),
    calls: answer.calls.map((call, index) =>
      index === answer.calls.length - 1
        ? { ...call, input: call.input + textAt(delta, 'partial_json') }
        : call,
    ),
  }
}

function read(answer: AnswerTurn, body: unknown): AnswerTurn {
  const blocks = listAt(body, 'content')
  const joined = (type: string, member: string): string =>
    blocks.map((block) => (textAt(block, 'type') === type ? textAt(block, member) : '')).join('')
  const problem = textAt(body, 'error', 'message')
  return {
    ...answer,
    text: joined('text', 'text'),
    reasoning: joined('thinking', 'thinking'),
    calls: blocks.filter((block) => textAt(block, 'type') === 'tool_use').map(callOf),
    stopReason: textAt(body, 'stop_reason'),
    ...(problem !== '' && { problem }),
  }
}

function callOf(block: unknown): ToolCall {
  return {
    id: textAt(block, 'id'),
    name: textAt(block, 'name'),
    input: JSON.stringify(valueAt(block, 'input') ?? {}),
  }
}
