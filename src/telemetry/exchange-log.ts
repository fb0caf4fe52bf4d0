import type { ExchangeRecord } from '#chat/passage.ts'

import type { ExchangePassage } from './exchange-passage.ts'

/** Whoever takes whole lines, such as a destination of the log. */
export interface Lines {
  write(lines: string): unknown
}

/** Lines wait for so long, or until there are so many, and then go out as one write. */
const gatherMs = 100
const mostWaiting = 128

/** No name in a line is longer: callers choose some of them. */
const longestName = 200

/**
 * One line for every exchange, at its end: an object without depth, in the form of the other lines of the log, with no
 * word of what was asked or answered.
 */
export class ExchangeLog implements Disposable {
  readonly #lines: Lines
  #waiting: string[] = []
  #timer: Timer | undefined

  constructor(lines: Lines) {
    this.#lines = lines
  }

  add(passage: ExchangePassage): void {
    this.#waiting.push(lineOf(passage, Date.now()))
    if (this.#waiting.length >= mostWaiting) return this.flush()
    this.#timer ??= setTimeout(() => this.flush(), gatherMs)
  }

  /** Writes what waits. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.length === 0) return
    const lines = this.#waiting
    this.#waiting = []
    this.#lines.write(lines.join(''))
  }

  [Symbol.dispose](): void {
    this.flush()
  }
}

/** The level of a pino log that is called `info`. */
const info = 30

/**
 * A line as JSON. It is put together by hand: a library that does it takes an exchange more time than all other
 * telemetry together. Texts that are not words of our own go through `quoted`.
 */
function lineOf(passage: ExchangePassage, time: number): string {
  const { answer, record, finishedAt, enteredAt } = passage
  const result = record?.result ?? answer?.code ?? 'complete'
  const asked =
    answer === undefined
      ? ''
      : `,"method":"${answer.method}","endpoint":"${answer.endpoint}","protocol":"${answer.protocol}","status":${answer.status}`
  const times = `${number('overheadMs', passage.overheadMs)}${number('totalMs', finishedAt - enteredAt)}`
  const rest = record === undefined ? '' : accountFields(record)
  return `{"level":${info},"time":${time},"msg":"exchange","requestId":"${passage.id}","traceId":"${passage.traceId}","sampled":${passage.isSampled}${asked},"result":"${result}"${times}${rest}}\n`
}

/** What only an exchange with an account has. What is not known is left out. */
function accountFields(record: ExchangeRecord): string {
  const { target, usage, keyId, projectId, stream, attempts, counted, cost, notes } = record
  const failures = failuresOf(record)
  const whose = `,"keyId":${quoted(keyId)},"projectId":${quoted(projectId)}`
  const asked = `,"model":${quoted(record.model)},"stream":${stream},"route":${quoted(record.route)}`
  const told = target && `,"target":${quoted(`${target.upstream}/${target.model}`)}`
  const failed = failures && `,"failures":"${failures}"`
  const tried = `,"attempts":${attempts.length}`
  const tokens = `${number('inputTokens', usage.input)}${number('cacheReadTokens', usage.cacheRead)}${number('cacheWriteTokens', usage.cacheWrite)}${number('outputTokens', usage.output)}${number('reasoningTokens', usage.reasoning)}`
  const paid = `,"counted":"${counted}","costMicrodollars":${cost},"notes":${notes}`
  const times = `${number('queueMs', record.queueMs)}${number('firstByteMs', record.firstByteMs)}`
  return `${whose}${asked}${told ?? ''}${tried}${failed ?? ''}${tokens}${paid}${times}`
}

/** The codes of the attempts that failed, in their order; undefined if none did. */
function failuresOf({ attempts }: ExchangeRecord): string | undefined {
  if (attempts.length === 1 && attempts[0]?.result === 'answered') return undefined
  const codes = attempts.filter(({ result }) => result !== 'answered').map(({ result }) => result)
  return codes.length === 0 ? undefined : codes.join(' ')
}

/** To a hundredth. Two whole numbers are written sooner than one that is none. */
function number(name: string, value: number | undefined): string {
  if (value === undefined) return ''
  const hundredths = Math.round(value * 100)
  const rest = hundredths % 100
  const whole = (hundredths - rest) / 100
  if (rest === 0) return `,"${name}":${whole}`
  return `,"${name}":${whole}.${rest < 10 ? '0' : ''}${rest}`
}

/** A text that others may have made up: cut short, and without what a terminal would take for an order. */
function quoted(text: string): string {
  if (plain.test(text)) return `"${text}"`
  const short = text.length <= longestName ? text : `${text.slice(0, longestName)}…`
  return JSON.stringify(short.toWellFormed().replaceAll(/[\p{C}\u2028\u2029]/gu, '\ufffd'))
}

/** Nothing that JSON would say otherwise. */
const plain = /^[\w ./:@+-]{0,200}$/
