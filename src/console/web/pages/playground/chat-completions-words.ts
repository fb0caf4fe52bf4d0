import { listAt, numberAt, textAt, valueAt } from '#console/web/api/json-path.ts'

import type { AnswerTurn, Setting, ToolCall, Turn } from './conversation.ts'
import { saidTurns } from './conversation.ts'

/** The protocol `chat-completions`, as far as the playground speaks it. */
export const chatCompletionsWords = { bodyOf, heard, read }

function bodyOf(model: string, setting: Setting, turns: readonly Turn[]): Record<string, unknown> {
  const { system, maxTokens, temperature, topP, stop, isStream, tools } = setting
  return {
    model,
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      ...saidTurns(turns).flatMap(messagesOf),
    ],
    max_tokens: maxTokens,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(stop.length > 0 && { stop }),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({ type: 'function', function: tool })),
    }),
    ...(isStream && { stream: true }),
  }
}

function messagesOf(turn: Turn): readonly object[] {
  if (turn.type === 'results')
    return turn.results.map(({ callId, text }) => ({
      role: 'tool',
      tool_call_id: callId,
      content: text,
    }))
  if (turn.type === 'answer') return [answerMessage(turn)]
  if (turn.pictures.length === 0) return [{ role: 'user', content: turn.text }]
  const pictures = turn.pictures.map(({ mediaType, base64 }) => ({
    type: 'image_url',
    image_url: { url: `data:${mediaType};base64,${base64}` },
  }))
  return [{ role: 'user', content: [...pictures, { type: 'text', text: turn.text }] }]
}

function answerMessage({ text, calls }: AnswerTurn): object {
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: input },
      })),
    }),
  }
}

function heard(answer: AnswerTurn, event: unknown): AnswerTurn {
  const choice = valueAt(event, 'choices', 0)
  return {
    ...answer,
    text: answer.text + textAt(choice, 'delta', 'content'),
    reasoning: answer.reasoning + reasoningIn(valueAt(choice, 'delta')),
    calls: listAt(choice, 'delta', 'tool_calls').reduce<readonly ToolCall[]>(
      withPart,
      answer.calls,
    ),
    stopReason: textAt(choice, 'finish_reason') || answer.stopReason,
    ...problemIn(event),
  }
}

/** Vendors have two names for it. */
function reasoningIn(message: unknown): string {
  return textAt(message, 'reasoning_content') || textAt(message, 'reasoning')
}

/** A call comes in parts, which say by an index to which one they belong. */
function withPart(calls: readonly ToolCall[], part: unknown): readonly ToolCall[] {
  const index = numberAt(part, 'index') ?? calls.length
  const former = calls[index] ?? { id: '', name: '', input: '' }
  const call = {
    id: former.id + textAt(part, 'id'),
    name: former.name + textAt(part, 'function', 'name'),
    input: former.input + textAt(part, 'function', 'arguments'),
  }
  return calls.toSpliced(index, 1, call)
}

function read(answer: AnswerTurn, body: unknown): AnswerTurn {
  const choice = valueAt(body, 'choices', 0)
  return {
    ...answer,
    text: textAt(choice, 'message', 'content'),
    reasoning: reasoningIn(valueAt(choice, 'message')),
    calls: listAt(choice, 'message', 'tool_calls').map((call) => ({
      id: textAt(call, 'id'),
      name: textAt(call, 'function', 'name'),
      input: textAt(call, 'function', 'arguments'),
    })),
    stopReason: textAt(choice, 'finish_reason'),
    ...problemIn(body),
  }
}

function problemIn(body: unknown): Pick<AnswerTurn, 'problem'> {
  const problem = textAt(body, 'error', 'message')
  return problem === '' ? {} : { problem }
}
