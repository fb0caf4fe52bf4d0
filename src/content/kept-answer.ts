import { overlap, type Redaction } from '#redaction/redactor.ts'

import { withoutData } from './described-media.ts'
import type { Captured, KeptAnswer, KeptBlock } from './kept-content.ts'
import { cutCharacters, cuttable, type Keeping, unitsIn } from './kept-value.ts'

/** An answer as it is kept. What is too long is cut at its end. */
export function keptAnswer(
  { answer, isTruncated }: Pick<Captured, 'answer' | 'isTruncated'>,
  { redaction, maxBytes }: Keeping,
): KeptAnswer {
  let left = maxBytes
  let { isCut } = answer
  const blocks: KeptBlock[] = []
  for (const [index, block] of answer.blocks.entries()) {
    const isLast = index === answer.blocks.length - 1
    // Of an answer that was not heard to its end, what comes last may be half a secret.
    const isHeard = !(isTruncated && isLast)
    const text = isHeard ? withoutData(block.text) : block.text.slice(0, maxBytes + overlap)
    const whole = cuttable(text, redaction)
    const sure = isHeard ? whole.text.length : Math.max(0, whole.text.length - overlap)
    const end = Math.min(sure, unitsIn(whole.text, left))
    left -= Buffer.byteLength(whole.text.slice(0, end))
    const missing = whole.text.length - end + (isHeard ? 0 : block.text.length - text.length)
    isCut ||= missing > 0
    const kept = whole.part(0, end) + (missing > 0 ? cutCharacters(missing) : '')
    blocks.push({ ...block, ...named(block, redaction), text: kept })
  }
  return { ...answer, blocks, isCut, error: keptError(answer.error, redaction) }
}

function named({ name, id }: KeptBlock, redaction: Redaction): Pick<KeptBlock, 'name' | 'id'> {
  return { name: shortText(name, redaction), id: shortText(id, redaction) }
}

function keptError(error: KeptAnswer['error'], redaction: Redaction): KeptAnswer['error'] {
  return error && { code: error.code, message: shortText(error.message, redaction) ?? '' }
}

const longestName = 4096

function shortText(text: string | null, redaction: Redaction): string | null {
  return text === null ? null : redaction.text(text, 0, Math.min(text.length, longestName))
}
