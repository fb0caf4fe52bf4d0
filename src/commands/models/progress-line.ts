import pc from 'picocolors'

import type { Outside } from '#commands/outside.ts'

const width = 24
const shownEveryMs = 100

/** How a download goes: one line that grows for a person at a terminal, a line for every tenth for everybody else. */
export class ProgressLine implements Disposable {
  readonly #outside: Pick<Outside, 'rewrite' | 'hint' | 'now'>
  readonly #startedAt: number
  #shownAt = 0
  #tenth = -1
  #file = ''
  #isOpen = false
  /** Where this run began: what an earlier one had fetched says nothing of the speed. */
  #from: number | undefined

  constructor(outside: Pick<Outside, 'rewrite' | 'hint' | 'now'>) {
    this.#outside = outside
    this.#startedAt = outside.now()
  }

  readonly show = (file: string, bytes: number, total: number | undefined): void => {
    if (file !== this.#file) [this.#file, this.#tenth] = [file, -1]
    this.#from ??= bytes
    if (this.#outside.rewrite === undefined) this.#showTenth(bytes, total)
    else this.#showLine(bytes, total)
  }

  /** Ends the line. */
  end(): void {
    if (this.#isOpen) this.#outside.rewrite?.('\n')
    this.#isOpen = false
  }

  [Symbol.dispose](): void {
    this.end()
  }

  #showTenth(bytes: number, total: number | undefined): void {
    const tenth = total === undefined ? 0 : Math.floor((10 * bytes) / total)
    if (tenth === this.#tenth) return
    this.#tenth = tenth
    this.#outside.hint(`${this.#file}  ${sizesOf(bytes, total)}`)
  }

  #showLine(bytes: number, total: number | undefined): void {
    const now = this.#outside.now()
    if (now - this.#shownAt < shownEveryMs && bytes !== total) return
    this.#shownAt = now
    this.#isOpen = true
    const seconds = (now - this.#startedAt) / 1000
    const speed = seconds > 0 ? (bytes - (this.#from ?? 0)) / seconds : 0
    this.#outside.rewrite?.(
      `\r\u001B[K${this.#file}  ${bar(bytes, total)}  ${sizesOf(bytes, total)}  ${pc.dim(`${size(speed)}/s`)}`,
    )
  }
}

function bar(bytes: number, total: number | undefined): string {
  const full = total === undefined ? 0 : Math.round((width * bytes) / Math.max(1, total))
  return pc.cyan('█'.repeat(full)) + pc.dim('░'.repeat(width - full))
}

function sizesOf(bytes: number, total: number | undefined): string {
  if (total === undefined) return size(bytes)
  return `${Math.floor((100 * bytes) / Math.max(1, total))} %  ${size(bytes)} of ${size(total)}`
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** A number of bytes as people read it. */
export function size(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const value = bytes / 1024 ** power
  return `${value.toFixed(value < 10 && power > 0 ? 1 : 0)} ${units[power]}`
}
