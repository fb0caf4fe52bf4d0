import type { HoldTerms } from '#budgets/hold-terms.ts'
import type { Admission } from '#chat/admission.ts'
import { GatewayError } from '#chat/error.ts'
import { roughInput } from '#chat/estimate-tokens.ts'
import type { ChatEvent } from '#chat/event.ts'
import type { MediaParts } from '#chat/media-parts.ts'
import type { ModelName } from '#chat/names.ts'
import type { Note } from '#chat/note.ts'
import type { Attempt } from '#chat/passage.ts'
import type { RequestBody } from '#chat/request.ts'
import type { Answer, Step } from '#chat/step.ts'
import type { StreamCut } from '#chat/stream-cut.ts'
import type { TargetModel } from '#chat/target.ts'
import { noUsage, totalInput, type Usage } from '#chat/usage.ts'
import type { Witness } from '#chat/witness.ts'
import type { Grant, Ledger, Lost, NewEntry, Outcome, Try } from '#ledger/entry.ts'
import { costOf } from '#prices/charge.ts'
import type { Price } from '#prices/price.ts'
import type { Prices } from '#prices/prices.ts'

import { meteredWithin } from './cut.ts'
import { holdOf } from './hold.ts'
import { metered, type Metering, resultOf } from './meter.ts'
import type { ExchangeObserver } from './observer.ts'
import { type Count, Tally } from './tally.ts'
import { UnlessBroken } from './unless-broken.ts'

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
  /** Keeps what is said, where that is allowed. */
  readonly witness?: Witness | undefined
  /** Told when the account is closed. */
  readonly observer?: ExchangeObserver | undefined
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
  /** Nobody is told of it before it is whole, so that another may take its place if it breaks. */
  readonly isWhole?: boolean
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
  #tally = new Tally()
  readonly #tries: (Attempt & Pick<Try, 'lost'>)[] = []
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
      facts.witness?.open(facts)
      return new Account({ books, admission, facts, began, grant })
    } catch (error) {
      const limits = admission.limits()
      admission.cancel()
      throw limited(error, limits)
    }
  }

  /** To be told of every target before it is asked. */
  readonly onAttempt = ({ model }: Asked, attempt: number): void => {
    if (attempt > 1) this.#giveUp()
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
      // One that was given when it was whole is closed by then.
      if (this.#closed === undefined) this.#tried('answered')
      return value
    } catch (error) {
      // A failure to write this down must not hide the one that is to be told.
      await this.close(resultOf(error), error).catch(() => undefined)
      throw limited(error, this.#admission.limits())
    }
  }

  /**
   * The same answer, metered: its end comes only after the account is closed. What a caller is not told of an answer
   * that is said in another protocol is noted.
   */
  metered(answer: Answer, { untold, release, cut, isWhole }: Metered = {}): Answer {
    this.#release = release
    this.#queuedMs = answer.queuedMs
    this.#untold = answer.words === undefined ? untold : undefined
    const { words: own } = answer
    this.#facts.witness?.begin({ target: this.#target, words: own, isWhole: isWhole === true })
    const begunAt = performance.now()
    const onWhole = (): void => this.#tried('answered', begunAt)
    const meter = isWhole === true ? new UnlessBroken(this, onWhole) : this
    if (!this.grant.isStrict) return { ...answer, steps: metered(answer.steps, meter) }
    const cap = this.grant.outputCap * (this.#facts.choices ?? 1)
    const words = answer.words && cut
    return { ...answer, steps: meteredWithin(answer.steps, meter, { cap, words }) }
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
    this.#facts.witness?.hear(step)
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
  close(result: string, error?: unknown): Promise<void> {
    if (this.#closed !== undefined) return this.#closed
    this.#facts.witness?.end(error)
    this.#closed = this.#settle(result)
    return this.#closed
  }

  /** Begins anew with another target. What the last one had said before it broke is written down, and is in no sum. */
  #giveUp(): void {
    const last = this.#tries.pop()
    const lost = this.#lost()
    if (last !== undefined) this.#tries.push(lost === undefined ? last : { ...last, lost })
    this.#tally = new Tally()
    this.#firstByteMs = undefined
    this.#queuedMs = undefined
  }

  #lost(): Lost | undefined {
    const { usage, counted } = this.#count('')
    if (counted === 'none') return undefined
    const price = this.#target && this.#books.prices.of(this.#target)
    const cost = price === undefined ? 0 : this.#costOf(usage, price)
    return { input: totalInput(usage), output: usage.output ?? 0, cost }
  }

  #settle(result: string): Promise<void> {
    const outcome = this.#outcome(result)
    this.#admission.settle(outcome.usage)
    this.#release?.()
    this.#tell(outcome)
    return this.#books.ledger.settle(this.#facts.id, outcome)
  }

  #tell(outcome: Outcome): void {
    const { id, keyId, projectId, endpoint, protocol, model, stream, route, observer } = this.#facts
    observer?.onExchange({
      id,
      keyId,
      projectId,
      endpoint,
      protocol,
      model,
      stream,
      maxTokens: this.#facts.maxTokens,
      choices: this.#facts.choices,
      route,
      openedAt: this.#began,
      result: outcome.result,
      target: this.#target,
      attempts: this.#tries,
      usage: outcome.usage,
      counted: outcome.counted,
      cost: outcome.cost,
      notes: outcome.notes.length,
      queueMs: this.#queuedMs,
      firstByteMs: this.#firstByteMs,
      totalMs: outcome.totalMs,
      answer: this.#tally.answer,
    })
  }

  get #isStory(): boolean {
    return this.#tries.length > 1 || this.#tries.some(({ result }) => result !== 'answered')
  }

  #costOf(usage: Usage, price: Price): number {
    return costOf(usage, price, this.#facts.media.images)
  }

  #tried(result: string, at = performance.now()): void {
    if (this.#target === undefined) return
    const startedMs = this.#triedAt - this.#began
    const tookMs = at - this.#triedAt
    this.#tries.push({ model: this.#target, result, startedMs, tookMs })
  }

  #noteUntold({ means }: Step, untold: Untold): void {
    for (const event of means) {
      const note = untold(event)
      if (note !== undefined) this.#tally.note(note)
    }
  }

  #count(result: string): Count {
    const { body, media } = this.#facts
    const asked = (): number => roughInput(body.text, media)
    const count = this.#tally.count(result === 'complete', asked)
    // Whoever stops waiting before anything came has still had an upstream read the whole of what was asked.
    const hasLeft = result === 'client-left' || result === 'answer-overdue'
    const hasLeftEarly = hasLeft && this.#target !== undefined
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
      ...(this.#isStory && { tries: this.#tries.map(tryOf) }),
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

/** An attempt as the ledger keeps it. */
function tryOf({ model, startedMs, tookMs, ...rest }: Attempt & Pick<Try, 'lost'>): Try {
  const times = { startedMs: Math.round(startedMs), tookMs: Math.round(tookMs) }
  return { target: nameOf(model), ...rest, ...times }
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
