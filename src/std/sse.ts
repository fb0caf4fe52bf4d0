/** One event of a stream of server-sent events. */
export interface SseFrame {
  /** The event's name; empty if the stream gave none. */
  readonly event: string
  /** Its data lines joined by a newline; empty if there were none. */
  readonly data: string
  /** Only a comment: the other side is alive. */
  readonly isComment: boolean
}

export class SseError extends Error {
  override readonly name = 'SseError'
}

const maxFrameUnits = 8 * 1024 * 1024
const lineFeed = 10
const carriageReturn = 13

/**
 * Turns the bytes of a stream into frames, wherever the reads were cut: inside a line end, a field, or a character.
 * Follows the WHATWG rules, with LF, CRLF and CR as line ends and one byte order mark skipped.
 * A frame over 8 Mi characters throws `SseError`.
 */
export class SseReader {
  readonly #decoder = new TextDecoder('utf-8')
  /** The line that no read has ended yet: it grows without being looked at again. */
  #rest = ''
  /** The last read ended in a CR, so a LF at the start of the next one ends no line of its own. */
  #isAfterCr = false
  #event = ''
  #data: string | undefined
  #hasComment = false
  #units = 0

  /** The frames that this read completes. */
  push(read: Uint8Array): SseFrame[] {
    return this.#take(this.#decoder.decode(read, { stream: true }))
  }

  /**
   * The body has ended: the last frame, if its blank line is missing. Lenient on purpose, since some servers
   * end with `data: [DONE]` and nothing after it.
   */
  end(): SseFrame[] {
    return this.#take(`${this.#decoder.decode()}\n\n`)
  }

  #take(text: string): SseFrame[] {
    const frames: SseFrame[] = []
    if (text.length === 0) return frames
    let at = this.#isAfterCr && text.charCodeAt(0) === lineFeed ? 1 : 0
    this.#isAfterCr = text.charCodeAt(text.length - 1) === carriageReturn
    // Each is looked for again only when it has been passed: to look for what is not there costs the rest of the read.
    let lf = text.indexOf('\n', at)
    let cr = text.indexOf('\r', at)
    while (lf !== -1 || cr !== -1) {
      const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr
      this.#line(this.#rest + text.slice(at, end), frames)
      this.#rest = ''
      at = end === cr && lf === cr + 1 ? end + 2 : end + 1
      if (lf !== -1 && lf < at) lf = text.indexOf('\n', at)
      if (cr !== -1 && cr < at) cr = text.indexOf('\r', at)
    }
    this.#rest += at === 0 ? text : text.slice(at)
    if (this.#units + this.#rest.length > maxFrameUnits)
      throw new SseError('A frame of the stream is over 8 MiB.')
    return frames
  }

  #line(line: string, frames: SseFrame[]): void {
    this.#units += line.length
    if (line.length === 0) return this.#dispatch(frames)
    if (line.startsWith('data:')) this.#addData(valueOf(line, 5))
    else if (line.startsWith('event:')) this.#event = valueOf(line, 6)
    else if (line.startsWith(':')) this.#hasComment = true
    else if (line === 'data') this.#addData('')
    else if (line === 'event') this.#event = ''
    // `id`, `retry` and unknown fields carry nothing that either protocol uses.
  }

  #addData(value: string): void {
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`
  }

  #dispatch(frames: SseFrame[]): void {
    const hasWords = this.#data !== undefined || this.#event.length > 0
    if (hasWords || this.#hasComment) {
      frames.push({ event: this.#event, data: this.#data ?? '', isComment: !hasWords })
    }
    this.#event = ''
    this.#data = undefined
    this.#hasComment = false
    this.#units = 0
  }
}

function valueOf(line: string, from: number): string {
  return line.slice(line.charCodeAt(from) === 32 ? from + 1 : from)
}
