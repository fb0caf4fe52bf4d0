import { join } from 'node:path'

import type { Conversation } from '#chat/conversation.ts'
import type { EmbeddingInput } from '#chat/embedding.ts'
import { GatewayError } from '#chat/error.ts'
import type { ModelStore, StoredModel } from '#engine/files/model-store.ts'

import { assign } from './assignment.ts'
import { errorOf, lostError } from './failures.ts'
import { FairQueue } from './fair-queue.ts'
import type { Generation } from './generation.ts'
import type { LoadOptions, ModelFacts, Order, Report } from './orders.ts'
import { Residence } from './residence.ts'
import { Supervisor, type SupervisorStatus } from './supervisor.ts'

export interface EngineOptions {
  readonly store: ModelStore
  /** The program of the child, with its arguments; the engine's own unless given. */
  readonly command?: readonly string[] | undefined
  /** All that the child sees of the environment. */
  readonly environment: Readonly<Record<string, string>>
  /** How models are loaded that say nothing else. */
  readonly load: LoadOptions & { readonly sequences: number }
  /** How many callers may wait for an answer of one model. */
  readonly queue: number
  /** After so long without work a model is unloaded, in milliseconds. */
  readonly idleMs: number
  /** How long a child that owes something may be silent, in milliseconds. */
  readonly patienceMs?: number | undefined
  /** The wait before the second start of a child that failed, in milliseconds; it doubles with each further one. */
  readonly backOffMs?: number | undefined
  /** Told what an operator should know: a message, and what it is about. */
  readonly report: (message: string, facts: Readonly<Record<string, unknown>>) => void
}

/** Who asks, and of which model. */
export interface Asker {
  readonly model: string
  readonly signal: AbortSignal
  readonly keyId?: string | undefined
}

export interface EmbeddingWork extends Asker {
  readonly inputs: readonly EmbeddingInput[]
  readonly dimensions?: number | undefined
}

export interface Embedded {
  readonly vectors: readonly Float32Array[]
  readonly tokens: number
  readonly waitedMs: number
}

export interface EngineStatus extends SupervisorStatus {
  readonly models: readonly {
    readonly name: string
    readonly state: 'loaded' | 'loading'
    readonly facts?: ModelFacts
    readonly working: number
    readonly waiting: number
  }[]
}

type AskOrder = Extract<Order, { type: 'embed' | 'count' }>

/**
 * Local models, in a process of their own: a crash of native code is an error for those who wait for it, and a new
 * process for those who come after. Nothing is started before somebody asks.
 */
export class Engine implements AsyncDisposable {
  readonly store: ModelStore
  readonly #options: EngineOptions
  readonly #supervisor: Supervisor
  readonly #residence: Residence
  readonly #queues = new Map<string, FairQueue>()
  #isRetired = false
  /** How many have come with work and not been served in full. */
  #underWay = 0

  constructor(options: EngineOptions) {
    this.#options = options
    this.store = options.store
    this.#supervisor = new Supervisor({
      command: options.command ?? [runtime(), childProgram],
      environment: options.environment,
      patienceMs: options.patienceMs,
      backOffMs: options.backOffMs,
      onLoss: (how, lastWords) => this.#lost(how, lastWords),
    })
    this.#residence = new Residence({
      supervisor: this.#supervisor,
      load: options.load,
      idleMs: options.idleMs,
      onLoaded: (model, { sequences }) => (this.#queueOf(model).slots = sequences),
      onLoadOver: () => this.#endIfUnneeded(),
    })
  }

  /**
   * Begins an answer: resolves when the work is with the child. Throws `model-unknown`, `engine-busy`, why the model
   * cannot be loaded, or the signal's reason.
   */
  async generate(asker: Asker, conversation: Conversation): Promise<Generation> {
    const { model, signal } = asker
    const place = await this.#enter(asker)
    if (place.facts.kind !== 'chat') {
      place[Symbol.dispose]()
      throw wrongKind(model, 'embeds texts and answers nothing')
    }
    const onOver = (): void => place[Symbol.dispose]()
    const { waitedMs } = place
    return assign(this.#supervisor, { model, conversation, signal, waitedMs, onOver })
  }

  /** Vectors of texts. Throws as `generate` does. */
  async embed({ inputs, dimensions, ...asker }: EmbeddingWork): Promise<Embedded> {
    using place = await this.#enter(asker)
    if (place.facts.kind !== 'embedding')
      throw wrongKind(asker.model, 'answers chats and embeds nothing')
    const order = {
      type: 'embed',
      id: this.#supervisor.newId(),
      model: asker.model,
      inputs,
      ...(dimensions !== undefined && { dimensions }),
    } as const
    const report = await this.#ask(order, asker.signal)
    if (report.type !== 'embedded') throw unexpected(report)
    return { vectors: report.vectors, tokens: report.tokens, waitedMs: place.waitedMs }
  }

  /** How many tokens a conversation has as a prompt. Waits for nobody's answers. Throws as `generate` does. */
  async count({ model, signal }: Asker, conversation: Conversation): Promise<number> {
    using _work = this.#begin()
    using _lease = await this.#residence.hold(await this.#stored(model), signal)
    const id = this.#supervisor.newId()
    const report = await this.#ask({ type: 'count', id, model, conversation }, signal)
    if (report.type !== 'counted') throw unexpected(report)
    return report.tokens
  }

  /** How models are loaded that say nothing else, and how many callers may wait for an answer of each. */
  get usual(): Pick<EngineOptions, 'load' | 'queue'> {
    return this.#options
  }

  /** What is known of a model that is loaded. */
  facts(model: string): ModelFacts | undefined {
    return this.#residence.present(model)?.facts
  }

  /** Loads a model that will be needed. Throws `model-unknown`, or why it cannot be loaded. */
  async load(model: string, signal: AbortSignal): Promise<ModelFacts> {
    using _work = this.#begin()
    using lease = await this.#residence.hold(await this.#stored(model), signal)
    return lease.facts
  }

  /** Unloads a model. Returns whether it was loaded. Throws `engine-busy` while it answers. */
  unload(model: string): Promise<boolean> {
    return this.#residence.unload(model)
  }

  status(): EngineStatus {
    const loaded = this.#residence.loaded.map(({ model: { name }, facts }) => ({
      name,
      state: 'loaded' as const,
      facts,
      ...this.#crowd(name),
    }))
    const loading = this.#residence.loading.map((name) => ({
      name,
      state: 'loading' as const,
      ...this.#crowd(name),
    }))
    return { ...this.#supervisor.status, models: [...loaded, ...loading] }
  }

  /**
   * For an engine that another one has replaced: ends the child as soon as nobody has work for it. Whoever comes late,
   * from an exchange that began before, is served by a child that ends after it.
   */
  retire(): void {
    this.#isRetired = true
    this.#endIfUnneeded()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#residence.clear()
    await this.#supervisor[Symbol.asyncDispose]()
  }

  /** A place among those who work, with the model loaded. */
  async #enter({ model, signal, keyId }: Asker): Promise<Place> {
    using held = new DisposableStack()
    held.use(this.#begin())
    const stored = await this.#stored(model)
    const { waitedMs } = held.use(await this.#queueOf(model).enter({ keyId, signal }))
    const { facts } = held.use(await this.#residence.hold(stored, signal))
    const kept = held.move()
    return { waitedMs, facts, [Symbol.dispose]: () => kept.dispose() }
  }

  /** Counts somebody who has come with work, until it is over. */
  #begin(): Disposable {
    this.#underWay++
    return {
      [Symbol.dispose]: () => {
        this.#underWay--
        this.#endIfUnneeded()
      },
    }
  }

  #endIfUnneeded(): void {
    if (!this.#isRetired || this.#underWay > 0) return
    this.#residence.clear()
    void this.#supervisor.end('was ended with its engine')
  }

  async #stored(name: string): Promise<StoredModel> {
    const model = this.#residence.present(name)?.model ?? (await this.store.find(name))
    if (model !== undefined) return model
    throw new GatewayError('model-unknown', `The engine has no model \`${name}\`.`, {
      param: 'model',
    })
  }

  #queueOf(model: string): FairQueue {
    const known = this.#queues.get(model)
    if (known !== undefined) return known
    const { load, queue } = this.#options
    const made = new FairQueue({ slots: load.sequences, limit: queue, name: model })
    this.#queues.set(model, made)
    return made
  }

  /** One order, one report. */
  async #ask(order: AskOrder, signal: AbortSignal): Promise<Report> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Report>()
    const leave = (): void => {
      this.#supervisor.abort(order.id)
      reject(signal.reason)
    }
    signal.addEventListener('abort', leave)
    this.#supervisor.give(order, {
      hear: (report) => {
        this.#supervisor.forget(order.id)
        if (report.type === 'failed') reject(errorOf(report.failure))
        else resolve(report)
      },
      lose: (how) => reject(lostError(how, false)),
    })
    return promise.finally(() => signal.removeEventListener('abort', leave))
  }

  #lost(how: string, lastWords: string): void {
    this.#residence.clear()
    this.#options.report(`The engine's process ${how}. It starts again when it is needed.`, {
      losses: this.#supervisor.status.losses,
      lastWords,
    })
  }

  #crowd(model: string): { readonly working: number; readonly waiting: number } {
    const queue = this.#queues.get(model)
    return { working: queue?.working ?? 0, waiting: queue?.waiting ?? 0 }
  }
}

/** Somebody's slot and hold on a model. */
interface Place extends Disposable {
  readonly facts: ModelFacts
  readonly waitedMs: number
}

const childProgram = join(import.meta.dir, 'llama', 'engine-process.ts')

/** The runtime that runs this, which runs the child too. */
function runtime(): string {
  return Bun.argv[0] ?? 'bun'
}

function wrongKind(model: string, what: string): GatewayError {
  return new GatewayError('not-expressible', `\`${model}\` ${what}. Ask for another model.`, {
    param: 'model',
  })
}

function unexpected({ type }: Report): GatewayError {
  return new GatewayError('internal', `The engine answered with \`${type}\` to another order.`)
}
