import type { ChatEvent } from '#chat/event.ts'
import type { Step } from '#chat/step.ts'
import type { Generation } from '#engine/generation.ts'

export interface EngineStepsOptions {
  readonly generation: Generation
  /** The name of the model that answers. */
  readonly model: string
  /** Called when nothing more will come, more than once if need be. */
  readonly onOver: () => void
}

/** The steps of an answer of the engine: what it means, and no words. The end comes in a step of its own. */
export class EngineSteps implements AsyncIterableIterator<Step> {
  readonly #options: EngineStepsOptions
  /** The end, once the step before it was given out. */
  #end: Step | undefined

  constructor(options: EngineStepsOptions) {
    this.#options = options
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Step>> {
    const end = this.#end
    if (end === undefined) return this.#options.generation.next().then(this.#take, this.#fail)
    this.#end = undefined
    return Promise.resolve({ done: false, value: end })
  }

  async return(): Promise<IteratorResult<Step>> {
    this.#end = undefined
    this.#options.onOver()
    await this.#options.generation.return()
    return { done: true, value: undefined }
  }

  readonly #take = (result: IteratorResult<readonly ChatEvent[]>): IteratorResult<Step> => {
    if (result.done === true) {
      this.#options.onOver()
      return { done: true, value: undefined }
    }
    const means = this.#named(result.value)
    const end = means.at(-1)
    if (end?.type !== 'answer-end') return { done: false, value: { means } }
    this.#options.onOver()
    if (means.length === 1) return { done: false, value: { means } }
    this.#end = { means: [end] }
    return { done: false, value: { means: means.slice(0, -1) } }
  }

  readonly #fail = (error: unknown): never => {
    this.#options.onOver()
    throw error
  }

  /** An answer says which model gives it. */
  #named(events: readonly ChatEvent[]): readonly ChatEvent[] {
    const [first, ...rest] = events
    return first?.type === 'answer-start'
      ? [{ model: this.#options.model, ...first }, ...rest]
      : events
  }
}
