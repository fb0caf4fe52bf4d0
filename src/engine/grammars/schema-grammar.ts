import { isObject, type JsonObject } from '#std/json.ts'

import { flattened, joined } from './flat-schema.ts'
import { literal } from './grammar-text.ts'
import { hasShape, isKnown } from './schema-keywords.ts'
import { deeper, listAt, objectAt, type Place, resolve, spend } from './schema-place.ts'
import {
  count,
  hasRoom,
  integerRule,
  invalid,
  loosen,
  numberRule,
  refuse,
  repeats,
  type SchemaRules,
  stringRule,
  upTo,
} from './schema-scalars.ts'

/**
 * Adds rules for JSON text that fits a schema and gives the name of the first of them. Throws `request-invalid` for what
 * is no schema, and `not-expressible` for one that nothing fits or that is beyond any honest size.
 */
export function addSchema(schema: unknown, into: SchemaRules, prefix: string): string {
  const byReference = new Map<unknown, string>()
  const place: Place = { ...into, root: schema, prefix, byReference, depth: 0, steps: 0 }
  byReference.set('#', `${prefix}-0`)
  return named(place, () => ruleOf(place, schema), `${prefix}-0`)
}

const mostRules = 5000
const mostCharacters = 2_000_000
/** Every value of an `enum` is looked at for every token. */
const mostValues = 1000
function named(
  place: Place,
  make: () => string,
  name = `${place.prefix}-${place.rules.size}`,
): string {
  if (place.rules.size >= mostRules) refuse(place, `needs more than ${mostRules} rules`)
  place.rules.set(name, '')
  const rule = deeper(place, make)
  place.rules.set(name, rule)
  // A long name or value counts in every place that refers to it.
  place.size.characters += rule.length
  if (place.size.characters > mostCharacters) refuse(place, 'is beyond any size')
  return name
}

function ruleOf(place: Place, schema: unknown): string {
  spend(place)
  if (schema === true) return 'value'
  if (schema === false) refuse(place, 'allows nothing (`false`)')
  if (!isObject(schema)) throw invalid(place, 'a schema is an object')
  for (const key of Object.keys(schema)) if (!isKnown(key)) place.loose.add(key)
  if (schema['$ref'] !== undefined) return referring(place, schema)
  if (schema['allOf'] !== undefined) return ruleOf(place, flattened(place, schema))
  if (schema['const'] !== undefined || schema['enum'] !== undefined)
    return valuesRule(place, schema)
  for (const key of ['anyOf', 'oneOf'] as const)
    if (schema[key] !== undefined) return alternatives(place, schema, key)
  return ofTypes(place, schema)
}

/** Many places may share the rule that they refer to, unless they say more than that there may be nothing. */
function referring(place: Place, schema: JsonObject): string {
  const { $ref: pointer, nullable, ...beside } = schema
  if (hasShape(beside)) return reference(place, schema, () => flattened(place, schema))
  const rule = reference(place, pointer, () => resolve(place, pointer))
  return nullable === true ? `${rule} | null` : rule
}

/** The rule of what is referred to. It has its name before it is written, so that it may refer to itself. */
function reference(place: Place, key: unknown, target: () => unknown): string {
  const known = place.byReference.get(key)
  if (known !== undefined) return known
  const referred = target()
  const name = `${place.prefix}-${place.rules.size}`
  place.byReference.set(key, name)
  return named(place, () => ruleOf(place, referred), name)
}

function valuesRule(place: Place, schema: JsonObject): string {
  loosen(place, schema, ['anyOf', 'oneOf'])
  const { const: value, enum: list } = schema
  return value === undefined ? oneOfValues(place, list) : valueText(value)
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
  const { [key]: _, ...shared } = schema
  const wholes = hasShape(shared)
    ? options.flatMap((one) => withShared(place, shared, one))
    : options
  if (wholes.length === 0) refuse(place, `has an \`${key}\` with nothing that fits the rest`)
  return wholes.map((whole: unknown) => named(place, () => ruleOf(place, whole))).join(' | ')
}

/** An option with what it shares with the others; nothing if the two exclude each other. */
function withShared(place: Place, shared: JsonObject, option: unknown): readonly unknown[] {
  const flat = flattened(place, option)
  const whole = flat !== false && joined(place, shared, flat)
  return whole === false ? [] : [whole]
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

/** Whoever limits texts, say, without a type means texts. */
function impliedType(schema: JsonObject): string | undefined {
  return Object.keys(implying).find((type) =>
    implying[type]?.some((key) => schema[key] !== undefined),
  )
}

const implying: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'additionalProperties', 'required'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems'],
  string: ['pattern', 'format', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
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
  if (properties.length === 0) return freeObject(place, others ?? !listsNone(schema))
  const members = properties.map(([key, value]) => {
    const rule = named(place, () => ruleOf(place, value))
    return {
      text: `${literal(`${JSON.stringify(key)}:`)} gap ${rule}`,
      isRequired: required.has(key),
    }
  })
  return `"{" gap ${membersRule(place, members)} gap "}"`
}

/** Whoever lists the properties, and lists none, wants none: a tool without parameters is called without arguments. */
function listsNone(schema: JsonObject): boolean {
  const isOpen = schema['patternProperties'] !== undefined || schema['minProperties'] !== undefined
  return isObject(schema['properties']) && !isOpen
}

function freeObject(place: Place, others: unknown): string {
  if (others === false) return '"{" gap "}"'
  if (others === true) return 'object'
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
