import { closeSync, openSync } from 'node:fs'

/** A terminal and npm both pass one Ctrl-C on: what comes so soon after the first is still the same request. */
const sameRequestMs = 500

/** Which signals the process was sent: from the start of it to its very end, so that none ends it in the middle. */
export class Signals {
  /** Resolves when the process is asked to stop. */
  readonly asked: Promise<void>
  /** Resolves when it is asked again, by somebody who does not want to wait. */
  readonly urged: Promise<void>
  /** Called when the config is to be read again. */
  onReload: () => void = () => {}
  readonly #ask: () => void
  readonly #urge: () => void
  readonly #hadTerminal = process.stdin.isTTY
  #askedAt: number | undefined

  constructor() {
    const asked = Promise.withResolvers<void>()
    const urged = Promise.withResolvers<void>()
    this.asked = asked.promise
    this.urged = urged.promise
    this.#ask = asked.resolve
    this.#urge = urged.resolve
    process.on('SIGINT', this.#stop).on('SIGTERM', this.#stop).on('SIGHUP', this.#hangUp)
  }

  readonly #stop = (): void => {
    const now = performance.now()
    if (this.#askedAt === undefined) this.#ask()
    else if (now - this.#askedAt > sameRequestMs) this.#urge()
    this.#askedAt ??= now
  }

  /** A terminal that is closed sends the same signal as somebody who asks for a reload. */
  readonly #hangUp = (): void => {
    if (this.#hadTerminal && !hasTerminal()) this.#stop()
    else this.onReload()
  }
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    // There is none any more.
    return false
  }
}
