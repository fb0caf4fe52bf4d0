import type { ChatEvent } from '#chat/event.ts'
import type { Note } from '#chat/note.ts'

/** What of an event this protocol has no place for: what other vendors put beside their thoughts and calls. */
export function untold(event: ChatEvent): Note | undefined {
  if (event.type !== 'block-mark') return undefined
  const { kind, family } = event.opaque
  switch (kind) {
    case 'extra':
      return { field: 'answer.tool_calls.extra_content', what: 'dropped' }
    case 'redacted':
      return family === 'anthropic'
        ? undefined
        : { field: 'answer.reasoning', what: 'withheld thought dropped' }
    case 'signature':
      return undefined
  }
}
