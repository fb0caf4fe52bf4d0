import type { Block, Conversation, Format, Turn } from '#chat/conversation.ts'
import { maybeText, objectText, stringText } from '#protocols/json-text.ts'
import { callersWord, type Telling } from '#protocols/telling.ts'
import { isObject, parseJson, type RawJson, rawJson } from '#std/json.ts'

/** The form that the answer must have, for an upstream that can be held to it. */
export function encodeFormat(
  { format }: Conversation,
  { profile }: Telling,
): readonly (readonly [string, RawJson])[] {
  if (format === undefined || profile.structuredOutput === 'instruction') return []
  if (format.type === 'json') return [['response_format', rawJson({ type: 'json_object' })]]
  const strict = format.strict ?? fitsStrict(format.schema)
  const schema = objectText([
    ['name', stringText(format.name ?? 'response')],
    ['description', maybeText(format.description)],
    ['schema', format.schema],
    ['strict', strict ? rawJson(true) : undefined],
  ])
  return [
    [
      'response_format',
      objectText([
        ['type', stringText('json_schema')],
        ['json_schema', schema],
      ]),
    ],
  ]
}

/** The turns, with the wanted form said as the last of the instructions where the upstream has no other way to be told. */
export function withInstruction(
  { turns, format }: Conversation,
  { caller, profile, notes }: Telling,
): readonly Turn[] {
  if (format === undefined || profile.structuredOutput === 'native') return turns
  notes.add(callersWord[caller].format, 'said as an instruction')
  const block: Block = { type: 'text', text: instruction(format) }
  const count = turns.findIndex((turn) => turn.role !== 'system')
  const leading = count === -1 ? turns.length : count
  const last = turns[leading - 1]
  if (last === undefined)
    return [{ role: 'system', shape: 'list', blocks: [block], field: 'system' }, ...turns]
  const told: Turn = { ...last, shape: 'list', blocks: [...last.blocks, block] }
  return [...turns.slice(0, leading - 1), told, ...turns.slice(leading)]
}

function instruction(format: Format): string {
  const plain = 'Answer with one JSON value and nothing else: no prose, no code fence.'
  return format.type === 'json'
    ? plain
    : `${plain} It must be valid for this JSON Schema:\n${format.schema}`
}

/** Whether a schema is one that vendors take with `strict`: every object closed, with all its properties required. */
function fitsStrict(schema: RawJson): boolean {
  const parsed = parseJson(schema)
  return parsed.ok && isStrict(parsed.value)
}

function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict)
  if (!isObject(schema)) return true
  if (schema.type === 'object' || isObject(schema.properties)) {
    if (schema.additionalProperties !== false) return false
    const keys = isObject(schema.properties) ? Object.keys(schema.properties) : []
    const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
    if (!keys.every((key) => required.includes(key))) return false
  }
  return Object.values(schema).every(isStrict)
}
