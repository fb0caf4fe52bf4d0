import type { Llama, LlamaContext, LlamaGrammar, LlamaModel } from 'node-llama-cpp'

import type { ChatTemplate } from '#engine/templates/chat-template.ts'

import type { Together } from './batching.ts'
import type { Library } from './llama-backend.ts'
import type { Guard } from './prompt.ts'
import type { Recommended } from './sampling-of.ts'
import type { Slots } from './slots.ts'
import type { TokenTexts } from './token-text.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What answers a chat. */
export interface ChatModel {
  readonly library: Library
  readonly llama: Llama
  readonly model: LlamaModel
  readonly context: LlamaContext
  readonly slots: Slots
  readonly together: Together
  readonly contextSize: number
  readonly template: ChatTemplate
  readonly vocabulary: Vocabulary
  readonly guard: Guard
  readonly texts: TokenTexts
  readonly recommended: Recommended
  /** Grammars that were made lately, by their text: whoever asks for a form mostly asks for it again. */
  readonly grammars: Map<string, LlamaGrammar>
}
