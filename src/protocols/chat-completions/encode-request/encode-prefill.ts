import type { Block, Conversation } from '#chat/conversation.ts'
import { callersWord, type Telling } from '#protocols/telling.ts'
import { type RawJson, rawJson } from '#std/json.ts'

import { refuseField } from './refuse-field.ts'

/** An answer that the caller began, and how the upstream is asked to go on with it. */
export interface Prefill {
  readonly isPrefill: boolean
  /** Members of the request. */
  readonly members: readonly (readonly [string, RawJson])[]
  /** Members of the last message. */
  readonly mark: readonly (readonly [string, RawJson])[]
}

/** In the chat protocol itself a last assistant turn is only history, so only a caller of the other one begins answers. */
export function encodePrefill({ turns, format }: Conversation, telling: Telling): Prefill {
  const last = turns.at(-1)
  if (telling.caller !== 'messages' || last?.role !== 'assistant' || last.blocks.some(isCall))
    return none
  if (format !== undefined) refuseBegunForm(telling)
  switch (telling.profile.prefill) {
    case 'native':
      return { ...none, isPrefill: true }
    case 'continue':
      return { ...none, isPrefill: true, members: continueMembers }
    case 'prefix':
      return { ...none, isPrefill: true, mark: [['prefix', rawJson(true)]] }
    case 'refuse':
      return refuseField(
        telling,
        last.field,
        'This model does not support assistant message prefill. The conversation must end with a user message.',
      )
  }
}

/** A form is imposed from the first token of the answer, which is not the upstream's to say where the caller began it. */
function refuseBegunForm(telling: Telling): void {
  const { prefill, structuredOutput } = telling.profile
  if (structuredOutput !== 'native' || prefill === 'refuse') return
  refuseField(
    telling,
    callersWord[telling.caller].format,
    'an answer that is already begun cannot be held to a format. End with a message of the user, or ask for no format.',
  )
}

const none: Prefill = { isPrefill: false, members: [], mark: [] }

const continueMembers = [
  ['continue_final_message', rawJson(true)],
  ['add_generation_prompt', rawJson(false)],
] as const

function isCall(block: Block): boolean {
  return block.type === 'call'
}
