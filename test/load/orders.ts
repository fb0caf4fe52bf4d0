/** How an upstream is to answer, said in the model's name, so that the gateway passes it on: `events-every-bytes-manner`. */
export interface Manner {
  readonly events: number
  /** Milliseconds between two events; 0 for as fast as they are taken. */
  readonly everyMs: number
  /** Bytes of text in an event, beside the time at which it was written. */
  readonly bytes: number
  /** `cut`: a reset in the middle. `fail`: a 500. `silent`: the end without its terminator. */
  readonly fault: 'none' | 'cut' | 'fail' | 'silent'
}

export function modelOf({ events, everyMs, bytes, fault }: Manner): string {
  return `${events}-${everyMs}-${bytes}-${fault}`
}

export function mannerOf(model: string): Manner {
  const [events, everyMs, bytes, fault] = model.split('-')
  const known = (['cut', 'fail', 'silent'] as const).find((one) => one === fault)
  return {
    events: Number(events),
    everyMs: Number(everyMs),
    bytes: Number(bytes),
    fault: known ?? 'none',
  }
}

/** What the process of the clients is asked to do. */
export type Order =
  | {
      readonly type: 'streams'
      readonly id: number
      readonly count: number
      /** Over how long they are opened. */
      readonly rampMs: number
      readonly manner: Manner
      /** The share of callers who speak the messages protocol, so that their stream is translated. */
      readonly translated: number
      /** The share of callers who leave in the middle. */
      readonly leaving?: number
      /** Asks the upstream itself, past the gateway: what the machine alone does to a stream. */
      readonly direct?: boolean
    }
  | {
      readonly type: 'attack'
      readonly id: number
      readonly kind: AttackKind
      readonly count: number
    }
  /** Counts delays from here on, until the first stream ends. */
  | { readonly type: 'measure'; readonly id: number }
  /** Lets go of everything of an order, and reports at once. */
  | { readonly type: 'stop'; readonly id: number }

/** `headers`: a header every two seconds. `body`: a byte a second. `reader`: asks for a fast stream and reads nothing. */
export type AttackKind = 'headers' | 'body' | 'reader'

export interface Setup {
  readonly type: 'setup'
  readonly port: number
  readonly upstreamPort: number
  readonly key: string
}

/** What the clients say of an order. */
export type Report =
  | { readonly type: 'progress'; readonly id: number; readonly open: number }
  | { readonly type: 'streams-end'; readonly id: number; readonly tally: Tally }
  | { readonly type: 'attack-end'; readonly id: number; readonly tally: AttackTally }

export interface Tally {
  readonly whole: number
  /** Refused before the stream with a 503 that says when to come again. */
  readonly refused: number
  /** Ended without its terminator, after these words: how many. */
  readonly broken: Readonly<Record<string, number>>
  readonly left: number
  readonly events: number
  /** From the write of an event to its arrival. */
  readonly delayMs: { readonly p50: number; readonly p99: number; readonly max: number }
  /** The most streams that were open at once. */
  readonly peak: number
}

export interface AttackTally {
  readonly cut: number
  readonly stillOpen: number
  /** How long it took until each of them was cut, in milliseconds. */
  readonly cutMs: { readonly p50: number; readonly max: number }
}

const originMs = performance.timeOrigin

/** Milliseconds on the clock that all processes of this machine share. */
export function sharedNow(): number {
  return originMs + performance.now()
}

/** Numbers by how often they came, in steps of 0.5 up to 30,000. */
export class Histogram {
  #counts = new Uint32Array(60_001)
  #total = 0
  #max = 0

  add(value: number): void {
    const step = Math.min(60_000, Math.max(0, Math.round(value * 2)))
    this.#counts[step] = (this.#counts[step] ?? 0) + 1
    this.#total += 1
    this.#max = Math.max(this.#max, value)
  }

  clear(): void {
    this.#counts = new Uint32Array(60_001)
    this.#total = 0
    this.#max = 0
  }

  get total(): number {
    return this.#total
  }

  get max(): number {
    return this.#max
  }

  /** The number that this share of all numbers does not exceed. */
  at(share: number): number {
    let left = this.#total * share
    for (const [step, count] of this.#counts.entries()) {
      left -= count
      if (left <= 0) return step / 2
    }
    return this.#max
  }
}
