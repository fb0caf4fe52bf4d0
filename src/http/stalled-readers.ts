/** A reader of a stream that takes nothing of it. */
export interface StalledReader {
  /** Ends its connection. */
  cut(): void
}

/**
 * The readers that take nothing any more. For each of them the runtime holds a few megabytes that its upstream said
 * meanwhile, and nobody else can bound that; so there may be only so many, and beyond it whoever has stood still for
 * longest goes.
 */
export class StalledReaders {
  /** In the order in which they came to a stand. */
  readonly #readers = new Set<StalledReader>()

  get count(): number {
    return this.#readers.size
  }

  /** It has come to a stand, and there may be so many of them. */
  add(reader: StalledReader, most: number): void {
    this.#readers.add(reader)
    for (const longest of this.#readers) {
      if (this.#readers.size <= most) return
      this.#readers.delete(longest)
      longest.cut()
    }
  }

  /** It goes on, or has ended. */
  remove(reader: StalledReader): void {
    this.#readers.delete(reader)
  }
}
