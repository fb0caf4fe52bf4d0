import {
  type Block,
  type Effort,
  efforts,
  families,
  type Family,
  type Opaque,
  type Reasoning,
} from '#chat/conversation.ts'
import { objectIn, textIn } from '#protocols/chat-completions/wire.ts'
import { given } from '#protocols/given.ts'
import { familyOfSignature } from '#protocols/signature.ts'
import { listIn } from '#std/json.ts'
import type { JsonObject } from '#std/json.ts'

/** Reads whether and how hard the model should think, in the words of the protocol and of the servers that extend it. */
export function decodeReasoning(value: JsonObject): Reasoning | undefined {
  const spoken = objectIn(value['reasoning'])
  const effort = effortIn(value['reasoning_effort']) ?? effortIn(spoken?.['effort'])
  const thinking = objectIn(value['thinking'])
  const budgetTokens = countIn(thinking?.['budget_tokens']) ?? countIn(spoken?.['max_tokens'])
  const mode = modes.get(thinking?.['type']) ?? modeIn(spoken?.['enabled']) ?? modeOf(effort)
  if (mode === undefined && budgetTokens === undefined) return undefined
  return {
    mode: mode ?? 'on',
    ...given('effort', effort),
    ...given('budgetTokens', budgetTokens),
    ...given('display', textIn(thinking?.['display']) || undefined),
  }
}

/** Reads the thoughts of an earlier answer from the most exact of the forms in which clients send them back. */
export function decodeThoughts(message: JsonObject): readonly Block[] {
  const blocks = listIn(message['thinking_blocks']).flatMap(decodeThinkingBlock)
  if (blocks.length > 0) return blocks
  const details = listIn(message['reasoning_details']).flatMap(decodeDetail)
  if (details.length > 0) return details
  const text = textIn(message['reasoning_content']) || textIn(message['reasoning'])
  return text === '' ? [] : [{ type: 'reasoning', text, opaque: [] }]
}

function effortIn(value: unknown): Effort | undefined {
  return efforts.find((effort) => effort === value)
}

function countIn(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined
}

const modes: ReadonlyMap<unknown, Reasoning['mode']> = new Map([
  ['disabled', 'off'],
  ['enabled', 'on'],
  ['adaptive', 'adaptive'],
])

function modeIn(isEnabled: unknown): Reasoning['mode'] | undefined {
  if (typeof isEnabled !== 'boolean') return undefined
  return isEnabled ? 'on' : 'off'
}

function modeOf(effort: Effort | undefined): Reasoning['mode'] | undefined {
  if (effort === undefined) return undefined
  return effort === 'none' ? 'off' : 'on'
}

/** The gateway's own extension: the blocks of a messages upstream, whole, with their signatures. */
function decodeThinkingBlock(entry: unknown): readonly Block[] {
  const block = objectIn(entry)
  const said = families.find((family) => family === block?.['family'])
  const data = textIn(block?.['data'])
  if (block?.['type'] === 'redacted_thinking' && data !== '')
    return [thought('', { family: said ?? 'anthropic', kind: 'redacted', data })]
  const text = textIn(block?.['thinking'])
  const signature = textIn(block?.['signature'])
  if (signature === '') return text === '' ? [] : [{ type: 'reasoning', text, opaque: [] }]
  const family = familyOfSignature(signature) ?? said ?? 'anthropic'
  return [thought(text, { family, kind: 'signature', data: signature })]
}

/** OpenRouter's form, which names the vendor in `format`. */
function decodeDetail(entry: unknown): readonly Block[] {
  const detail = objectIn(entry)
  const family = familyOfFormat(detail?.['format']) ?? 'unknown'
  const data = textIn(detail?.['data'])
  if (data !== '') return [thought('', { family, kind: 'redacted', data })]
  const text = textIn(detail?.['text']) || textIn(detail?.['summary'])
  const signature = textIn(detail?.['signature'])
  if (signature !== '') return [thought(text, { family, kind: 'signature', data: signature })]
  return text === '' ? [] : [{ type: 'reasoning', text, opaque: [] }]
}

/** Whose thoughts have this format, by OpenRouter's names. */
export function familyOfFormat(format: unknown): Family | undefined {
  return formats.find(([beginning]) => textIn(format).startsWith(beginning))?.[1]
}

const formats: readonly (readonly [string, Family])[] = [
  ['anthropic', 'anthropic'],
  ['openai', 'openai'],
  ['google', 'google'],
]

function thought(text: string, opaque: Opaque): Block {
  return { type: 'reasoning', text, opaque: [opaque] }
}
