import { rmSync, writeFileSync } from 'node:fs'

/**
 * Room on the disk that is taken in good time, so that when the disk is full, what has ended can still be written down:
 * a file of a mebibyte that nobody reads.
 */
export class DiskReserve implements Disposable {
  readonly #file: string
  #isHeld = false

  constructor(file: string) {
    this.#file = file
    this.hold()
  }

  /** Whether the room is there: it is taken now if it can be. */
  hold(): boolean {
    if (this.#isHeld) return true
    try {
      writeFileSync(this.#file, filler, { mode: 0o600 })
      this.#isHeld = true
    } catch {
      // A disk without this much room is what the reserve is for; the part that was written must not fill it further.
      this.#remove()
    }
    return this.#isHeld
  }

  /** Gives the room to whoever writes next. Whether there was any to give. */
  release(): boolean {
    const wasHeld = this.#isHeld
    this.#remove()
    return wasHeld
  }

  [Symbol.dispose](): void {
    this.#remove()
  }

  #remove(): void {
    this.#isHeld = false
    rmSync(this.#file, { force: true })
  }
}

const filler = Buffer.alloc(1024 * 1024, 'reserved ')
