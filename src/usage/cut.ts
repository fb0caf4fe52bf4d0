import type { Step } from '#chat/step.ts'
import type { StreamCut } from '#chat/stream-cut.ts'
import { foldUsage, noUsage, type Usage } from '#chat/usage.ts'

import { DeliveredCount } from './delivered-count.ts'
import { metered, type Metering } from './meter.ts'

/** Where an answer has to end. */
export interface Cutting {
  /** The most output tokens that it may have, all choices together. */
  readonly cap: number
  /** How its end is said in the upstream's own words, if those go on to the caller; absent if it is told in ours. */
  readonly words?: StreamCut | undefined
}

/**
 * The same as `metered`, for an answer that may not grow longer than what is held for it. What passes the cap goes out
 * still; then the answer ends as one that grew too long, its upstream is let go of, and the account is closed with
 * `budget-stop`. A reply that comes whole is nothing to be cut.
 */
export function meteredWithin(
  steps: AsyncIterable<Step>,
  account: Metering,
  cutting: Cutting,
): AsyncIterableIterator<Step> {
  const cut = new Cut(steps[Symbol.asyncIterator](), account, cutting)
  return metered(cut, cut)
}

/**
 * An estimate may be twice the truth, where a script takes many bytes or an upstream many frames; and an upstream that
 * keeps to what it was asked for ends at the cap by itself. Only one that does not is cut by an estimate.
 */
function limitOfEstimates(cap: number): number {
  return 2 * cap + 64
}

interface End {
  readonly means: Step['means']
  said?: string
}

/**
 * Stands between an answer and its meter. It looks at a step when the meter does, so that a step costs no promise more:
 * what the meter asks for next is the upstream's own promise, or the end.
 */
class Cut implements AsyncIterableIterator<Step>, Metering {
  readonly #steps: AsyncIterator<Step>
  readonly #account: Metering
  readonly #cutting: Cutting
  readonly #count = new DeliveredCount()
  #usage = noUsage
  #hasOpenBlock = false
  #end: End | undefined
  #encodeEnd: ((usage: Usage) => string) | undefined
  #isOver = false

  constructor(steps: AsyncIterator<Step>, account: Metering, cutting: Cutting) {
    this.#steps = steps
    this.#account = account
    this.#cutting = cutting
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Step>> {
    if (this.#end === undefined) return this.#steps.next()
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined })
    this.#isOver = true
    return Promise.resolve({ done: false, value: this.#end })
  }

  async return(): Promise<IteratorResult<Step>> {
    await this.#steps.return?.()
    return { done: true, value: undefined }
  }

  hear(step: Step): void {
    this.#account.hear(step)
    if (this.#end !== undefined) return
    this.#take(step)
    if (this.#isFull && bringsText(step)) this.#tryCut(step)
  }

  /** What ends the answer is said when the account is closed, so that the caller is told the usage of the ledger. */
  async close(result: string, error?: unknown): Promise<void> {
    if (this.#end === undefined || result !== 'complete') return this.#account.close(result, error)
    await this.#account.close('budget-stop')
    const said = this.#encodeEnd?.(this.#account.estimate ?? this.#usage)
    if (said !== undefined) this.#end.said = said
  }

  get estimate(): Usage | undefined {
    return this.#account.estimate
  }

  #take({ means, said, isPreamble }: Step): void {
    for (const event of means) {
      if (event.type === 'usage') this.#usage = foldUsage(this.#usage, event.usage)
      else if (event.type === 'block-delta') this.#count.hearText(event.text)
      else if (event.type === 'block-start') this.#hasOpenBlock = true
      else if (event.type === 'block-end') this.#hasOpenBlock = false
    }
    if (said === undefined || isPreamble === true) return
    const { words } = this.#cutting
    words?.hear?.(said)
    if (words?.isPlain === true) this.#count.hearWords(said)
  }

  get #isFull(): boolean {
    const { cap } = this.#cutting
    return (this.#usage.output ?? 0) > cap || this.#count.isOver(limitOfEstimates(cap))
  }

  #tryCut({ said }: Step): void {
    if (said === undefined) return this.#cut(undefined)
    const encode = this.#cutting.words?.endAfter(said)
    if (encode !== undefined) this.#cut(encode)
  }

  #cut(encode: ((usage: Usage) => string) | undefined): void {
    const end = { type: 'answer-end', reason: 'length' } as const
    this.#encodeEnd = encode
    this.#end = { means: this.#hasOpenBlock ? [{ type: 'block-end' }, end] : [end] }
    // Nobody waits for it, and what it says of its own end is of no more interest.
    void this.return().catch(() => undefined)
  }
}

/** Whether the answer goes on: where it is only counted, or ends by itself, there is nothing to cut. */
function bringsText({ means, said, isPreamble }: Step): boolean {
  if (means.some(({ type }) => type === 'answer-end')) return false
  if (said !== undefined) return said.length > 0 && isPreamble !== true
  return means.some(({ type }) => type === 'block-delta')
}
