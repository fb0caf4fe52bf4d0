import { isObject, type JsonObject } from '#std/json.ts'

import { isShape } from './schema-keywords.ts'
import { deeper, listAt, objectAt, type Place, resolve, spend } from './schema-place.ts'
import { invalid } from './schema-scalars.ts'

/**
 * A schema that says itself what its `$ref` and its `allOf` say; `false` if nothing fits all of them. Throws
 * `request-invalid` for what is no schema, and `not-expressible` for one that is a part of itself.
 */
export function flattened(place: Place, schema: unknown): JsonObject | false {
  if (schema === true) return {}
  if (schema === false) return false
  if (!isObject(schema)) throw invalid(place, 'a schema is an object')
  const { $ref: pointer, allOf = [], ...beside } = schema
  if (!Array.isArray(allOf)) throw invalid(place, '`allOf` is a list of schemas')
  const parts: unknown[] = [...(pointer === undefined ? [] : [resolve(place, pointer)]), ...allOf]
  if (parts.length === 0) return beside
  let whole: JsonObject | false = {}
  for (const part of parts) {
    const flat = deeper(place, () => flattened(place, part))
    whole = whole !== false && flat !== false && joined(place, whole, flat)
  }
  whole = whole !== false && joined(place, whole, beside)
  if (whole === false || whole['properties'] === undefined) return whole
  // What a schema names itself is written before what it takes from others.
  return {
    ...whole,
    properties: { ...objectAt(beside, 'properties'), ...objectAt(whole, 'properties') },
  }
}

/**
 * Two flat schemas as one; `false` if nothing fits both. Where that cannot be said, the later one counts and the keyword
 * is told as not enforced.
 */
export function joined(place: Place, one: JsonObject, other: JsonObject): JsonObject | false {
  const whole: Record<string, unknown> = { ...one, ...other }
  for (const key of Object.keys(other))
    if (Object.hasOwn(one, key)) whole[key] = met(place, key, [one[key], other[key]])
  spend(place, lengthOf(whole))
  return !isEmpty(whole) && ofItsTypes(whole)
}

/** What joining costs. Values are only looked at, so that ten of them are a step. */
function lengthOf(schema: JsonObject): number {
  const members = Object.keys(objectAt(schema, 'properties')).length
  const names = listAt(schema, 'required').length + listAt(schema, 'type').length
  return 1 + members + names + Math.ceil(listAt(schema, 'enum').length / 10)
}

/** What a keyword says that two schemas have. */
function met(place: Place, key: string, [one, other]: readonly [unknown, unknown]): unknown {
  if (one === other) return one
  if (key === 'type') return commonTypes(one, other)
  if (key === 'nullable') return one === true && other === true
  if (key === 'required' && Array.isArray(one) && Array.isArray(other))
    return [...new Set<unknown>([...one, ...other])]
  if (key === 'properties' && isObject(one) && isObject(other)) {
    if (Object.keys(other).some((name) => Object.hasOwn(one, name) && one[name] !== other[name]))
      place.loose.add(key)
    return { ...one, ...other }
  }
  const stricter = limits[key]
  if (stricter !== undefined && typeof one === 'number' && typeof other === 'number')
    return stricter(one, other)
  if (isShape(key)) place.loose.add(key)
  return other
}

type Stricter = (one: number, other: number) => number

const limits: Readonly<Record<string, Stricter>> = {
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  minLength: Math.max,
  minItems: Math.max,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
  maxLength: Math.min,
  maxItems: Math.min,
}

/** Whether a lower limit is above the upper one. */
function isEmpty(schema: JsonObject): boolean {
  return ranges.some(([from, to]) => Number(schema[from]) > Number(schema[to]))
}

const ranges = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minimum', 'maximum'],
] as const

function commonTypes(one: unknown, other: unknown): readonly unknown[] {
  const others = new Set(listOf(other))
  const isNumber = [...others].some(isNumeric)
  const common = listOf(one).flatMap((type) => {
    if (others.has(type)) return [type]
    return isNumber && isNumeric(type) ? ['integer'] : []
  })
  return [...new Set(common)]
}

function isNumeric(type: unknown): boolean {
  return type === 'integer' || type === 'number'
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** The schema without values that are of none of its types; `false` if it has no type or no value left. */
function ofItsTypes(schema: JsonObject): JsonObject | false {
  const { type, const: value, enum: values } = schema
  if (type === undefined) return schema
  const types = [...listOf(type), ...(schema['nullable'] === true ? ['null'] : [])]
  const fits = (one: unknown) => types.some((name) => isOfType(one, name))
  if (listOf(type).length === 0 || (value !== undefined && !fits(value))) return false
  if (!Array.isArray(values)) return schema
  const fitting: unknown[] = values.filter(fits)
  return fitting.length > 0 && { ...schema, enum: fitting }
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}
