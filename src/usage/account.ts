import type { HoldTerms } from '#budgets/hold-terms.ts'
import type { Admission } from '#chat/admission.ts'
import { GatewayError } from '#chat/error.ts'
import { roughTokens } from '#chat/estimate-tokens.ts'
import type { ChatEvent } from '#chat/event.ts'
import type { MediaParts } from '#chat/media-parts.ts'
import type { ModelName } from '#chat/names.ts'
import type { Note } from '#chat/note.ts'
import type { RequestBody } from '#chat/request.ts'
import type { Answer, Step } from '#chat/step.ts'
import type { StreamCut } from '#chat/stream-cut.ts'
import type { TargetModel } from '#chat/target.ts'
import { noUsage, type Usage } from '#chat/usage.ts'
import type { Grant, Ledger, NewEntry, Outcome, Try } from '#ledger/entry.ts'
import { costOf } from '#prices/charge.ts'
import type { Price } from '#prices/price.ts'
import type { Prices } from '#prices/prices.ts'

import { meteredWithin } from './cut.ts'
import { holdOf } from './hold.ts'
import { metered, type Metering, resultOf } from './meter.ts'
import { type Count, Tally } from './tally.ts'

/** What an account is kept with. */
export interface Books {
  readonly ledger: Ledger
  readonly prices: Pick<Prices, 'of'>
}

export interface AccountFacts extends Omit<NewEntry, 'hold'> {
  readonly model: ModelName
  /** What was asked: what an input that nobody counted is estimated by, and what it can cost at most. */
  readonly body: RequestBody
  /** What of that is no text. */
  readonly media: MediaParts
  /** Those that may answer, the dearest of which decides what is held, and what they were chosen by. */
  readonly targets: readonly Asked[]
  readonly route: string
  /** The most output tokens of one answer: what the caller asked for, and what its key allows. */
  readonly maxTokens?: number | undefined
  readonly limit?: number | undefined
  readonly choices?: number | undefined
}

/** What an account has to know of a target. */
interface Asked {
  readonly model: TargetModel
}

/** What of an event the caller's protocol has no place for; undefined for what it can say. */
export type Untold = (event: ChatEvent) => Note | undefined

/** What goes with an answer that is metered. */
interface Metered {
  readonly untold?: Untold | undefined
  /** To be called when it has ended. */
  readonly release?: () => void
  /** How a stream is ended in its own words where its budget ends. */
  readonly cut?: StreamCut | undefined
}

/**
 * The account of one exchange: opened on disk before anything goes upstream, and closed exactly once, however the
 * exchange ends.
 */
export class Account implements Metering {
  /** What the exchange may use. */
  readonly grant: Grant
  readonly #books: Books
  readonly #admission: Admission
  readonly #facts: AccountFacts
  readonly #began: number
  readonly #tally = new Tally()
  readonly #tries: Try[] = []
  #notes: readonly Note[] = []
  #target: TargetModel | undefined
  #attempts = 0
  #triedAt = 0
  #queuedMs: number | undefined
  #firstByteMs: number | undefined
  #untold: Untold | undefined
  #estimate: Usage | undefined
  #closed: Promise<void> | undefined
  #release: (() => void) | undefined

  private constructor({ books, admission, facts, began, grant }: Opening) {
    this.grant = grant
    this.#books = books
    this.#admission = admission
    this.#facts = facts
    this.#began = began
  }

  /**
   * Resolves when what the exchange may cost is held, and the exchange on disk. Rejects with `budget-spent` or
   * `storage-unavailable`, and then the admission is given back.
   */
  static async open(books: Books, admission: Admission, facts: AccountFacts): Promise<Account> {
    const began = performance.now()
    try {
      const grant = await books.ledger.begin({ ...facts, hold: holdFor(books, facts) })
      return new Account({ books, admission, facts, began, grant })
    } catch (error) {
      const limits = admission.limits()
      admission.cancel()
      throw limited(error, limits)
    }
  }

  /** To be told of every target before it is asked. */
  readonly onAttempt = ({ model }: Asked, attempt: number): void => {
    this.#attempts = attempt
    this.#target = model
    this.#triedAt = performance.now()
  }

  /** To be told of every target that failed. */
  readonly onFailure = (_: Asked, failure: GatewayError): void => this.#tried(failure.code)

  /** Does a part of the exchange that may fail, and closes the account if it does. */
  async during<T>(part: Promise<T>): Promise<T> {
    try {
      const value = await part
      this.#tried('answered')
      return value
    } catch (error) {
      // A failure to write this down must not hide the one that is to be told.
      await this.close(resultOf(error)).catch(() => undefined)
      throw limited(error, this.#admission.limits())
    }
  }

  /**
   * The same answer, metered: its end comes only after the account is closed. What a caller is not told of an answer
   * that is said in another protocol is noted.
   */
  metered(answer: Answer, { untold, release, cut }: Metered = {}): Answer {
    this.#release = release
    this.#queuedMs = answer.queuedMs
    if (answer.words === undefined) this.#untold = untold
    if (!this.grant.isStrict) return { ...answer, steps: metered(answer.steps, this) }
    const cap = this.grant.outputCap * (this.#facts.choices ?? 1)
    const words = answer.words && cut
    return { ...answer, steps: meteredWithin(answer.steps, this, { cap, words }) }
  }

  /** What the translation of the request adapted, for the ledger. */
  note(notes: readonly Note[]): void {
    this.#notes = notes
  }

  /** Closes an exchange that has no steps: embeddings. */
  async complete(usage: Usage): Promise<void> {
    this.hear({ means: [{ type: 'usage', usage: { output: 0, ...usage } }] })
    await this.close('complete')
  }

  hear(step: Step): void {
    this.#firstByteMs ??= performance.now() - this.#began
    this.#tally.hear(step)
    if (this.#untold !== undefined) this.#noteUntold(step, this.#untold)
  }

  /** The most output tokens that may be asked for, if less than the caller would take. */
  get cap(): number | undefined {
    const { isStrict, isLowered, outputCap } = this.grant
    return isStrict || isLowered ? outputCap : this.#facts.limit
  }

  /** What was used, where it had to be estimated. Known when the account is closed. */
  get estimate(): Usage | undefined {
    return this.#estimate
  }

  /** The first call decides; whoever calls later waits for it. */
  close(result: string): Promise<void> {
    this.#closed ??= this.#settle(result)
    return this.#closed
  }

  #settle(result: string): Promise<void> {
    const outcome = this.#outcome(result)
    this.#admission.settle(outcome.usage)
    this.#release?.()
    return this.#books.ledger.settle(this.#facts.id, outcome)
  }

  get #isStory(): boolean {
    return this.#tries.length > 1 || this.#tries.some(({ result }) => result !== 'answered')
  }

  #costOf(usage: Usage, price: Price): number {
    return costOf(usage, price, this.#facts.media.images)
  }

  #tried(result: string): void {
    if (this.#target === undefined) return
    const startedMs = Math.round(this.#triedAt - this.#began)
    const tookMs = Math.round(performance.now() - this.#triedAt)
    this.#tries.push({ target: nameOf(this.#target), result, startedMs, tookMs })
  }

  #noteUntold({ means }: Step, untold: Untold): void {
    for (const event of means) {
      const note = untold(event)
      if (note !== undefined) this.#tally.note(note)
    }
  }

  #count(result: string): Count {
    const asked = (): number => roughTokens(this.#facts.body.text)
    const count = this.#tally.count(result === 'complete', asked)
    // Whoever leaves before anything came has still had an upstream read the whole of what was asked.
    const hasLeftEarly = result === 'client-left' && this.#target !== undefined
    if (!hasLeftEarly || count.counted !== 'none') return count
    return { usage: { input: asked() }, counted: 'estimated' }
  }

  #outcome(result: string): Outcome {
    const { usage, counted } = this.#count(result)
    if (counted === 'estimated') this.#estimate = usage
    const target = this.#target
    const price = target && this.#books.prices.of(target)
    return {
      result,
      attempts: this.#attempts,
      // One that answered at once is told by the rest of the row.
      ...(this.#isStory && { tries: this.#tries }),
      route: this.#facts.route,
      usage,
      counted,
      cost: price === undefined || usage === noUsage ? 0 : this.#costOf(usage, price),
      totalMs: performance.now() - this.#began,
      notes: [...this.#notes, ...this.#tally.notes],
      ...(price !== undefined && { price }),
      ...(target !== undefined && { target: nameOf(target) }),
      ...(this.#queuedMs !== undefined && { queueMs: this.#queuedMs }),
      ...(this.#firstByteMs !== undefined && { firstByteMs: this.#firstByteMs }),
    }
  }
}

interface Opening {
  readonly books: Books
  readonly admission: Admission
  readonly facts: AccountFacts
  /** On the monotonic clock, before the exchange was written down. */
  readonly began: number
  readonly grant: Grant
}

function holdFor(
  { prices }: Books,
  { targets, body: { text }, media, maxTokens, limit, choices = 1 }: AccountFacts,
): HoldTerms {
  const models = targets.map(({ model }) => model)
  const most = Math.min(maxTokens ?? Infinity, limit ?? Infinity)
  return holdOf({
    models,
    prices,
    text,
    media,
    choices,
    ...(most < Infinity && { maxTokens: most }),
  })
}

function nameOf({ upstream, model }: TargetModel): string {
  return `${upstream}/${model}`
}

/** A caller who has limits is told of them on a failure too. */
function limited(error: unknown, limits: ReadonlyMap<string, string>): unknown {
  if (limits.size === 0) return error
  const failure = GatewayError.from(error)
  return failure.withLimits(new Map([...(failure.limits ?? []), ...limits]))
}
