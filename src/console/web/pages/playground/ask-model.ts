import { askEvents } from '#console/web/api/ask.ts'
import { ConsoleProblem } from '#console/web/api/console-problem.ts'
import type { Answer, Exchange } from '#console/web/api/contract.ts'
import { jsonOf, valueAt } from '#console/web/api/json-path.ts'
import type { ServerEvent } from '#console/web/api/server-events.ts'

import { type AnswerTurn, type Protocol, unheard } from './conversation.ts'
import { type Words, wordsOf } from './words.ts'

export interface ModelQuestion {
  readonly protocol: Protocol
  readonly projectId: string
  /** The body, in the words of the protocol. */
  readonly body: Record<string, unknown>
  readonly signal: AbortSignal
}

const calls = {
  'chat-completions': 'POST /api/playground/chat-completions',
  messages: 'POST /api/playground/messages',
} as const satisfies Record<Protocol, string>

/** Asks a model, and gives the answer again and again as it grows. The last one says how it ended. Does not throw. */
export async function* askModel(question: ModelQuestion): AsyncGenerator<AnswerTurn> {
  const { protocol, projectId, body, signal } = question
  const startedAt = performance.now()
  const request = { ...body, model: String(body['model']) }
  let answer = unheard
  try {
    for await (const event of askEvents(
      calls[protocol],
      { body: { projectId, request } },
      signal,
    )) {
      answer = timed(withEvent(answer, event, wordsOf[protocol]), startedAt)
      yield answer
    }
    if (answer.state === 'under way') yield broken(answer)
  } catch (error) {
    yield signal.aborted ? { ...answer, state: 'stopped' } : failed(answer, error)
  }
}

function withEvent(answer: AnswerTurn, { event, data }: ServerEvent, words: Words): AnswerTurn {
  const value = jsonOf(data)
  switch (event) {
    case 'head':
      return withHead(answer, value)
    case 'frame':
      return words.heard(answer, jsonOf(String(valueAt(value, 'data'))))
    case 'body':
      return words.read(answer, jsonOf(String(valueAt(value, 'text'))))
    case 'ended':
      return withEnd(answer, value)
    case 'broken':
      return broken(answer)
    default:
      return answer
  }
}

type Head = Extract<Answer<'POST /api/playground/messages'>, { readonly notes: unknown }>

/** The API has checked what it sends against the schema that these types are made from. */
function withHead(answer: AnswerTurn, value: unknown): AnswerTurn {
  const { requestId, target, notes } = value as Head
  return {
    ...answer,
    requestId,
    ...(target !== null && { target }),
    ...(notes !== null && { notes }),
  }
}

function withEnd(answer: AnswerTurn, value: unknown): AnswerTurn {
  const { exchange } = value as { readonly exchange: Exchange | null }
  const state = answer.problem === undefined ? 'complete' : 'failed'
  return { ...answer, state, ...(exchange !== null && { exchange }) }
}

function broken(answer: AnswerTurn): AnswerTurn {
  const problem = answer.problem ?? 'The answer was cut off before its end.'
  return { ...answer, state: 'broken', problem }
}

function failed(answer: AnswerTurn, error: unknown): AnswerTurn {
  const { message, requestId } = ConsoleProblem.from(error)
  return {
    ...answer,
    state: 'failed',
    problem: message,
    ...(requestId !== undefined && { requestId }),
  }
}

function timed(answer: AnswerTurn, startedAt: number): AnswerTurn {
  const sinceMs = performance.now() - startedAt
  const isHeard = answer.text !== '' || answer.reasoning !== '' || answer.calls.length > 0
  return {
    ...answer,
    tookMs: sinceMs,
    ...(isHeard && answer.firstMs === undefined && { firstMs: sinceMs }),
  }
}
