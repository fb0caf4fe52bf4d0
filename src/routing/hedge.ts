import { GatewayError } from '#chat/error.ts'
import type { Notes } from '#chat/note.ts'
import type { Target } from '#upstreams/upstream.ts'

import { type Asking, type First, firstOf } from './open-first.ts'

/** What one of two targets gave, and what was adapted for that one. */
export interface Hedged<T> extends Omit<First<T>, 'release'> {
  readonly notes: Notes
}

export interface HedgedAsking extends Asking {
  /** Makes the notes of a target that is asked beside another. */
  readonly newNotes: () => Notes
}

type Ask<T> = (target: Target, asking: Asking) => Promise<T>

/** So many answers are remembered of each target, and fewer than this say nothing of what is usual there. */
const remembered = 100
const leastKnown = 20
const mostTargets = 256

/** One in fifty may be asked twice, and after a quiet time three in a row. */
const share = 0.02
const mostCredit = 3

/**
 * Questions that cost nothing, such as a count of tokens: one that takes longer than nineteen of twenty do at its target is
 * put to the next one too, and whoever answers first has answered. Nothing that is paid for passes here.
 */
export class Hedge {
  readonly #tookMs = new Map<string, number[]>()
  #credit = 1

  /** Asks as `firstOf` does, and throws as it does. */
  async first<T>(
    targets: readonly Target[],
    asking: HedgedAsking,
    ask: Ask<T>,
  ): Promise<Hedged<T>> {
    this.#credit = Math.min(mostCredit, this.#credit + share)
    const [preferred, ...others] = targets.filter(({ isRescue }) => isRescue !== true)
    const first = this.#leg(targets, asking, ask)
    const patienceMs = preferred && this.#usualMs(preferred)
    if (others.length === 0 || patienceMs === undefined) return first.answer
    if ((await isSettledWithin(first.answer, patienceMs)) || this.#credit < 1) return first.answer
    this.#credit -= 1
    const second = this.#leg(others, { ...asking, notes: asking.newNotes() }, ask)
    const legs = [first, second]
    try {
      return await Promise.any([first.answer, saysSomething(second.answer)])
    } catch {
      // Both have failed, and the failure of the preferred one is what is told without a hedge too.
      return first.answer
    } finally {
      for (const leg of legs) leg.giveUp()
    }
  }

  #leg<T>(targets: readonly Target[], asking: Asking, ask: Ask<T>) {
    const over = new AbortController()
    const own = { ...asking, signal: AbortSignal.any([asking.signal, over.signal]) }
    const began = performance.now()
    const answer = firstOf(targets, own, (target) => ask(target, own)).then(
      ({ release, ...first }) => {
        release()
        this.#note(first.target, performance.now() - began)
        return { ...first, notes: own.notes }
      },
    )
    // Of two, nobody waits for the slower one.
    answer.catch(() => undefined)
    return { answer, giveUp: () => over.abort(unneeded()) }
  }

  #note({ model }: Target, tookMs: number): void {
    const name = `${model.upstream}/${model.model}`
    if (this.#tookMs.size >= mostTargets) this.#tookMs.clear()
    this.#tookMs.set(name, [...(this.#tookMs.get(name) ?? []), tookMs].slice(-remembered))
  }

  #usualMs({ model }: Target): number | undefined {
    const known = this.#tookMs.get(`${model.upstream}/${model.model}`) ?? []
    if (known.length < leastKnown) return undefined
    return known.toSorted((one, other) => one - other)[Math.floor(known.length * 0.95)]
  }
}

/** A failure counts as settled: what comes after it, `firstOf` has tried already. */
async function isSettledWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  const settled = promise.then(
    () => true,
    () => true,
  )
  return Promise.race([settled, late]).finally(() => clearTimeout(timer))
}

/** Who cannot tell is quick to say so, and does not outrun who can. */
async function saysSomething<T>(answer: Promise<Hedged<T>>): Promise<Hedged<T>> {
  const said = await answer
  if (said.value === undefined) throw unneeded()
  return said
}

function unneeded(): GatewayError {
  return new GatewayError('client-gone', 'Another target has answered already.')
}
