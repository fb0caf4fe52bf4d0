/** What is kept of what was said in an exchange, as it is shown. */
export interface KeptContent {
  /** Unix milliseconds. */
  readonly keptAt: number
  readonly request: KeptRequest
  readonly answer: KeptAnswer
  /** What was taken out, by rule. */
  readonly redacted: readonly { readonly rule: string; readonly count: number }[]
}

export interface KeptRequest {
  /** Of the body as it came. */
  readonly bytes: number
  readonly isCut: boolean
  /** The body as a JSON value. */
  readonly body: unknown
}

export interface KeptAnswer {
  readonly isCut: boolean
  readonly blocks: readonly KeptBlock[]
  /** Why it ended, in our words; null where it broke off. */
  readonly end: string | null
  /** What the caller was told in place of the answer, or of the rest of it. */
  readonly error: { readonly code: string; readonly message: string } | null
  /** Of embeddings, which have no text. */
  readonly vectors: { readonly count: number; readonly width: number } | null
}

export interface KeptBlock {
  readonly type: 'text' | 'reasoning' | 'refusal' | 'call' | 'other'
  /** Of a call, its arguments. */
  readonly text: string
  /** Of a call, the tool; of another block, its kind. */
  readonly name: string | null
  readonly id: string | null
}

/** That there is something, without a word of it. */
export interface ContentNote {
  readonly keptAt: number
  /** As it is kept, and so after cutting. */
  readonly requestBytes: number
  readonly answerBytes: number
  readonly isCut: boolean
}

/** What was said in an exchange, before anything is taken out: it is in memory only. */
export interface Captured {
  readonly exchangeId: string
  readonly keyId: string
  readonly projectId: string
  /** Unix milliseconds. */
  readonly keptAt: number
  readonly requestText: string
  /** The answer as far as it was heard: `isCut` if that is not all. */
  readonly answer: KeptAnswer
  /** It was too long to be heard to its end. */
  readonly isTruncated: boolean
  /** What the caller showed as its key. */
  readonly secrets: readonly string[]
}

/** Whose content is meant. */
export type ContentOf =
  | { readonly exchangeId: string }
  | { readonly keyId: string }
  /** All that was kept before then, in Unix milliseconds, and what was said in these exchanges. */
  | { readonly before: number; readonly exchangeIds?: readonly string[] }
