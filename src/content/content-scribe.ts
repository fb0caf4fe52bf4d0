import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'

import { Redactor } from '#redaction/redactor.ts'
import { parseJson } from '#std/json.ts'
import { StorageError } from '#storage/storage-error.ts'

import type { ContentSettings } from './content-settings.ts'
import { type ContentRow, ContentStore } from './content-store.ts'
import { keptAnswer } from './kept-answer.ts'
import type { Captured, ContentOf, KeptContent } from './kept-content.ts'
import { keptValue } from './kept-value.ts'

/** The last room on a disk is the ledger's. */
const roomForOthers = 256 * 1024 * 1024

export interface ContentScribeOptions {
  readonly file: string
  readonly settings: ContentSettings
  /** How many bytes have to be free on the disk for anything to be kept. */
  readonly leastFreeBytes?: number
}

/** Takes out of what was said what nobody is to keep, and writes down the rest. */
export class ContentScribe implements Disposable {
  readonly #file: string
  readonly #leastFreeBytes: number
  #settings: ContentSettings
  #redactor: Redactor
  #store: ContentStore | undefined

  constructor({ file, settings, leastFreeBytes = roomForOthers }: ContentScribeOptions) {
    this.#file = file
    this.#leastFreeBytes = leastFreeBytes
    this.#settings = settings
    this.#redactor = new Redactor(settings)
  }

  configure(settings: ContentSettings): void {
    this.#settings = settings
    this.#redactor = new Redactor(settings)
  }

  /** Writes all of it in one transaction. Throws `StorageError`, having written nothing. */
  keep(captured: readonly Captured[]): void {
    this.#store ??= ContentStore.open(this.#file)
    const { bavail, bsize } = statfsSync(dirname(this.#file))
    if (bavail * bsize < this.#leastFreeBytes)
      throw new StorageError(
        'full',
        `There is too little room on the disk of ${this.#file} to keep content.`,
      )
    this.#store.add(captured.map((one) => this.#rowOf(one)))
  }

  /** Returns of how many exchanges there was something. Throws `StorageError`. */
  erase(whose: ContentOf): number {
    this.#store ??= ContentStore.ifAny(this.#file)
    return this.#store?.erase(whose) ?? 0
  }

  [Symbol.dispose](): void {
    this.#store?.[Symbol.dispose]()
    this.#store = undefined
  }

  #rowOf(captured: Captured): ContentRow {
    const { exchangeId, keyId, projectId, keptAt, requestText, secrets } = captured
    const keeping = { redaction: this.#redactor.begin(secrets), maxBytes: this.#settings.maxBytes }
    // It was parsed once before, or there would be no exchange.
    const parsed = parseJson(requestText)
    const body = keptValue(parsed.ok ? parsed.value : null, keeping)
    const request = { bytes: Buffer.byteLength(requestText), isCut: body.isCut, body: body.value }
    const answer = keptAnswer(captured, keeping)
    const redacted = [...keeping.redaction.counts].map(([rule, count]) => ({ rule, count }))
    const content: KeptContent = { keptAt, request, answer, redacted }
    return {
      exchangeId,
      keyId,
      projectId,
      keptAt,
      requestBytes: jsonBytes(request.body),
      answerBytes: jsonBytes(answer.blocks),
      isCut: request.isCut || answer.isCut,
      content: JSON.stringify(content),
    }
  }
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
