import { estimateText } from '#chat/estimate-tokens.ts'
import type { ChatEvent } from '#chat/event.ts'
import { addNote, type Note } from '#chat/note.ts'
import type { AnswerFacts } from '#chat/passage.ts'
import type { Step } from '#chat/step.ts'
import { foldUsage, noUsage, type Usage } from '#chat/usage.ts'
import type { Outcome } from '#ledger/entry.ts'

import { estimateDelivered } from './estimate-delivered.ts'

/** What was used, and how that is known. */
export type Count = Pick<Outcome, 'usage' | 'counted'>

/** Adds up an answer while it passes. A stream of any length takes a few kilobytes of it. */
export class Tally {
  #usage = noUsage
  #text = ''
  #textLength = 0
  #pieces = 0
  #bytes = 0
  #isCounted = false
  readonly #sample: (string | Uint8Array)[] = []
  #sampleBytes = 0
  readonly #notes: Note[] = []
  #answer: AnswerFacts = {}

  hear(step: Step): void {
    const { means, said, isPreamble } = step
    for (const event of means) this.#hearEvent(event)
    this.#isCounted = isLastCount(step, this.#isCounted)
    if (said === undefined || isPreamble === true) return
    // The words of an end alone are no text; a reply that is one step is text and end in one.
    if (this.#hasText && means.some(({ type }) => type === 'answer-end')) return
    this.#bytes += said.length
    if (this.#sampleBytes < sampleLimit) this.#takeSample(said)
  }

  /** What the upstream said of its answer itself. */
  get answer(): AnswerFacts {
    return this.#answer
  }

  /** Something that the caller was not told of the answer. */
  note(note: Note): void {
    addNote(this.#notes, note)
  }

  get notes(): readonly Note[] {
    return this.#notes
  }

  /**
   * The upstream's own count, if it told all of it. Otherwise what it told is completed from what was delivered:
   * an answer that broke off is never free. `inputTokens` is asked only if nothing is known of the input.
   */
  count(isComplete: boolean, inputTokens: () => number): Count {
    const told = this.#usage
    const isOutputTold = (isComplete || this.#isCounted) && told.output !== undefined
    if (isOutputTold && hasInput(told)) return { usage: told, counted: 'exact' }
    const delivered = this.#estimate()
    if (delivered === 0 && !isComplete)
      return { usage: told, counted: told === noUsage ? 'none' : 'exact' }
    const usage: Usage = {
      ...told,
      ...(!hasInput(told) && { input: inputTokens() }),
      output: isOutputTold ? told.output : Math.max(told.output ?? 0, delivered),
    }
    return { usage, counted: 'estimated' }
  }

  get #hasText(): boolean {
    return this.#bytes + this.#textLength > 0
  }

  #hearEvent(event: ChatEvent): void {
    if (event.type === 'usage') this.#usage = foldUsage(this.#usage, event.usage)
    else if (event.type === 'block-delta') this.#hearText(event.text)
    else if (event.type === 'note') addNote(this.#notes, event)
    else if (event.type === 'answer-start') this.#answer = { id: event.id, model: event.model }
    else if (event.type === 'answer-end')
      this.#answer = { ...this.#answer, reason: event.said ?? event.reason }
  }

  #hearText(text: string): void {
    this.#textLength += text.length
    this.#pieces++
    if (this.#text.length < textLimit) this.#text += text
  }

  // A copy: a view would hold on to the whole of the read that it lies in.
  #takeSample(said: string | Uint8Array): void {
    const piece = said.slice(0, sampleLimit - this.#sampleBytes)
    this.#sample.push(piece)
    this.#sampleBytes += piece.length
  }

  #estimate(): number {
    const scale = this.#textLength / Math.max(1, this.#text.length)
    // However short they are, no piece was less than a token.
    const ofText = Math.max(this.#pieces, Math.ceil(estimateText(this.#text) * scale))
    const sample = this.#sample.map((piece) => (typeof piece === 'string' ? piece : decode(piece)))
    const bytes = { sampleBytes: this.#sampleBytes, totalBytes: this.#bytes }
    return ofText + estimateDelivered({ sample: sample.join(''), ...bytes })
  }
}

/**
 * Whether the last thing that was heard is a count of the output that takes in all that was delivered. One that
 * something was said after does not; nor one that came in the same read as the start, among words that nobody read.
 */
function isLastCount({ means, said }: Step, wasCounted: boolean): boolean {
  const told = means.findLastIndex(tellsOutput)
  const delivered = means.findLastIndex(({ type }) => type === 'block-delta')
  if (told > delivered)
    return said === undefined || !means.some(({ type }) => type === 'answer-start')
  return wasCounted && said === undefined && delivered === -1
}

/** A caller can be charged for its input although all of it was in a cache. */
function hasInput({ input, cacheRead, cacheWrite }: Usage): boolean {
  return input !== undefined || cacheRead !== undefined || cacheWrite !== undefined
}

function tellsOutput(event: ChatEvent): boolean {
  return event.type === 'usage' && event.usage.output !== undefined
}

/** How much of an answer is kept to estimate the whole from: text that was read, and words that were not. */
const textLimit = 64 * 1024
const sampleLimit = 4 * 1024

const decoder = new TextDecoder()

function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}
