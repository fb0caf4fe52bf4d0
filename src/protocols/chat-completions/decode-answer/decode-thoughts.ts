import { families, type Family, type Opaque } from '#chat/conversation.ts'
import { familyOfFormat } from '#protocols/chat-completions/decode-request/decode-reasoning.ts'
import { objectIn, textIn } from '#protocols/chat-completions/wire.ts'
import { familyOfSignature } from '#protocols/signature.ts'
import { listIn } from '#std/json.ts'
import type { JsonObject } from '#std/json.ts'

import type { Reading } from './decode-chunk.ts'

/** Thoughts come as one string (`reasoning_content`, `reasoning`), or piece by piece with signatures. */
export type ThoughtForm = 'plain' | 'detailed'

/** A piece of a thought; what it left out is empty. */
interface Detail {
  readonly text: string
  readonly signature: string
  /** Data in place of a thought that is not shown. */
  readonly withheld: string
  /** Whose thought it is, where the server says so. */
  readonly family: Family | undefined
}

/** Reads the thoughts of a delta. Where one comes in both forms, the text is taken from one of them only. */
export function readThoughts(reading: Reading, delta: JsonObject): void {
  const plain = textIn(delta['reasoning_content']) || textIn(delta['reasoning'])
  const details = [
    ...listIn(delta['reasoning_details']).map(detailIn),
    ...listIn(delta['thinking_blocks']).map(detailIn),
  ]
  if (plain === '' && details.length === 0) return
  reading.thoughtForm ??= formOf(reading, plain, details)
  if (reading.thoughtForm === 'plain') reading.line.say('reasoning', plain)
  for (const detail of details) readDetail(reading, detail)
}

// In a whole reply the pieces say more than the string: which signature belongs to which thought.
function formOf(reading: Reading, plain: string, details: readonly Detail[]): ThoughtForm {
  const hasText = details.some((detail) => detail.text !== '')
  return hasText && (plain === '' || !reading.hasDeltas) ? 'detailed' : 'plain'
}

function readDetail(reading: Reading, detail: Detail): void {
  const { text, signature, withheld } = detail
  const { line, events } = reading
  if (reading.thoughtForm === 'detailed') line.say('reasoning', text)
  if (withheld !== '') line.withhold(opaque(reading, detail, 'redacted'))
  if (signature === '') return
  const mark = opaque(reading, detail, 'signature')
  if (line.sign(mark)) return
  if (!line.hasThoughts) return line.withhold(mark)
  events.push({ type: 'note', field: 'answer.reasoning', what: 'late signature dropped' })
}

function opaque(
  { heard }: Reading,
  { family, signature, withheld }: Detail,
  kind: 'signature' | 'redacted',
): Opaque {
  const data = kind === 'signature' ? signature : withheld
  return { family: family ?? heard.target.profile.family, kind, data }
}

function detailIn(value: unknown): Detail {
  const detail = objectIn(value) ?? {}
  const signature = textIn(detail['signature'])
  return {
    text: textIn(detail['text']) || textIn(detail['summary']) || textIn(detail['thinking']),
    signature,
    withheld: textIn(detail['data']),
    family:
      familyOfSignature(signature) ??
      families.find((one) => one === detail['family']) ??
      familyOfFormat(detail['format']),
  }
}
