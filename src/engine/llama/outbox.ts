import { type ChatEvent, saysSomething } from '#chat/event.ts'
import type { Report } from '#engine/orders.ts'

/** How long events of an answer wait for more at most, in milliseconds, once it has begun: few reports say a lot. */
const paceMs = 20

/** How often the progress of a load is told at most, in milliseconds. */
const progressPaceMs = 100

interface Waiting {
  events: ChatEvent[]
  sentAt: number
  timer: ReturnType<typeof setTimeout> | undefined
}

/** What goes to the parent: the events of each answer gathered, everything else at once. */
export class Outbox {
  readonly #send: (report: Report) => void
  readonly #waiting = new Map<number, Waiting>()
  #progressAt = -Infinity

  constructor(send: (report: Report) => void) {
    this.#send = send
  }

  send(report: Report): void {
    this.#send(report)
  }

  /** Tells how far a load is, now and then. */
  progress(id: number, done: number): void {
    const now = performance.now()
    if (now - this.#progressAt < progressPaceMs) return
    this.#progressAt = now
    this.#send({ type: 'loading', id, done })
  }

  /** Takes events of an answer; they leave at once, or together with those of the next milliseconds. */
  tell(id: number, events: readonly ChatEvent[]): void {
    const waiting = this.#waitingOf(id)
    waiting.events.push(...events)
    const wait = paceMs - (performance.now() - waiting.sentAt)
    if (wait <= 0) this.flush(id)
    else waiting.timer ??= setTimeout(() => this.flush(id), wait)
  }

  /** Sends what waits of an answer. */
  flush(id: number): void {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    clearTimeout(waiting.timer)
    waiting.timer = undefined
    if (waiting.events.length === 0) return
    const events = gathered(waiting.events)
    waiting.events = []
    // The first words are not kept waiting for what came before them.
    if (events.some(saysSomething)) waiting.sentAt = performance.now()
    this.#send({ type: 'events', id, events })
  }

  /** Nothing more of this answer is sent. */
  forget(id: number): void {
    clearTimeout(this.#waiting.get(id)?.timer)
    this.#waiting.delete(id)
  }

  #waitingOf(id: number): Waiting {
    const known = this.#waiting.get(id)
    if (known !== undefined) return known
    const waiting: Waiting = { events: [], sentAt: -Infinity, timer: undefined }
    this.#waiting.set(id, waiting)
    return waiting
  }
}

/** Counts are cumulative, so that of those that leave together the last one says it all. Neighbouring words become one. */
function gathered(events: readonly ChatEvent[]): readonly ChatEvent[] {
  const last = events.findLastIndex((event) => event.type === 'usage')
  const left: ChatEvent[] = []
  for (const [index, event] of events.entries()) {
    if (event.type === 'usage' && index !== last) continue
    const before = left.at(-1)
    if (event.type === 'block-delta' && before?.type === 'block-delta')
      left[left.length - 1] = joined(before, event)
    else left.push(event)
  }
  return left
}

function joined(one: Delta, other: Delta): Delta {
  const text = one.text + other.text
  if (one.logprobs === undefined && other.logprobs === undefined)
    return { type: 'block-delta', text }
  const logprobs = [...(one.logprobs ?? []), ...(other.logprobs ?? [])]
  return { type: 'block-delta', text, logprobs }
}

type Delta = Extract<ChatEvent, { type: 'block-delta' }>
