/** How long a start may take before it says what it is doing. */
const silentMs = 1000

/** Says what takes so long, once it does: a quick start says nothing. */
export class Patience implements Disposable {
  readonly #say: (text: string) => void
  readonly #timer: ReturnType<typeof setTimeout>
  #isLong = false
  #doing = ''

  constructor(say: (text: string) => void) {
    this.#say = say
    this.#timer = setTimeout(() => {
      this.#isLong = true
      this.#tell()
    }, silentMs)
  }

  /** Names what is being done from now on, as in "opening the database". */
  doing(what: string): void {
    this.#doing = what
    if (this.#isLong) this.#tell()
  }

  /** Says nothing any more. */
  end(): void {
    clearTimeout(this.#timer)
  }

  [Symbol.dispose](): void {
    this.end()
  }

  #tell(): void {
    if (this.#doing !== '') this.#say(`Still ${this.#doing} …`)
  }
}
