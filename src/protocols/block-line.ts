import type { Opaque } from '#chat/conversation.ts'
import { GatewayError } from '#chat/error.ts'
import type { ChatEvent } from '#chat/event.ts'
import { JsonProgress } from '#std/json-progress.ts'
import { randomText } from '#std/random-id.ts'

/** A block waits for its turn, then is open, then told. Nothing is ever added to a told one. */
type Place = 'waiting' | 'open' | 'told'

interface SpokenBlock {
  readonly type: 'text' | 'reasoning' | 'refusal'
  place: Place
  /** What is not told yet. */
  held: string
  readonly marks: Opaque[]
}

/** A tool call on its way. Id and name are empty until they are known; whoever reads the upstream fills them in. */
export interface CallBlock {
  readonly type: 'call'
  id: string
  name: string
  /** How far its arguments have come. */
  progress: JsonProgress
  place: Place
  held: string
  readonly marks: Opaque[]
  /** Its arguments are a bare `{}` so far, which some servers send ahead of the real ones. */
  mayBePlaceholder: boolean
}

type LineBlock = SpokenBlock | CallBlock

const maxHeldUnits = 16 * 1024 * 1024

/**
 * Puts the blocks of an answer in line: one is open at a time, however the upstream mixes them. What belongs to
 * another block is held until the open one may close; a call may close once its arguments are whole.
 * Throws `upstream-failed` for more than 16 Mi units held, and for what cannot be put in line.
 */
export class BlockLine {
  readonly #events: ChatEvent[]
  readonly #waiting: LineBlock[] = []
  #open: LineBlock | undefined
  #heldUnits = 0
  #hasSpoken = false
  #hasThoughts = false
  #hasCalls = false
  #hasRefusal = false

  /** Events are appended to the list, which its owner empties. */
  constructor(events: ChatEvent[]) {
    this.#events = events
  }

  /** Whether a call, or a refusal in words, has been told. */
  get hasCalls(): boolean {
    return this.#hasCalls
  }

  get hasRefusal(): boolean {
    return this.#hasRefusal
  }

  /** Whether there has been any thought, told or waiting. */
  get hasThoughts(): boolean {
    return this.#hasThoughts
  }

  /** Text of one kind, which goes on with the last block or begins a new one. */
  say(type: SpokenBlock['type'], text: string): void {
    if (text === '') return
    const last = this.#last(type)
    if (last?.type === type && !isSealed(last)) this.#grow(last, text)
    else this.#add({ type, place: 'waiting', held: '', marks: [] }, text)
    this.#advance()
  }

  /** A signature of the thought that was said last. False if no thought can take it any more. */
  sign(signature: Opaque): boolean {
    const last = this.#last('reasoning')
    if (last?.type !== 'reasoning' || isSealed(last)) return false
    this.#mark(last, signature)
    return true
  }

  /** A thought that is not shown: only its mark tells of it. */
  withhold(mark: Opaque): void {
    this.#last('reasoning')
    this.#add({ type: 'reasoning', place: 'waiting', held: '', marks: [mark] }, '')
    this.#advance()
  }

  /** A new call, after everything that was said so far. */
  startCall(): CallBlock {
    this.#last('call')
    const call: CallBlock = {
      type: 'call',
      id: '',
      name: '',
      progress: new JsonProgress(),
      place: 'waiting',
      held: '',
      marks: [],
      mayBePlaceholder: false,
    }
    this.#waiting.push(call)
    return call
  }

  /** More of a call: its id or name may have become known, and its arguments grow by a fragment, possibly empty. */
  growCall(call: CallBlock, fragment: string): void {
    if (call.place === 'told' && fragment.trim() !== '') {
      throw new GatewayError(
        'upstream-failed',
        `The upstream sent more arguments for the call of ${call.name} after it had gone on to something else.`,
      )
    }
    if (fragment !== '' && call.place !== 'told') this.#growArguments(call, fragment)
    this.#advance()
  }

  /** Data beside a call that only its origin can read. At most one of a kind is kept. */
  markCall(call: CallBlock, mark: Opaque): void {
    if (call.place === 'told' || call.marks.some((known) => known.kind === mark.kind)) return
    this.#mark(call, mark)
  }

  /** The answer is over: everything that waits is told. */
  finish(): void {
    if (this.#hasSpoken || this.#waiting.length > 1) this.#dropBlankTail()
    for (const block of this.#waiting.splice(0)) {
      if (block.type === 'call' && block.name === '') refuseNameless(block)
      else this.#switchTo(block)
    }
    if (this.#open !== undefined) this.#close(this.#open)
  }

  /** The last block in the line, without blank text that turned out to stand between two blocks. */
  #last(next: LineBlock['type']): LineBlock | undefined {
    if (next !== 'text') this.#dropBlankTail()
    return this.#waiting.at(-1) ?? this.#open
  }

  #dropBlankTail(): void {
    const tail = this.#waiting.at(-1)
    if (tail?.type !== 'text' || tail.held.trim() !== '') return
    this.#waiting.pop()
    this.#heldUnits -= tail.held.length
    this.#events.push({ type: 'note', field: 'answer.content', what: 'blank text dropped' })
  }

  #add(block: SpokenBlock, text: string): void {
    if (block.type === 'reasoning') this.#hasThoughts = true
    this.#waiting.push(block)
    this.#grow(block, text)
  }

  #grow(block: LineBlock, text: string): void {
    if (block.place === 'open') {
      this.#events.push({ type: 'block-delta', text })
      return
    }
    block.held += text
    this.#heldUnits += text.length
    if (this.#heldUnits > maxHeldUnits) {
      throw new GatewayError(
        'upstream-failed',
        'The upstream mixed the parts of its answer so that more than 16 MiB would have to be held back.',
      )
    }
  }

  #growArguments(call: CallBlock, fragment: string): void {
    const isBare = fragment.trim() === '{}'
    if (call.mayBePlaceholder) {
      if (fragment.trim() === '') return
      this.#heldUnits -= call.place === 'waiting' ? call.held.length : 0
      call.held = ''
      call.progress = new JsonProgress()
    }
    call.mayBePlaceholder = isBare && call.progress.state === 'blank'
    call.progress.push(fragment)
    if (call.mayBePlaceholder && call.place === 'open') call.held = fragment
    else this.#grow(call, fragment)
  }

  #mark(block: LineBlock, opaque: Opaque): void {
    if (block.place === 'open') this.#events.push({ type: 'block-mark', opaque })
    block.marks.push(opaque)
  }

  #advance(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (!mayOpen(next) || (this.#open !== undefined && !mayClose(this.#open))) return
      this.#waiting.shift()
      this.#switchTo(next)
    }
  }

  #switchTo(block: LineBlock): void {
    if (this.#open !== undefined) this.#close(this.#open)
    this.#open = block
    block.place = 'open'
    this.#hasSpoken = true
    this.#heldUnits -= block.held.length
    this.#events.push({ type: 'block-start', block: this.#startOf(block) })
    if (block.type !== 'call' || !block.mayBePlaceholder) this.#flush(block)
    for (const opaque of block.marks) this.#events.push({ type: 'block-mark', opaque })
  }

  #startOf(block: LineBlock) {
    if (block.type === 'refusal') this.#hasRefusal = true
    if (block.type !== 'call') return { type: block.type } as const
    this.#hasCalls = true
    if (block.id === '') block.id = `call_${randomText(24)}`
    return { type: 'call', id: block.id, name: block.name } as const
  }

  #close(block: LineBlock): void {
    this.#flush(block)
    this.#events.push({ type: 'block-end' })
    block.place = 'told'
    this.#open = undefined
  }

  #flush(block: LineBlock): void {
    if (block.held !== '') this.#events.push({ type: 'block-delta', text: block.held })
    block.held = ''
  }
}

/** A thought that is signed or withheld is complete: what follows is another one. */
function isSealed(block: SpokenBlock): boolean {
  return block.marks.length > 0
}

function mayOpen(block: LineBlock): boolean {
  switch (block.type) {
    case 'text':
      // Blank text opens nothing: between two blocks it is dropped, before text it belongs to the text.
      return block.held.trim() !== ''
    case 'reasoning':
    case 'refusal':
      return block.held !== '' || block.marks.length > 0
    case 'call':
      return block.name !== '' && (block.id !== '' || block.progress.state !== 'blank')
  }
}

function mayClose(block: LineBlock): boolean {
  return block.type !== 'call' || block.progress.state === 'whole'
}

function refuseNameless(call: CallBlock): void {
  if (call.id === '' && call.progress.state === 'blank') return
  throw new GatewayError('upstream-failed', 'The upstream called a tool without naming it.')
}
