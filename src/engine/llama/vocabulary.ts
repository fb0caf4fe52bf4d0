import type { LlamaModel, Token } from 'node-llama-cpp'

import { thoughtWords } from '#engine/templates/chat-template.ts'

/** The tokens of a model, as text and back. */
export interface Vocabulary {
  readonly size: number
  /** Words of the model's own that no caller's text may spell. */
  readonly special: readonly string[]
  /** Words that end a turn. */
  readonly ends: readonly string[]
  readonly bos: string
  readonly eos: string
  /** The tokens of pieces that are told apart, with the token that every prompt of this model begins with. */
  readonly promptTokens: (pieces: readonly string[]) => Token[]
  readonly isEnd: (token: Token) => boolean
}

/** What a special token of the file's list is: one that steers the model, or a visible word that was given a token. */
const controlType = 3
const visibleType = 4

/** Reads the vocabulary of a loaded model. `template` tells which visible words steer it too. */
export function vocabularyOf(model: LlamaModel, template: string): Vocabulary {
  const { tokens, fileInfo } = model
  const { tokens: texts, token_type: types } = listsOf(fileInfo.metadata)
  const special: string[] = []
  const ends: string[] = []
  for (let token = 0; token < types.length; token++) {
    const text = texts[token] ?? ''
    const type = types[token]
    if (type !== controlType && !(type === visibleType && steers(text, template))) continue
    if (text.length > 1) special.push(text)
    if (type === controlType && model.isEogToken(asToken(token))) ends.push(text)
  }
  return {
    size: texts.length,
    special,
    ends,
    bos: tokens.bosString ?? '',
    eos: tokens.eosString ?? '',
    promptTokens: (pieces) => promptTokens(model, pieces),
    isEnd: (token) => model.isEogToken(token),
  }
}

/** The library brands the ids of tokens, which are plain numbers. */
export function asToken(id: number): Token {
  return id as Token
}

function steers(text: string, template: string): boolean {
  if (!/^[<[].{2,}[>\]]$/.test(text)) return false
  return (
    template.includes(text) ||
    thoughtWords.some(({ open, close }) => text === open || text === close)
  )
}

function promptTokens(model: LlamaModel, pieces: readonly string[]): Token[] {
  const ids: Token[] = []
  for (const [index, piece] of pieces.entries())
    ids.push(...model.tokenize(piece, true, index === 0 ? undefined : 'trimLeadingSpace'))
  const { bos, shouldPrependBosToken } = model.tokens
  if (shouldPrependBosToken && bos !== null && ids[0] !== bos) ids.unshift(bos)
  return ids
}

interface TokenLists {
  readonly tokens: readonly string[]
  readonly token_type: readonly number[]
}

/** The lists as the file has them, which the library types by the best-known models only. */
function listsOf(metadata: LlamaModel['fileInfo']['metadata']): TokenLists {
  const lists: Partial<TokenLists> = Object(metadata.tokenizer?.ggml)
  return { tokens: lists.tokens ?? [], token_type: lists.token_type ?? [] }
}
