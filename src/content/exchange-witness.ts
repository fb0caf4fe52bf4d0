import { GatewayError } from '#chat/error.ts'
import type { AnswerEnd, BlockStart, ChatEvent } from '#chat/event.ts'
import type { Step, Words } from '#chat/step.ts'
import type { TargetModel } from '#chat/target.ts'
import type { Witness, Witnessed, WitnessedAnswer } from '#chat/witness.ts'
import type { Protocol, StreamDecoder } from '#protocols/protocol.ts'
import { overlap } from '#redaction/redactor.ts'
import { isObject, parseJson } from '#std/json.ts'

import type { Captured, KeptAnswer, KeptBlock } from './kept-content.ts'

export interface WitnessOptions {
  readonly maxBytes: number
  readonly now: () => number
  readonly keep: (captured: Captured) => void
}

interface Attended {
  readonly protocol: Protocol
  readonly credentials: readonly string[]
}

type Growing = { -readonly [Member in keyof KeptBlock]: KeptBlock[Member] }

/**
 * Hears one exchange. Where the caller is given the upstream's own words, they are read here a second time, as if they
 * were to be told in another protocol: so that what is kept is what they mean.
 */
export class ExchangeWitness implements Witness {
  readonly #attended: Attended
  readonly #options: WitnessOptions
  #exchange: Witnessed | undefined
  #heard = nothingHeard()
  #vectors: KeptAnswer['vectors'] = null
  #isWhole = false
  #isOver = false

  constructor(attended: Attended, options: WitnessOptions) {
    this.#attended = attended
    this.#options = options
  }

  open(exchange: Witnessed): void {
    this.#exchange = exchange
  }

  begin({ target, words, isWhole }: WitnessedAnswer): void {
    this.#heard = nothingHeard()
    this.#isWhole = isWhole
    if (target === undefined || words === undefined) return
    this.#heard.words = { target, form: words.form, decoder: undefined, reply: undefined }
  }

  hear({ means, said }: Step): void {
    for (const event of means) if (event.type === 'answer-end') this.#heard.end = event
    const { words } = this.#heard
    if (words === undefined) this.#takeAll(means)
    else if (said !== undefined && !this.#isFull) this.#read(words, said)
  }

  vectors(vectors: readonly (readonly number[])[]): void {
    this.#vectors = { count: vectors.length, width: vectors[0]?.length ?? 0 }
  }

  end(error?: unknown): void {
    if (this.#isOver || this.#exchange === undefined) return
    this.#isOver = true
    // Whoever waits for a whole answer was told nothing of one that broke.
    if (error !== undefined && this.#isWhole) this.#heard = nothingHeard()
    const exchange = this.#exchange
    // Whoever ends an exchange has its caller waiting.
    setImmediate(() => this.#options.keep(this.#captured(exchange, error)))
  }

  #captured({ id, keyId, projectId, body }: Witnessed, error: unknown): Captured {
    this.#readReply()
    const { blocks, end, isTruncated, isUnread } = this.#heard
    return {
      exchangeId: id,
      keyId,
      projectId,
      keptAt: this.#options.now(),
      requestText: body.text,
      answer: {
        isCut: isTruncated || isUnread,
        blocks,
        end: end?.reason ?? null,
        error: error === undefined ? null : this.#toldError(error, id),
        vectors: this.#vectors,
      },
      isTruncated,
      secrets: this.#attended.credentials,
    }
  }

  #read(words: HeardWords, said: Uint8Array | string): void {
    if (words.form === 'reply') {
      words.reply = said
      return
    }
    try {
      words.decoder ??= this.#attended.protocol.decodeStream({ target: words.target, names })
      const read = typeof said === 'string' ? Buffer.from(said) : said
      for (const step of words.decoder.push(read)) this.#takeAll(step.means)
    } catch {
      // What cannot be read is not kept, and is nothing that anybody else has to know.
      this.#heard.isUnread = true
    }
  }

  #readReply(): void {
    const { words } = this.#heard
    if (words?.reply === undefined) return
    const { reply, target } = words
    if (reply.length > largestReply) {
      this.#heard.isUnread = true
      return
    }
    try {
      const text = typeof reply === 'string' ? reply : new TextDecoder().decode(reply)
      const steps = this.#attended.protocol.decodeReply(text, { target, names })
      for (const step of steps) this.#takeAll(step.means)
    } catch {
      // As above.
      this.#heard.isUnread = true
    }
  }

  get #isFull(): boolean {
    return this.#heard.isTruncated || this.#heard.isUnread
  }

  #takeAll(events: readonly ChatEvent[]): void {
    for (const event of events) this.#take(event)
  }

  #take(event: ChatEvent): void {
    const heard = this.#heard
    if (heard.isTruncated) return
    if (event.type === 'block-start') heard.blocks.push(blockOf(event.block))
    else if (event.type === 'block-delta') {
      const block = heard.blocks.at(-1)
      if (block !== undefined) block.text += event.text
      heard.length += event.text.length
      heard.isTruncated = heard.length > this.#options.maxBytes + overlap
    } else if (event.type === 'answer-end') heard.end = event
    // Of several answers, the first is the one that is kept.
    else if (event.type === 'note' && event.field === 'answer.choices') heard.isUnread = true
  }

  /** What the caller reads of an error, in its own protocol. Whoever has left is told nothing. */
  #toldError(error: unknown, id: string): KeptAnswer['error'] {
    const failure = GatewayError.from(error)
    if (failure.code === 'client-gone') return null
    const told = parseJson(this.#attended.protocol.encodeError(failure, id))
    const body = told.ok && isObject(told.value) ? told.value['error'] : undefined
    const message = isObject(body) ? body['message'] : undefined
    return {
      code: failure.code,
      message: typeof message === 'string' ? message : failure.message,
    }
  }
}

/** What was heard of an answer. */
interface Heard {
  readonly blocks: Growing[]
  /** Characters of all blocks. */
  length: number
  /** The rest is too much. */
  isTruncated: boolean
  /** Something of it cannot be read, or has no place here. */
  isUnread: boolean
  end: AnswerEnd | undefined
  words: HeardWords | undefined
}

/** The upstream's own words, that go on to the caller. */
interface HeardWords {
  readonly target: TargetModel
  readonly form: Words['form']
  decoder: StreamDecoder | undefined
  /** The whole of a reply. */
  reply: Uint8Array | string | undefined
}

/** A larger one has more of other things than of text. */
const largestReply = 8 * 1024 * 1024

/** Tools have their own names where words go on as they are. */
const names: ReadonlyMap<string, string> = new Map()

function nothingHeard(): Heard {
  return {
    blocks: [],
    length: 0,
    isTruncated: false,
    isUnread: false,
    end: undefined,
    words: undefined,
  }
}

function blockOf(start: BlockStart): Growing {
  if (start.type === 'call') return { type: 'call', text: '', name: start.name, id: start.id }
  if (start.type === 'other') return { type: 'other', text: start.raw, name: start.kind, id: null }
  return { type: start.type, text: '', name: null, id: null }
}
