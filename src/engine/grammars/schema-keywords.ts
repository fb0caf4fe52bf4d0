import type { JsonObject } from '#std/json.ts'

const annotations = wordsIn(
  `$schema $id $anchor $comment $defs definitions title description default examples example deprecated readOnly writeOnly
  strict id discriminator`,
)
const shapes = wordsIn(
  `$ref type enum const anyOf oneOf allOf properties required additionalProperties items prefixItems additionalItems minItems
  maxItems minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum nullable`,
)

/** Whether a keyword says nothing of what fits, or is looked at where it belongs. */
export function isKnown(key: string): boolean {
  return annotations.has(key) || shapes.has(key)
}

/** Whether a keyword says what fits. */
export function isShape(key: string): boolean {
  return shapes.has(key)
}

/** Whether a schema says anything of what fits. */
export function hasShape(schema: JsonObject): boolean {
  return Object.keys(schema).some(isShape)
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}
