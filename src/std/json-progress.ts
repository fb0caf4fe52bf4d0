/**
 * How far a JSON text has come that arrives in fragments: `blank` before its first character, `open` inside it,
 * `whole` after its last one, `broken` once no continuation can make it JSON. A number is never whole: more may come.
 */
export type JsonState = 'blank' | 'open' | 'whole' | 'broken'

/** What may come next. `key-or-end` and `value-or-end` stand right after an opening bracket. */
type Structure =
  | 'value'
  | 'value-or-end'
  | 'key'
  | 'key-or-end'
  | 'colon'
  | 'comma-or-end'
  | 'nothing'

/** Or what the text is inside of. */
type Expected = Structure | 'string' | 'escape' | 'hex' | 'scalar'

const openObject = 123
const openArray = 91
const quote = 34
const backslash = 92
const words = ['true', 'false', 'null']
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const numberStart = /^-?(?:0|[1-9]\d*)?(?:(?<=\d)\.\d*)?(?:(?<=\d)[eE][+-]?\d*)?$/

/** Checks JSON text strictly as it grows, in one pass and without building a value. */
export class JsonProgress {
  #state: JsonState = 'blank'
  #expected: Expected = 'value'
  /** The closing bracket of every object and array that is open. */
  readonly #closers: number[] = []
  #isKey = false
  #hexDigits = 0
  #scalar = ''

  get state(): JsonState {
    return this.#state
  }

  /** Takes the next fragment. */
  push(fragment: string): JsonState {
    for (let at = 0; at < fragment.length && this.#state !== 'broken'; at++) {
      if (this.#expected === 'string') at = this.#crossString(fragment, at)
      else this.#take(fragment.charCodeAt(at))
    }
    return this.#state
  }

  /** No more will come: the state of the text as it stands, in which a number at the top is whole. */
  end(): JsonState {
    if (this.#expected === 'scalar' && this.#closers.length === 0) this.#endScalar()
    return this.#state
  }

  /** What makes it whole where it stands, or undefined if nothing does. */
  completion(): string | undefined {
    if (this.#state === 'blank' || this.#state === 'broken') return undefined
    const closers = this.#closers.toReversed().map((code) => String.fromCharCode(code))
    return this.#missing() + closers.join('')
  }

  /** What is missing of the value or member that it is in. */
  #missing(): string {
    switch (this.#expected) {
      case 'string':
        return this.#stringEnd()
      case 'escape':
        return '\\' + this.#stringEnd()
      case 'hex':
        return '0'.repeat(4 - this.#hexDigits) + this.#stringEnd()
      case 'scalar':
        return scalarEnd(this.#scalar)
      case 'value':
        return 'null'
      case 'key':
        return '"":null'
      case 'colon':
        return ':null'
      case 'value-or-end':
      case 'key-or-end':
      case 'comma-or-end':
      case 'nothing':
        return ''
    }
  }

  #stringEnd(): string {
    return this.#isKey ? '":null' : '"'
  }

  /** The offset of the last unit of this string that the fragment holds. */
  #crossString(fragment: string, from: number): number {
    for (let at = from; at < fragment.length; at++) {
      const code = fragment.charCodeAt(at)
      if (code === quote) {
        this.#endString()
        return at
      }
      if (code === backslash) {
        this.#expected = 'escape'
        return at
      }
      if (code < 32) {
        this.#state = 'broken'
        return at
      }
    }
    return fragment.length
  }

  #take(code: number): void {
    switch (this.#expected) {
      case 'string':
        return
      case 'escape':
        return this.#takeEscape(code)
      case 'hex':
        return this.#takeHex(code)
      case 'scalar':
        return this.#takeScalar(code)
      case 'value':
      case 'value-or-end':
      case 'key':
      case 'key-or-end':
      case 'colon':
      case 'comma-or-end':
      case 'nothing':
        if (!isBlank(code)) this.#takeStructure(this.#expected, code)
    }
  }

  #takeStructure(expected: Structure, code: number): void {
    switch (expected) {
      case 'value':
        return this.#startValue(code)
      case 'value-or-end':
        return code === 93 ? this.#close(code) : this.#startValue(code)
      case 'key':
        return this.#startKey(code)
      case 'key-or-end':
        return code === 125 ? this.#close(code) : this.#startKey(code)
      case 'colon':
        return code === 58 ? this.#expect('value') : this.#break()
      case 'comma-or-end':
        if (code !== 44) return this.#close(code)
        return this.#expect(this.#closers.at(-1) === 125 ? 'key' : 'value')
      case 'nothing':
        this.#break()
    }
  }

  #startValue(code: number): void {
    this.#state = 'open'
    if (code === openObject) return this.#open(125, 'key-or-end')
    if (code === openArray) return this.#open(93, 'value-or-end')
    if (code === quote) {
      this.#isKey = false
      return this.#expect('string')
    }
    this.#scalar = ''
    this.#expect('scalar')
    this.#takeScalar(code)
  }

  #startKey(code: number): void {
    if (code !== quote) return this.#break()
    this.#isKey = true
    this.#expect('string')
  }

  #open(closer: number, expected: Expected): void {
    this.#closers.push(closer)
    this.#expect(expected)
  }

  #close(code: number): void {
    if (this.#closers.pop() !== code) return this.#break()
    this.#endValue()
  }

  #endString(): void {
    if (this.#isKey) this.#expect('colon')
    else this.#endValue()
  }

  #endValue(): void {
    if (this.#closers.length > 0) return this.#expect('comma-or-end')
    this.#state = 'whole'
    this.#expect('nothing')
  }

  #takeEscape(code: number): void {
    if (code === 117) {
      this.#hexDigits = 0
      return this.#expect('hex')
    }
    if (!'"\\/bfnrt'.includes(String.fromCharCode(code))) return this.#break()
    this.#expect('string')
  }

  #takeHex(code: number): void {
    if (!/[0-9a-fA-F]/.test(String.fromCharCode(code))) return this.#break()
    if (++this.#hexDigits === 4) this.#expect('string')
  }

  #takeScalar(code: number): void {
    if (isBlank(code) || code === 44 || code === 93 || code === 125) {
      this.#endScalar()
      if (this.#state === 'open') this.#take(code)
      else if (this.#state === 'whole' && !isBlank(code)) this.#break()
      return
    }
    this.#scalar += String.fromCharCode(code)
    // Numbers are short; a longer run of digits than any is checked only at its end.
    if (this.#scalar.length > 64 && numberStart.test(this.#scalar.slice(0, 64))) return
    const mayBecome = words.some((word) => word.startsWith(this.#scalar))
    if (!mayBecome && !numberStart.test(this.#scalar)) this.#break()
  }

  #endScalar(): void {
    if (!words.includes(this.#scalar) && !number.test(this.#scalar)) return this.#break()
    this.#endValue()
  }

  #expect(expected: Expected): void {
    this.#expected = expected
  }

  #break(): void {
    this.#state = 'broken'
  }
}

function scalarEnd(scalar: string): string {
  if (number.test(scalar)) return ''
  return words.find((word) => word.startsWith(scalar))?.slice(scalar.length) ?? '0'
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}
