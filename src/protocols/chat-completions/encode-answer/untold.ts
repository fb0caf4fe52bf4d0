import type { ChatEvent } from '#chat/event.ts'
import type { Note } from '#chat/note.ts'

import { annotationOf } from './answer-parts.ts'

/** What of an event this protocol has no place for: steps of server tools, citations of no page, kinds of refusal. */
export function untold(event: ChatEvent): Note | undefined {
  if (event.type === 'block-start' && event.block.type === 'other')
    return { field: 'answer.content', what: `${event.block.kind} left out` }
  if (event.type === 'block-citation' && annotationOf(event.raw, nowhere) === undefined)
    return { field: 'answer.citations', what: 'those of no page left out' }
  if (event.type === 'answer-end' && event.refusalCategory !== undefined)
    return { field: 'answer.stop_details.category', what: 'left out' }
  return undefined
}

const nowhere = { start: 0, end: 0 }
