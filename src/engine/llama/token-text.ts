import type { LlamaModel, Token } from 'node-llama-cpp'

/** What tokens of a model say, found out once for each. */
export interface TokenTexts {
  readonly model: LlamaModel
  /** Special tokens that are told as text: the marks of calls and thoughts. */
  readonly told: ReadonlySet<Token>
  /** The text of a token wherever it stands; undefined for one that holds only part of a character. */
  readonly known: Map<Token, string | undefined>
  /** Any whole token and its text: some vocabularies leave out a blank where a text begins. */
  readonly anchor: { readonly token: Token; readonly text: string } | undefined
}

export function tokenTexts(model: LlamaModel, told: ReadonlySet<Token>): TokenTexts {
  const token = model.tokenize('a').at(-1)
  const anchor = token === undefined ? undefined : { token, text: model.detokenize([token]) }
  return { model, told, known: new Map(), anchor }
}

/** Text as it comes, token by token. Tokens whose characters are not whole yet are held back. */
export interface TextStream {
  readonly texts: TokenTexts
  pending: Token[]
}

/** A character has at most four bytes, so no more tokens than these wait for its end. */
const mostPending = 4
const torn = '\uFFFD'

/** The text that the token completes; empty while a character is not whole. */
export function textOfToken(stream: TextStream, token: Token): string {
  const { texts, pending } = stream
  const known = textOf(texts, token)
  if (known !== undefined) return pending.length === 0 ? known : flushTokens(stream) + known
  pending.push(token)
  const text = texts.model.detokenize(pending)
  if (text.endsWith(torn) && pending.length < mostPending) return ''
  stream.pending = []
  return text
}

/** No more tokens come: what was held back, as well as it can be told. */
export function flushTokens(stream: TextStream): string {
  const { texts, pending } = stream
  if (pending.length === 0) return ''
  stream.pending = []
  return texts.model.detokenize(pending)
}

/** The text of one token; undefined if it holds only part of a character. */
export function textOf(texts: TokenTexts, token: Token): string | undefined {
  const { known } = texts
  if (known.has(token)) return known.get(token)
  const text = found(texts, token)
  known.set(token, text)
  return text
}

function found({ model, told, anchor }: TokenTexts, token: Token): string | undefined {
  if (model.isSpecialToken(token)) return told.has(token) ? model.detokenize([token], true) : ''
  const behind = anchor === undefined ? '' : model.detokenize([anchor.token, token])
  const isApart = anchor !== undefined && behind.startsWith(anchor.text)
  const text = isApart ? behind.slice(anchor.text.length) : model.detokenize([token])
  return text.includes(torn) ? undefined : text
}
