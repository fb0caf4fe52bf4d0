import type { Exchange } from '#console/web/api/contract.ts'

/** By which protocol a model is asked. */
export type Protocol = 'chat-completions' | 'messages'

export interface Picture {
  /** As `image/png`. */
  readonly mediaType: string
  readonly base64: string
}

/** A call of a tool, as a model asked for it. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON text. */
  readonly input: string
}

export interface ToolResult {
  readonly callId: string
  readonly text: string
}

export interface UserTurn {
  readonly type: 'user'
  readonly text: string
  readonly pictures: readonly Picture[]
}

/** What tools gave, told to the model. */
export interface ResultsTurn {
  readonly type: 'results'
  readonly results: readonly ToolResult[]
}

/** What a model said, and how that went. */
export interface AnswerTurn {
  readonly type: 'answer'
  readonly state: 'under way' | 'complete' | 'stopped' | 'broken' | 'failed'
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly ToolCall[]
  /** Why it ended, in the words of its protocol; empty while it has not. */
  readonly stopReason: string
  /** What went wrong, in the gateway's words. */
  readonly problem?: string
  readonly requestId?: string
  readonly target?: string
  /** What was adapted for the model's own protocol. */
  readonly notes?: string
  /** Milliseconds from the sending to the first word, and to the end. */
  readonly firstMs?: number
  readonly tookMs?: number
  /** The row of the ledger. */
  readonly exchange?: Exchange
}

export type Turn = UserTurn | ResultsTurn | AnswerTurn

/** An answer of which nothing was heard yet. */
export const unheard: AnswerTurn = {
  type: 'answer',
  state: 'under way',
  text: '',
  reasoning: '',
  calls: [],
  stopReason: '',
}

/** A tool that the model may call. */
export interface Tool {
  readonly name: string
  readonly description?: string | undefined
  /** JSON schema of its input. */
  readonly parameters: object
}

/** What is asked beside the conversation itself. */
export interface Setting {
  readonly system: string
  readonly maxTokens: number
  /** Undefined: as the model has it by itself. */
  readonly temperature: number | undefined
  readonly topP: number | undefined
  readonly stop: readonly string[]
  readonly isStream: boolean
  readonly tools: readonly Tool[]
}

/** One model in the playground, and the conversation with it. */
export interface Column {
  readonly id: number
  readonly protocol: Protocol
  readonly model: string
  readonly turns: readonly Turn[]
}

/** The calls that wait for a result before the conversation can go on. */
export function openCalls(turns: readonly Turn[]): readonly ToolCall[] {
  const last = turns.at(-1)
  return last?.type === 'answer' && last.state === 'complete' ? last.calls : []
}

/** The turns of the last request; of none yet, what one might begin with. */
export function lastAsked(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.findLastIndex(({ type }) => type !== 'answer')
  return last === -1 ? [{ type: 'user', text: 'Hello!', pictures: [] }] : turns.slice(0, last + 1)
}

/** The turns that are said again with the next request: what nobody answered never became part of the conversation. */
export function saidTurns(turns: readonly Turn[]): readonly Turn[] {
  return turns.filter((turn, index) => {
    const answer = turn.type === 'answer' ? turn : turns[index + 1]
    if (answer?.type !== 'answer') return true
    return answer.text !== '' || answer.calls.length > 0
  })
}
