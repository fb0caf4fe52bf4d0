import { GatewayError } from '#chat/error.ts'
import type { StoredModel } from '#engine/files/model-store.ts'

import { errorOf, lostError, memoryDetail } from './failures.ts'
import type { LoadOptions, ModelFacts, Report } from './orders.ts'
import type { Supervisor } from './supervisor.ts'
import { unlessAborted } from './unless-aborted.ts'

export interface ResidenceOptions {
  readonly supervisor: Supervisor
  /** What holds for every model that says nothing else. */
  readonly load: LoadOptions
  /** After so long without work a model is let go, in milliseconds. */
  readonly idleMs: number
  readonly onLoaded: (model: string, facts: ModelFacts) => void
  /** Told when a load has ended, well or not. Those who waited for it may have left. */
  readonly onLoadOver: () => void
}

/** A model that is held in memory by somebody who works with it. */
export interface Lease extends Disposable {
  readonly facts: ModelFacts
}

/** A model in memory. */
export interface Present {
  readonly model: StoredModel
  readonly facts: ModelFacts
}

interface Resident extends Present {
  /** How many work with it. */
  uses: number
  idleSince: number
  timer: ReturnType<typeof setTimeout> | undefined
}

/** How a load ended. */
type LoadReport = Extract<Report, { type: 'loaded' | 'failed' }>

/** What a model that ended the process while it was loaded has done. */
interface Offence {
  times: number
  at: number
}

/** A model that ended the process twice in a row is not tried for this long. */
const bannedMs = 5 * 60_000
const mostOffences = 2

/**
 * Which models are in the child's memory. They come when somebody needs them, one at a time, and go when nobody has
 * for a while or when another needs their place.
 */
export class Residence {
  readonly #options: ResidenceOptions
  readonly #residents = new Map<string, Resident>()
  readonly #loading = new Map<string, Promise<Resident>>()
  readonly #offences = new Map<string, Offence>()
  /** Resolves when the load before has ended, well or not. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: ResidenceOptions) {
    this.#options = options
  }

  get loaded(): readonly Present[] {
    return [...this.#residents.values()]
  }

  /** A model that is loaded. */
  present(name: string): Present | undefined {
    return this.#residents.get(name)
  }

  get loading(): readonly string[] {
    return [...this.#loading.keys()]
  }

  /** Holds a model, loading it if need be. Throws why it cannot be loaded, or the signal's reason. */
  async hold(model: StoredModel, signal: AbortSignal): Promise<Lease> {
    for (;;) {
      const present = this.#residents.get(model.name)
      if (present !== undefined) return this.#lease(model.name, present)
      const loaded = await unlessAborted(this.#load(model), signal)
      // It may have gone again in the meantime, with the child or for another's sake.
      if (this.#residents.get(model.name) === loaded) return this.#lease(model.name, loaded)
    }
  }

  /** Lets go of a model now. Returns whether it was there. Throws `engine-busy` while somebody works with it. */
  async unload(name: string): Promise<boolean> {
    await this.#loading.get(name)?.catch(() => undefined)
    const resident = this.#residents.get(name)
    if (resident === undefined) return false
    if (resident.uses > 0) {
      throw new GatewayError(
        'engine-busy',
        `\`${name}\` has ${resident.uses} answers under way. Unload it when they are done.`,
        { retryAfter: 5 },
      )
    }
    await this.#release(name)
    return true
  }

  /** The child has ended, and everything with it. */
  clear(): void {
    for (const { timer } of this.#residents.values()) clearTimeout(timer)
    this.#residents.clear()
  }

  #lease(name: string, resident: Resident): Lease {
    resident.uses++
    clearTimeout(resident.timer)
    let isOver = false
    return {
      facts: resident.facts,
      [Symbol.dispose]: () => {
        if (isOver) return
        isOver = true
        resident.uses--
        this.#rest(name, resident)
      },
    }
  }

  #rest(name: string, resident: Resident): void {
    if (resident.uses > 0 || this.#residents.get(name) !== resident) return
    resident.idleSince = performance.now()
    resident.timer = setTimeout(() => void this.#release(name), this.#options.idleMs)
    resident.timer.unref()
  }

  #load(model: StoredModel): Promise<Resident> {
    const known = this.#loading.get(model.name)
    if (known !== undefined) return known
    const loading = this.#turn.then(() => this.#loadNow(model))
    this.#turn = loading.catch(() => undefined)
    this.#loading.set(model.name, loading)
    // Everybody who waits for it may have left.
    void this.#turn.then(() => {
      this.#loading.delete(model.name)
      this.#options.onLoadOver()
    })
    return loading
  }

  async #loadNow(model: StoredModel): Promise<Resident> {
    this.#refuseOffender(model.name)
    for (;;) {
      const report = await this.#ask(model)
      if (report.type === 'loaded') return this.#welcome(model, report.facts)
      // The detail is for us. A protocol would tell its caller as the error's code.
      const { detail, ...told } = report.failure
      if (detail !== memoryDetail || !(await this.#expelLongestIdle())) throw errorOf(told)
    }
  }

  #welcome(model: StoredModel, facts: ModelFacts): Resident {
    const { name } = model
    const resident: Resident = { model, facts, uses: 0, idleSince: 0, timer: undefined }
    this.#offences.delete(name)
    this.#residents.set(name, resident)
    this.#rest(name, resident)
    this.#options.onLoaded(name, facts)
    return resident
  }

  async #ask(model: StoredModel): Promise<LoadReport> {
    const { supervisor, load } = this.#options
    await started(supervisor)
    const { promise, resolve, reject } = Promise.withResolvers<LoadReport>()
    const id = supervisor.newId()
    const options = { ...load, ...model.options }
    supervisor.give(
      { type: 'load', id, model: model.name, file: model.file, options },
      {
        hear: (report: Report) => {
          if (report.type !== 'loaded' && report.type !== 'failed') return
          supervisor.forget(id)
          resolve(report)
        },
        lose: (how) => {
          this.#offend(model.name)
          reject(lostError(how, false))
        },
      },
    )
    return promise
  }

  async #expelLongestIdle(): Promise<boolean> {
    const idle = [...this.#residents].filter(([, { uses }]) => uses === 0)
    const longest = idle.toSorted(([, a], [, b]) => a.idleSince - b.idleSince)[0]
    if (longest === undefined) return false
    await this.#expel(longest[0])
    return true
  }

  /** Lets go of a model, and lets the next load wait until it has gone. */
  #release(name: string): Promise<void> {
    const gone = this.#expel(name)
    this.#turn = Promise.all([this.#turn, gone])
    return gone
  }

  /** Resolves when the child has let go of it. */
  async #expel(name: string): Promise<void> {
    const resident = this.#residents.get(name)
    if (resident === undefined) return
    clearTimeout(resident.timer)
    this.#residents.delete(name)
    const { supervisor } = this.#options
    const { promise, resolve } = Promise.withResolvers<void>()
    const id = supervisor.newId()
    const done = (): void => {
      supervisor.forget(id)
      resolve()
    }
    supervisor.give({ type: 'unload', id, model: name }, { hear: done, lose: done })
    await promise
  }

  #offend(name: string): void {
    const times = (this.#offences.get(name)?.times ?? 0) + 1
    this.#offences.set(name, { times, at: performance.now() })
  }

  #refuseOffender(name: string): void {
    const offence = this.#offences.get(name)
    if (offence === undefined || offence.times < mostOffences) return
    const leftMs = offence.at + bannedMs - performance.now()
    if (leftMs <= 0) {
      this.#offences.delete(name)
      return
    }
    throw new GatewayError(
      'upstream-failed',
      `Loading \`${name}\` ended the engine's process ${offence.times} times in a row. It is tried again in ${Math.ceil(leftMs / 60_000)} min. Its file may be damaged, or this llama.cpp does not know its kind: fetch it again, or use another.`,
      { retryAfter: Math.ceil(leftMs / 1000) },
    )
  }
}

async function started(supervisor: Supervisor): Promise<void> {
  try {
    await supervisor.start()
  } catch (cause) {
    throw new GatewayError(
      'upstream-failed',
      `The engine's process does not start. ${cause instanceof Error ? cause.message : ''}`.trim(),
      { cause, retryAfter: 1 },
    )
  }
}
