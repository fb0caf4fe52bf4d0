import { isObject, type JsonObject } from '#std/json.ts'

import { literal } from './grammar-text.ts'
import {
  count,
  hasRoom,
  integerRule,
  invalid,
  numberRule,
  refuse,
  repeats,
  type SchemaRules,
  stringRule,
  upTo,
} from './schema-scalars.ts'

interface Place extends SchemaRules {
  readonly root: unknown
  readonly prefix: string
  readonly byPointer: Map<string, string>
  depth: number
  /** Schemas and members that have been looked at: small schemas can refer to each other for ever. */
  steps: number
}

/**
 * Adds rules for JSON text that fits a schema and gives the name of the first of them. Throws `request-invalid` for what
 * is no schema, and `not-expressible` for one that nothing fits or that is beyond any honest size.
 */
export function addSchema(schema: unknown, into: SchemaRules, prefix: string): string {
  const byPointer = new Map<string, string>()
  const place: Place = { ...into, root: schema, prefix, byPointer, depth: 0, steps: 0 }
  byPointer.set('#', `${prefix}-0`)
  return named(place, () => ruleOf(place, schema), `${prefix}-0`)
}

const mostRules = 5000
const mostSteps = 30_000
const mostCharacters = 2_000_000
/** Every value of an `enum` is looked at for every token. */
const mostValues = 1000
const deepest = 64
/** Keywords that say nothing of what fits, or that are looked at where they belong. */
const known: ReadonlySet<string> = new Set(
  `$schema $id $anchor $comment $defs definitions title description default examples example deprecated readOnly writeOnly
  $ref type enum const anyOf oneOf allOf properties required additionalProperties items prefixItems additionalItems minItems maxItems minLength
  maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum nullable strict id discriminator`.split(
    /\s+/,
  ),
)

function named(
  place: Place,
  make: () => string,
  name = `${place.prefix}-${place.rules.size}`,
): string {
  if (place.rules.size >= mostRules) refuse(place, `needs more than ${mostRules} rules`)
  place.rules.set(name, '')
  if (++place.depth > deepest) refuse(place, `is nested deeper than ${deepest} levels`)
  const rule = make()
  place.rules.set(name, rule)
  place.depth--
  // A long name or value counts in every place that refers to it.
  place.size.characters += rule.length
  if (place.size.characters > mostCharacters) refuse(place, 'is beyond any size')
  return name
}

function spend(place: Place, steps = 1): void {
  place.steps += steps
  if (place.steps > mostSteps) refuse(place, 'refers to itself without end, or is beyond any size')
}

function ruleOf(place: Place, schema: unknown): string {
  spend(place)
  if (schema === true) return 'value'
  if (schema === false) refuse(place, 'allows nothing (`false`)')
  if (!isObject(schema)) throw invalid(place, 'a schema is an object')
  for (const key of Object.keys(schema)) if (!known.has(key)) place.loose.add(key)
  const { $ref: pointer, ...beside } = schema
  if (pointer !== undefined)
    return hasShape(beside)
      ? ruleOf(place, merged(place, { ...beside, allOf: [{ $ref: pointer }] }))
      : reference(place, pointer)
  if (schema['const'] !== undefined) return valueText(schema['const'])
  if (schema['enum'] !== undefined) return oneOfValues(place, schema['enum'])
  for (const key of ['anyOf', 'oneOf'] as const)
    if (schema[key] !== undefined) return alternatives(place, schema, key)
  if (schema['allOf'] !== undefined) return ruleOf(place, merged(place, schema))
  return ofTypes(place, schema)
}

function reference(place: Place, pointer: unknown): string {
  if (typeof pointer !== 'string' || !/^#(?:$|\/)/.test(pointer))
    throw invalid(place, '`$ref` has to point into the schema itself, such as `#/$defs/name`')
  const known = place.byPointer.get(pointer)
  if (known !== undefined) return known
  const target = resolve(place, pointer)
  const name = `${place.prefix}-${place.rules.size}`
  place.byPointer.set(pointer, name)
  return named(place, () => ruleOf(place, target), name)
}

function resolve(place: Place, pointer: string): unknown {
  let at: unknown = place.root
  for (const part of pointer.slice(1).split('/').slice(1)) {
    const key = decodeURIComponentLenient(part).replaceAll('~1', '/').replaceAll('~0', '~')
    at = Array.isArray(at) ? at[Number(key)] : isObject(at) ? at[key] : undefined
  }
  if (at === undefined) throw invalid(place, `\`$ref\` points to nothing: ${pointer.slice(0, 100)}`)
  return at
}

function decodeURIComponentLenient(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray percent sign stands for itself.
    return text
  }
}

function oneOfValues(place: Place, values: unknown): string {
  if (!Array.isArray(values) || values.length === 0)
    throw invalid(place, '`enum` is a list of at least one value')
  if (values.length > mostValues || !hasRoom(place, 2 * values.length))
    refuse(place, 'has an `enum` of too many values')
  return values.map(valueText).join(' | ')
}

/** A value as JSON text. There are no blanks in it, so that there is one way to write it. */
function valueText(value: unknown): string {
  return literal(JSON.stringify(value))
}

function alternatives(place: Place, schema: JsonObject, key: 'anyOf' | 'oneOf'): string {
  const options = schema[key]
  if (!Array.isArray(options) || options.length === 0)
    throw invalid(place, `\`${key}\` is a list of at least one schema`)
  if (options.length > 1 && key === 'oneOf') place.loose.add('oneOf')
  const { [key]: _, ...beside } = schema
  const shared = hasShape(beside) ? beside : undefined
  return options
    .map((option: unknown) => {
      const whole = shared === undefined ? option : merged(place, { ...shared, allOf: [option] })
      return named(place, () => ruleOf(place, whole))
    })
    .join(' | ')
}

function hasShape(schema: JsonObject): boolean {
  return ['type', 'properties', 'required', 'items', 'enum', 'allOf'].some(
    (key) => schema[key] !== undefined,
  )
}

/** The schemas of `allOf` and what stands beside them as one. Of two that speak of the same thing the later one counts. */
function merged(place: Place, schema: JsonObject): JsonObject {
  const { allOf, ...beside } = schema
  if (!Array.isArray(allOf)) throw invalid(place, '`allOf` is a list of schemas')
  let whole: JsonObject = beside
  for (const part of allOf as unknown[]) {
    const target =
      isObject(part) && typeof part['$ref'] === 'string' ? resolve(place, part['$ref']) : part
    if (target === true) continue
    if (!isObject(target)) throw invalid(place, '`allOf` is a list of schemas')
    if (++place.depth > deepest) refuse(place, `is nested deeper than ${deepest} levels`)
    whole = joined(place, whole, target['allOf'] === undefined ? target : merged(place, target))
    place.depth--
  }
  return whole
}

function joined(place: Place, one: JsonObject, other: JsonObject): JsonObject {
  for (const key of ['anyOf', 'oneOf', 'enum', 'const'])
    if (one[key] !== undefined && other[key] !== undefined) place.loose.add('allOf')
  const properties = { ...objectAt(one, 'properties'), ...objectAt(other, 'properties') }
  const required = [...new Set([...listAt(one, 'required'), ...listAt(other, 'required')])]
  spend(place, Object.keys(properties).length + required.length + 1)
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  }
}

function ofTypes(place: Place, schema: JsonObject): string {
  const said = schema['type'] ?? impliedType(schema)
  if (said === undefined) return 'value'
  const types: unknown[] = Array.isArray(said) ? said : [said]
  const options = types.map((type) => ofType(place, schema, type))
  if (schema['nullable'] === true) options.push('null')
  if (options.length === 0) throw invalid(place, '`type` is a list of at least one type')
  return options.length === 1
    ? options.join('')
    : options.map((one) => named(place, () => one)).join(' | ')
}

function impliedType(schema: JsonObject): string | undefined {
  if (schema['properties'] !== undefined || schema['additionalProperties'] !== undefined)
    return 'object'
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return 'array'
  return schema['pattern'] === undefined && schema['format'] === undefined ? undefined : 'string'
}

function ofType(place: Place, schema: JsonObject, type: unknown): string {
  switch (type) {
    case 'object':
      return objectRule(place, schema)
    case 'array':
      return arrayRule(place, schema)
    case 'string':
      return stringRule(place, schema)
    case 'integer':
      return integerRule(place, schema)
    case 'number':
      return numberRule(place, schema)
    case 'boolean':
    case 'null':
      return type
    default:
      throw invalid(
        place,
        `\`type\` is none of JSON Schema's: ${JSON.stringify(type)?.slice(0, 40)}`,
      )
  }
}

/** Properties come in the schema's order. Those that it does not name are left out, which always fits. */
function objectRule(place: Place, schema: JsonObject): string {
  const properties = Object.entries(objectAt(schema, 'properties'))
  const required = new Set(listAt(schema, 'required'))
  const others = schema['additionalProperties']
  const names = new Set<unknown>(properties.map(([key]) => key))
  for (const name of required)
    if (typeof name === 'string' && !names.has(name)) properties.push([name, others ?? true])
  if (properties.length === 0) return freeObject(place, others)
  const members = properties.map(([key, value]) => {
    const rule = named(place, () => ruleOf(place, value))
    return {
      text: `${literal(`${JSON.stringify(key)}:`)} gap ${rule}`,
      isRequired: required.has(key),
    }
  })
  return `"{" gap ${membersRule(place, members)} gap "}"`
}

function freeObject(place: Place, others: unknown): string {
  if (others === false) return '"{" gap "}"'
  if (others === undefined || others === true) return 'object'
  const value = named(place, () => ruleOf(place, others))
  const member = named(place, () => `string ":" gap ${value}`)
  return `"{" gap ( ${member} ( "," gap ${member} )* )? gap "}"`
}

interface Member {
  readonly text: string
  readonly isRequired: boolean
}

/** What may come first is the first required member or any before it; each later one begins with a comma. */
function membersRule(place: Place, members: readonly Member[]): string {
  let rest = ''
  let first = ''
  for (const { text, isRequired } of members.toReversed()) {
    const begun = `${text} ${rest}`.trimEnd()
    const later = first
    if (isRequired) first = begun
    else first = later === '' ? `( ${begun} )?` : `${begun} | ${named(place, () => later)}`
    const follow = isRequired ? `"," gap ${begun}` : `( "," gap ${text} )? ${rest}`.trimEnd()
    rest = named(place, () => follow)
  }
  return `( ${first} )`
}

function arrayRule(place: Place, schema: JsonObject): string {
  const { fixed, others } = itemsOf(schema)
  const least = Math.max(count(place, schema, 'minItems') ?? 0, fixed.length)
  const most = upTo(place, schema, 'maxItems')
  if (most !== undefined && most < least) refuse(place, 'has a list of more items than it may have')
  if (fixed.length > 0) return tupleRule(place, { fixed, others, least, most })
  if (most === 0) return '"[" gap "]"'
  const item = named(place, () => ruleOf(place, others ?? true))
  const rest = `( "," gap ${item} )${repeats(Math.max(0, least - 1), most === undefined ? undefined : most - 1)}`
  return least === 0 ? `"[" gap ( ${item} ${rest} )? gap "]"` : `"[" gap ${item} ${rest} gap "]"`
}

interface Items {
  /** What stands in the places from the first one on. */
  readonly fixed: readonly unknown[]
  /** What may follow, if the schema says. */
  readonly others: unknown
}

/** Until draft 2019-09 the fixed items were a list in `items`, and `additionalItems` said what follows. */
function itemsOf(schema: JsonObject): Items {
  const { items, additionalItems } = schema
  return Array.isArray(items)
    ? { fixed: items, others: additionalItems }
    : { fixed: listAt(schema, 'prefixItems'), others: items }
}

interface Tuple extends Items {
  readonly least: number
  readonly most: number | undefined
}

/** All of the fixed items, and as many others as there have to be, or may be if the schema says what they are. */
function tupleRule(place: Place, { fixed, others, least, most }: Tuple): string {
  const items = fixed.map((one) => named(place, () => ruleOf(place, one)))
  const missing = least - fixed.length
  const isOpen = isObject(others) && most !== fixed.length
  let rest = ''
  if (isOpen || missing > 0) {
    const item = named(place, () => ruleOf(place, others ?? true))
    const end = most === undefined ? undefined : most - fixed.length
    rest = ` ( "," gap ${item} )${repeats(missing, isOpen ? end : missing)}`
  }
  return `"[" gap ${items.join(' "," gap ')}${rest} gap "]"`
}

function objectAt(schema: JsonObject, key: string): JsonObject {
  const value = schema[key]
  return isObject(value) ? value : {}
}

function listAt(schema: JsonObject, key: string): readonly unknown[] {
  const value = schema[key]
  return Array.isArray(value) ? value : []
}
