import type { ModelCard } from '#chat/model-card.ts'
import type { Upstream } from '#upstreams/upstream.ts'

export interface CatalogueOptions {
  readonly upstreams: readonly Upstream[]
  /** The names of the config, which come first. */
  readonly aliases: readonly string[]
  /** How long a list counts as fresh, in milliseconds. */
  readonly freshMs?: number
  /** How long to wait for an upstream that has never listed its models, in milliseconds. */
  readonly firstWaitMs?: number
  /** Unix milliseconds or any other clock that only goes forward. */
  readonly now?: () => number
}

const usualFreshMs = 60_000
const usualFirstWaitMs = 1500
/** An upstream that failed to list its models is asked again after this. */
const retryMs = 5000
/** Asking goes on behind the scenes for so long. */
const giveUpMs = 20_000

/**
 * Which models there are: what every upstream lists, remembered and asked again behind the scenes. Only the very
 * first question waits, and not long; a dead upstream costs nobody anything after it.
 */
export class Catalogue {
  readonly #aliases: readonly string[]
  readonly #shelves: readonly Shelf[]
  readonly #firstWaitMs: number
  readonly #closing = new AbortController()

  constructor(options: CatalogueOptions) {
    const freshMs = options.freshMs ?? usualFreshMs
    const now = options.now ?? (() => performance.now())
    this.#aliases = options.aliases
    this.#firstWaitMs = options.firstWaitMs ?? usualFirstWaitMs
    this.#shelves = options.upstreams.map(
      (upstream) => new Shelf({ upstream, freshMs, now, closing: this.#closing.signal }),
    )
  }

  /** Asks every upstream that is due, without waiting for any. */
  refresh(): void {
    for (const shelf of this.#shelves) shelf.refresh()
  }

  /**
   * Every model that can be asked for: the names of the config, then each listed model once by its plain name. One
   * that would be taken for something else by its plain name is listed as `upstream/model`.
   */
  async list(): Promise<readonly ModelCard[]> {
    await this.#settled()
    const cards = new Map<string, ModelCard>()
    for (const id of this.#aliases) cards.set(id, { id, upstream: 'parley' })
    for (const shelf of this.#shelves) {
      for (const card of shelf.cards.values()) {
        const id = this.#isAddress(card.id) ? `${card.upstream}/${card.id}` : card.id
        if (!cards.has(id)) cards.set(id, { ...card, id })
      }
    }
    return [...cards.values()]
  }

  /** One model, by its plain name or as `upstream/model`. */
  async find(id: string): Promise<ModelCard | undefined> {
    const listed = (await this.list()).find((card) => card.id === id)
    if (listed !== undefined) return listed
    const [shelf, model] = this.#addressed(id)
    const card = shelf?.cards.get(model)
    return card && { ...card, id }
  }

  /** The upstreams that list a model by this name, in the order of the config. Waits only if none is known yet. */
  async listing(model: string): Promise<readonly Upstream[]> {
    const known = this.#having(model)
    if (known.length > 0) {
      this.refresh()
      return known
    }
    await this.#settled()
    if (this.#having(model).length === 0) await this.#lookAgain()
    return this.#having(model)
  }

  /** Whether an upstream lists a model; undefined if it lists nothing, so that nothing can be said. */
  lists(upstream: Upstream, model: string): boolean | undefined {
    const shelf = this.#shelves.find((one) => one.upstream === upstream)
    if (shelf === undefined || shelf.cards.size === 0) return undefined
    return shelf.cards.has(model)
  }

  /** Whether an upstream was last known to list a model by this name. Asks nobody. */
  knows(model: string): boolean {
    return this.#shelves.some(({ cards }) => cards.has(model))
  }

  /** Whether the upstream of this name was. Asks nobody. */
  has(name: string, model: string): boolean {
    return this.#shelves.some(({ upstream, cards }) => upstream.name === name && cards.has(model))
  }

  /** Stops asking. */
  close(): void {
    this.#closing.abort()
  }

  #having(model: string): readonly Upstream[] {
    return this.#shelves.filter(({ cards }) => cards.has(model)).map(({ upstream }) => upstream)
  }

  #isAddress(id: string): boolean {
    return this.#addressed(id)[0] !== undefined || this.#aliases.includes(id)
  }

  #addressed(id: string): readonly [Shelf | undefined, string] {
    const slash = id.indexOf('/')
    const name = id.slice(0, Math.max(0, slash))
    return [this.#shelves.find(({ upstream }) => upstream.name === name), id.slice(slash + 1)]
  }

  /** Resolves when every upstream has been asked once, or has had its time. */
  async #settled(): Promise<void> {
    for (const shelf of this.#shelves) shelf.refresh()
    await this.#wait(this.#shelves.filter(({ isNew }) => isNew))
  }

  /** A model may have been added since: those that listed something are asked again, if that is a while ago. */
  async #lookAgain(): Promise<void> {
    const listing = this.#shelves.filter(({ cards }) => cards.size > 0)
    for (const shelf of listing) shelf.refresh(retryMs)
    await this.#wait(listing)
  }

  async #wait(shelves: readonly Shelf[]): Promise<void> {
    const asking = shelves.flatMap((shelf) => shelf.asking ?? [])
    if (asking.length === 0) return
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, this.#firstWaitMs)
    await Promise.race([Promise.all(asking), over])
    clearTimeout(timer)
    // Whoever is late has had its one chance to be waited for.
    for (const shelf of shelves) shelf.isNew = false
  }
}

interface ShelfOptions {
  readonly upstream: Upstream
  readonly freshMs: number
  readonly now: () => number
  readonly closing: AbortSignal
}

/** What one upstream was last known to list. */
class Shelf {
  readonly upstream: Upstream
  cards: ReadonlyMap<string, ModelCard> = new Map()
  /** Whether its first list is still worth waiting for. */
  isNew = true
  /** The question that is under way. */
  asking: Promise<void> | undefined
  readonly #options: ShelfOptions
  #askedAt = Number.NEGATIVE_INFINITY
  #freshMs: number

  constructor(options: ShelfOptions) {
    this.#options = options
    this.upstream = options.upstream
    this.#freshMs = options.freshMs
  }

  /** Asks, if the last answer is older than it may be. */
  refresh(oldestMs = this.#freshMs): void {
    const now = this.#options.now()
    if (this.asking !== undefined || now - this.#askedAt < oldestMs) return
    this.#askedAt = now
    this.asking = this.#ask().finally(() => {
      this.asking = undefined
      this.isNew = false
    })
  }

  async #ask(): Promise<void> {
    const { upstream, freshMs, closing } = this.#options
    try {
      const signal = AbortSignal.any([closing, AbortSignal.timeout(giveUpMs)])
      const cards = await upstream.listModels(signal)
      this.cards = new Map(cards.map((card) => [card.id, card]))
      this.#freshMs = freshMs
    } catch {
      // What was known stays known; that an upstream is down shows when it is asked for an answer.
      this.#freshMs = Math.min(freshMs, retryMs)
    }
  }
}
