import { GatewayError } from '#chat/error.ts'
import type { Step } from '#chat/step.ts'
import type { Usage } from '#chat/usage.ts'
import { failAt } from '#std/fail-at.ts'

/** What the meter needs of an account. */
export interface Metering {
  hear(step: Step): void
  /** Resolves when the result is on disk. The first result stands. `error` is what ended the answer, if one did. */
  close(result: string, error?: unknown): Promise<void>
  /** What was used, where the upstream did not tell it. Asked for when the result is on disk. */
  readonly estimate: Usage | undefined
}

/**
 * Passes an answer through and sees to it that its outcome is written down exactly once, however it ends. The step
 * that ends the answer is given out only when the outcome is on disk: whoever has seen the end is in the ledger.
 */
export function metered(
  steps: AsyncIterable<Step>,
  account: Metering,
): AsyncIterableIterator<Step> {
  return new Meter(steps[Symbol.asyncIterator](), account)
}

/** An iterator of its own and no generator: it costs each step one promise, and `return()` works before the first one. */
class Meter implements AsyncIterableIterator<Step> {
  readonly #steps: AsyncIterator<Step>
  readonly #account: Metering
  #isOver = false

  constructor(steps: AsyncIterator<Step>, account: Metering) {
    this.#steps = steps
    this.#account = account
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Step>> {
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined })
    return this.#steps.next().then(this.#heard, this.#failed)
  }

  async return(): Promise<IteratorResult<Step>> {
    await this.#closeQuietly('client-left')
    if (!this.#isOver) await this.#steps.return?.()
    return { done: true, value: undefined }
  }

  readonly #heard = (
    result: IteratorResult<Step>,
  ): IteratorResult<Step> | Promise<IteratorResult<Step>> => {
    if (result.done === true) return this.#failed(unended())
    this.#account.hear(result.value)
    return endsAnswer(result.value) ? this.#end(result) : result
  }

  async #end(result: IteratorYieldResult<Step>): Promise<IteratorResult<Step>> {
    this.#isOver = true
    try {
      await this.#account.close('complete')
    } catch (error) {
      return this.#failed(error)
    }
    failAt('between-commit-and-terminator')
    void drain(this.#steps)
    return { ...result, value: withUsage(result.value, this.#account.estimate) }
  }

  readonly #failed = async (error: unknown): Promise<never> => {
    await this.#closeQuietly(resultOf(error), error)
    await this.#steps.return?.()
    throw error
  }

  /** A failure to write this down must not hide the one that ended the answer. The ledger keeps its own. */
  async #closeQuietly(result: string, error?: unknown): Promise<void> {
    await this.#account.close(result, error).catch(() => undefined)
  }
}

/** What the ledger says of a failure: the code of the error, or that the caller has gone. */
export function resultOf(error: unknown): string {
  const { code } = GatewayError.from(error)
  return code === 'client-gone' ? 'client-left' : code
}

function endsAnswer({ means }: Step): boolean {
  return means.some((event) => event.type === 'answer-end')
}

/** A caller who is told an answer in our words is told what the ledger has of it, if need be an estimate. */
function withUsage(step: Step, usage: Usage | undefined): Step {
  if (usage === undefined || step.said !== undefined) return step
  const note = { type: 'note', field: 'answer.usage', what: 'estimated' } as const
  return { ...step, means: [{ type: 'usage', usage }, note, ...step.means] }
}

function unended(): GatewayError {
  return new GatewayError('upstream-lost', 'The upstream stopped before the end of its answer.')
}

/**
 * What an upstream sends after the end of its answer is nobody's, and nobody waits for it; but a connection that is
 * read to its end can be used again.
 */
async function drain(steps: AsyncIterator<Step>): Promise<void> {
  const rest = steps.next().then(isOver, isOver)
  // Nearly always nothing more comes, and a turn of the event loop is a cheaper wait than a timer.
  if (!(await Promise.race([rest, turn()]))) await Promise.race([rest, patience()])
  await steps.return?.()
}

const isOver = (): boolean => true

function turn(): Promise<boolean> {
  return new Promise((resolve) => {
    setImmediate(resolve, false)
  })
}

function patience(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 100).unref()
  })
}
