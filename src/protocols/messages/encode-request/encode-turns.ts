import type { Block, Conversation, Turn } from '#chat/conversation.ts'
import { given } from '#protocols/given.ts'
import { listText, objectText, stringText } from '#protocols/json-text.ts'
import type { Telling } from '#protocols/telling.ts'
import type { RawJson } from '#std/json.ts'

import { encodeBlock } from './encode-blocks.ts'
import { instructionTexts, leadingSystem } from './encode-system.ts'
import { sayableTurns } from './sayable-turns.ts'

/**
 * Says the conversation. Results of tools and what follows them are one turn of the user, results first: the protocol
 * wants them so. Other turns stay as they are, so that a longer conversation begins with the same bytes.
 */
export function encodeTurns(conversation: Conversation, telling: Telling): RawJson[] {
  const { turns } = conversation
  const drafts: Draft[] = []
  for (const turn of sayableTurns(turns.slice(leadingSystem(turns)), telling)) {
    const draft = draftOf(turn, telling)
    const last = drafts.at(-1)
    if (last !== undefined && mayJoin(last, draft)) join(last, draft)
    else drafts.push(draft)
  }
  return drafts.map(encodeDraft)
}

/** A turn whose blocks are said, and which may still be joined by the next one. */
interface Draft {
  readonly role: Turn['role']
  /** The whole turn as one string, if that is how the caller wrote it. */
  plain: string | undefined
  readonly results: RawJson[]
  readonly rest: RawJson[]
  /** Its end holds what the protocol wants in one turn with what the user says next. */
  isLoose: boolean
}

function draftOf(turn: Turn, telling: Telling): Draft {
  if (turn.name !== undefined) telling.notes.add(`${turn.field}.name`, 'dropped')
  if (turn.role === 'system' && telling.profile.midSystem === 'user')
    return systemDraft(turn, telling)
  const results: RawJson[] = []
  const rest: RawJson[] = []
  const counts: Counts = { parts: 0, calls: 0 }
  for (const block of turn.blocks) {
    const said = encodeBlock(block, telling, fieldOf(block, turn, counts))
    if (block.type === 'result') results.push(said)
    else rest.push(said)
  }
  return { role: turn.role, plain: plainText(turn), results, rest, isLoose: results.length > 0 }
}

/** How many of its parts and calls a message has had so far. */
interface Counts {
  parts: number
  calls: number
}

/** Where a block stands in the caller's request. Thoughts and results are no parts of a content there. */
function fieldOf(block: Block, { field }: Turn, counts: Counts): string {
  if (block.type === 'reasoning' || block.type === 'result') return field
  if (block.type === 'call') return `${field}.tool_calls[${counts.calls++}]`
  return `${field}.content[${counts.parts++}]`
}

function plainText({ shape, blocks }: Turn): string | undefined {
  const [only] = blocks
  const isPlain = shape === 'string' && blocks.length === 1 && only?.type === 'text' && !only.cache
  return isPlain ? only.text : undefined
}

/** An instruction in mid-conversation, for a target that takes none there: marked, and in the caller's place for it. */
function systemDraft(turn: Turn, telling: Telling): Draft {
  telling.notes.add(turn.field, 'said in a turn of the user')
  const texts = instructionTexts(turn)
  const block: Block = {
    type: 'text',
    text: `<system>${texts.map(({ text }) => text).join('\n\n')}</system>`,
    ...given('cache', texts.at(-1)?.cache),
  }
  return {
    role: 'user',
    plain: undefined,
    results: [],
    rest: [encodeBlock(block, telling, turn.field)],
    isLoose: true,
  }
}

function mayJoin(last: Draft, next: Draft): boolean {
  return last.role === 'user' && next.role === 'user' && (last.isLoose || next.isLoose)
}

function join(last: Draft, next: Draft): void {
  for (const result of next.results) last.results.push(result)
  for (const block of next.rest) last.rest.push(block)
  last.plain = undefined
  last.isLoose = next.isLoose
}

function encodeDraft({ role, plain, results, rest }: Draft): RawJson {
  return objectText([
    ['role', stringText(role)],
    ['content', plain === undefined ? listText([...results, ...rest]) : stringText(plain)],
  ])
}
