import type { Conversation } from '#chat/conversation.ts'

import { errorOf, lostError } from './failures.ts'
import { Generation } from './generation.ts'
import type { Report } from './orders.ts'
import type { Supervisor } from './supervisor.ts'

export interface AssignmentOptions {
  readonly model: string
  readonly conversation: Conversation
  readonly signal: AbortSignal
  readonly waitedMs: number
  /** Called once, when the child has nothing more to do with it. */
  readonly onOver: () => void
}

/** Gives the child an answer to generate. It ends with its last event, with a failure, or when the signal aborts. */
export function assign(supervisor: Supervisor, options: AssignmentOptions): Generation {
  const { model, conversation, signal, waitedMs, onOver } = options
  const id = supervisor.newId()
  const leave = (): void => generation.fail(signal.reason)
  const generation = new Generation({
    waitedMs,
    onOver: () => {
      signal.removeEventListener('abort', leave)
      supervisor.abort(id)
      onOver()
    },
  })
  const hear = (report: Report): void => {
    if (report.type === 'events') {
      if (report.events.at(-1)?.type === 'answer-end') supervisor.forget(id)
      return generation.push(report.events)
    }
    if (report.type !== 'failed') return
    supervisor.forget(id)
    generation.fail(errorOf(report.failure))
  }
  const lose = (how: string): void => generation.fail(lostError(how, generation.hasBegun))
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  else supervisor.give({ type: 'generate', id, model, conversation }, { hear, lose })
  return generation
}
