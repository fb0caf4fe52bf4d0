import type { Opaque } from '#chat/conversation.ts'
import type { AnswerEnd, StopReason } from '#chat/event.ts'
import { finishReasons } from '#protocols/chat-completions/stop-reason.ts'
import { type FinishReason, objectIn, textIn } from '#protocols/chat-completions/wire.ts'
import { given } from '#protocols/given.ts'
import { parseJson, type RawJson } from '#std/json.ts'

/** A thought with the data that only its origin can read: the gateway's own extension, which clients may send back. */
export interface ThinkingBlock {
  readonly type: 'thinking' | 'redacted_thinking'
  readonly thinking?: string
  readonly signature?: string
  readonly data?: string
  /** Whose it is, unless it is of the vendor that this form is known from. */
  readonly family?: string
}

/** A citation as this protocol has it: a stretch of the text and the page that it rests on. */
export interface Annotation {
  readonly type: 'url_citation'
  readonly url_citation: {
    readonly start_index: number
    readonly end_index: number
    readonly url: string
    readonly title: string
  }
}

/** Where a text stands that one string holds although the answer had it in several blocks. */
export interface Joint {
  hasText: boolean
  isApart: boolean
}

export function newJoint(): Joint {
  return { hasText: false, isApart: false }
}

/** Another block came between: what follows is set apart by an empty line. */
export function setApart(joint: Joint): void {
  joint.isApart = joint.hasText
}

/** The text as it goes on in the one string. */
export function joined(joint: Joint, text: string): string {
  const isApart = joint.isApart
  joint.hasText = true
  joint.isApart = false
  return isApart ? `\n\n${text}` : text
}

/** The thought as an extension, or undefined if it has nothing that its plain text does not say. */
export function thinkingBlock(text: string, marks: readonly Opaque[]): ThinkingBlock | undefined {
  const mark = marks.find(({ kind }) => kind === 'signature' || kind === 'redacted')
  if (mark === undefined) return undefined
  const family = given('family', mark.family === 'anthropic' ? undefined : mark.family)
  if (mark.kind === 'redacted') return { type: 'redacted_thinking', data: mark.data, ...family }
  return { type: 'thinking', thinking: text, signature: mark.data, ...family }
}

/** The citation of a stretch of text, or undefined if it cites no page. */
export function annotationOf(
  raw: RawJson,
  { start, end }: { readonly start: number; readonly end: number },
): Annotation | undefined {
  const parsed = parseJson(raw)
  const citation = objectIn(parsed.ok ? parsed.value : undefined)
  const url = textIn(citation?.['url']) || textIn(citation?.['source'])
  if (!/^https?:/i.test(url)) return undefined
  const title = textIn(citation?.['title']) || url
  return {
    type: 'url_citation',
    url_citation: { start_index: start, end_index: end, url, title },
  }
}

/** The member that Google's models put beside a call, as JSON text on one line. */
export function extraOf(marks: readonly Opaque[]): string | undefined {
  const data = marks.find(({ kind }) => kind === 'extra')?.data
  const parsed = parseJson(data ?? '')
  return parsed.ok ? JSON.stringify(parsed.value) : undefined
}

export interface Finish {
  readonly isLegacyFunctions: boolean
  /** The answer has words of refusal, which say more than a filter's word would. */
  readonly hasRefusal: boolean
}

/** How the end is said. */
export function finishOf(
  reason: StopReason,
  { isLegacyFunctions, hasRefusal }: Finish,
): FinishReason {
  if (reason === 'refusal' && hasRefusal) return 'stop'
  if (reason === 'tool-use' && isLegacyFunctions) return 'function_call'
  return finishReasons[reason]
}

/** What the upstream said of the end beyond what this protocol has a word for. */
export function nativeFinish(end: AnswerEnd): {
  readonly native_finish_reason?: string
  readonly stop_sequence?: string
} {
  const isPlain = end.said === undefined || plainWords.has(end.said)
  return {
    ...given('native_finish_reason', isPlain ? undefined : end.said),
    ...given('stop_sequence', end.stopSequence),
  }
}

/** Words of either protocol that the finish reason says in full. */
const plainWords: ReadonlySet<string> = new Set([
  'stop',
  'length',
  'tool_calls',
  'function_call',
  'content_filter',
  'end_turn',
  'max_tokens',
  'tool_use',
])
