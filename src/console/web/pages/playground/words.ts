import { chatCompletionsWords } from './chat-completions-words.ts'
import type { AnswerTurn, Protocol, Setting, Turn } from './conversation.ts'
import { messagesWords } from './messages-words.ts'

/** How a protocol says a conversation, and what it answers. */
export interface Words {
  /** The body of a request. */
  readonly bodyOf: (
    model: string,
    setting: Setting,
    turns: readonly Turn[],
  ) => Record<string, unknown>
  /** The answer with what one event of a stream adds to it. */
  readonly heard: (answer: AnswerTurn, event: unknown) => AnswerTurn
  /** The answer that is told at once. */
  readonly read: (answer: AnswerTurn, body: unknown) => AnswerTurn
}

export const wordsOf: Readonly<Record<Protocol, Words>> = {
  'chat-completions': chatCompletionsWords,
  messages: messagesWords,
}
