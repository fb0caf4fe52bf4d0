import { estimateInput } from '#chat/estimate-tokens.ts'
import type { ChatRequest } from '#chat/request.ts'
import type { JsonObject } from '#std/json.ts'

/** Keeps what the usage of a passed-on stream is estimated from, should its upstream tell none. */
export class MissingUsage {
  readonly #request: ChatRequest
  #first: JsonObject | undefined
  #firstBytes = 1
  #bytes = 0

  constructor(request: ChatRequest) {
    this.#request = request
  }

  /** The first chunk with a choice, and how long it is. */
  begin(chunk: JsonObject, bytes: number): void {
    this.#first = chunk
    this.#firstBytes = Math.max(1, bytes)
  }

  /** So much more went on to the caller. */
  add(bytes: number): void {
    this.#bytes += bytes
  }

  /**
   * The chunk of usage that the caller asked for, marked as an estimate: the chunks of an answer are alike, and each
   * after the first is about one token.
   */
  chunk(): string {
    const { id, created, model } = this.#first ?? {}
    const prompt = inputOf(this.#request)
    const completion = Math.max(0, Math.round(this.#bytes / this.#firstBytes) - 1)
    const usage = {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      estimated: true,
    }
    const object = 'chat.completion.chunk'
    return `data: ${JSON.stringify({ id, object, created, model, choices: [], usage })}\n\n`
  }
}

const charactersPerToken = 4

function inputOf(request: ChatRequest): number {
  try {
    return estimateInput(request.meaning())
  } catch {
    // What our words cannot say passes on this lane, and is estimated by its length.
    return Math.ceil(request.body.text.length / charactersPerToken)
  }
}
