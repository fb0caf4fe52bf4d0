import type { Step } from '#chat/step.ts'
import type { Usage } from '#chat/usage.ts'

import type { Metering } from './meter.ts'

/**
 * The meter of an answer that nobody is told of before it is whole. If it breaks, the account stays open: another target
 * may give an answer yet, and whoever asks the targets closes the account when none of them does.
 */
export class UnlessBroken implements Metering {
  readonly #account: Metering
  readonly #onWhole: () => void

  /** `onWhole` is called just before the account is closed. */
  constructor(account: Metering, onWhole: () => void) {
    this.#account = account
    this.#onWhole = onWhole
  }

  hear(step: Step): void {
    this.#account.hear(step)
  }

  async close(result: string): Promise<void> {
    if (!isWhole(result)) return
    this.#onWhole()
    await this.#account.close(result)
  }

  get estimate(): Usage | undefined {
    return this.#account.estimate
  }
}

/** One that was ended where its budget ends is as whole as it gets. */
function isWhole(result: string): boolean {
  return result === 'complete' || result === 'budget-stop'
}
