import type { BlockLine, CallBlock } from '#protocols/block-line.ts'

/** A piece of a tool call as a server sent it; what it left out is empty. */
export interface CallPiece {
  readonly index: number | undefined
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** Which call a piece belongs to. Servers number their calls, name them by id, do both, or neither. */
export class ToolSlots {
  readonly #line: BlockLine
  readonly #byIndex = new Map<number, CallBlock>()
  readonly #byId = new Map<string, CallBlock>()
  /** The id that the server gave, which is not the one told if it came too late. */
  readonly #ids = new Map<CallBlock, string>()
  #latest: CallBlock | undefined

  constructor(line: BlockLine) {
    this.#line = line
  }

  /** The call that this piece goes on with, or a new one, with the piece's id and name taken in. */
  callOf(piece: CallPiece): CallBlock {
    const call = this.#find(piece) ?? this.#line.startCall()
    if (piece.index !== undefined) this.#byIndex.set(piece.index, call)
    this.#latest = call
    if (piece.id !== '') this.#identify(call, piece.id)
    // The first name stands: servers repeat it, or send an empty one with every piece.
    if (call.name === '') call.name = piece.name
    return call
  }

  #find(piece: CallPiece): CallBlock | undefined {
    const known = piece.id === '' ? undefined : this.#byId.get(piece.id)
    return piece.index === undefined
      ? this.#findUnnumbered(piece, known)
      : this.#findNumbered(piece, piece.index, known)
  }

  #findNumbered(piece: CallPiece, index: number, known: CallBlock | undefined) {
    const call = this.#byIndex.get(index)
    if (call === undefined) return this.#findNewNumber(piece, known)
    const given = this.#ids.get(call)
    if (piece.id !== '' && given !== undefined && piece.id !== given)
      return known ?? (goesOn(piece, call) ? call : undefined)
    if (piece.id !== '' && given === piece.id) return call
    return isWhole(call) && isNamedAnew(piece, call) ? undefined : call
  }

  #findNewNumber(piece: CallPiece, known: CallBlock | undefined) {
    // A known id under a new number goes on, unless its call is complete: then two calls share an id.
    if (known !== undefined) return isWhole(known) ? undefined : known
    const latest = this.#latest
    return piece.id === '' && latest !== undefined && goesOn(piece, latest) ? latest : undefined
  }

  #findUnnumbered(piece: CallPiece, known: CallBlock | undefined) {
    if (known !== undefined) return known
    const latest = this.#latest
    if (latest === undefined) return undefined
    if (piece.id !== '')
      return this.#isLateId(piece, latest) || goesOn(piece, latest) ? latest : undefined
    return startsAnother(piece, latest) ? undefined : latest
  }

  /** An id may come alone, after the name. */
  #isLateId(piece: CallPiece, latest: CallBlock): boolean {
    return !this.#ids.has(latest) && piece.name === '' && !isWhole(latest)
  }

  #identify(call: CallBlock, id: string): void {
    if (this.#ids.has(call)) return
    this.#ids.set(call, id)
    // An id that another call of this answer has is left out, so that a fresh one is minted.
    if (call.id === '' && !this.#byId.has(id)) call.id = id
    this.#byId.set(id, call)
  }
}

/**
 * Some servers give one id beside the name and another with every piece after it. Without a name a piece only goes on,
 * unless what it would go on with is complete.
 */
function goesOn(piece: CallPiece, call: CallBlock): boolean {
  if (piece.name !== '' || call.name === '') return false
  return !isWhole(call) || call.mayBePlaceholder || piece.arguments.trim() === ''
}

/** Servers number all alike and give no ids, but name each call, and those that repeat a name send nothing with it. */
function isNamedAnew(piece: CallPiece, call: CallBlock): boolean {
  if (piece.name === '') return false
  return piece.arguments.trim() !== '' || (call.name !== '' && piece.name !== call.name)
}

/** A name begins another call where the last one is complete, or has another name. */
function startsAnother(piece: CallPiece, call: CallBlock): boolean {
  if (piece.name === '' || call.name === '') return false
  return isWhole(call) || piece.name !== call.name
}

function isWhole(call: CallBlock): boolean {
  return call.progress.state === 'whole'
}
