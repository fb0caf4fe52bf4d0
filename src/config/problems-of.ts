import type { z } from 'zod'

import { isObject } from '#std/json.ts'

import type { Problem } from './problem.ts'

type Issue = z.core.$ZodIssue
type Path = Problem['path']

export interface IssueContext {
  /** The config as it was read, to say what was found. */
  readonly value: unknown
  /** Paths whose values are not to be shown. */
  readonly secretPaths: ReadonlySet<string>
  /** The published schema, to say which keys there are. */
  readonly jsonSchema: unknown
}

/** What the schema's issues say to an operator. */
export function problemsOf(issues: readonly Issue[], context: IssueContext): Problem[] {
  return issues.flatMap((issue) => problemsOfIssue(issue, pathOf(issue), context))
}

function problemsOfIssue(issue: Issue, path: Path, context: IssueContext): Problem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => unknownKey(path, key, context))
  if (issue.code === 'invalid_key') {
    const inner = issue.issues.map(({ message }) => message).join('; ')
    return [{ path, found: 'this key', expected: inner }]
  }
  return [{ path, found: shown(path, context), expected: expectation(issue) }]
}

function expectation(issue: Issue): string {
  if (issue.code === 'invalid_value')
    return issue.message.startsWith('expected')
      ? issue.message
      : `expected ${oneOf(issue.values.map(String))}`
  if (issue.code === 'invalid_type' && !issue.message.startsWith('expected'))
    return `expected ${named[issue.expected] ?? issue.expected}`
  return issue.message
}

const named: Readonly<Record<string, string>> = {
  object: 'a mapping of keys to values',
  record: 'a mapping of names to values',
  array: 'a list',
  string: 'text',
}

function unknownKey(path: Path, key: string, { jsonSchema }: IssueContext): Problem {
  const keys = keysAt(jsonSchema, path)
  const close = keys.find((one) => isClose(one, key))
  const expected = close === undefined ? `expected ${oneOf(keys)}` : `did you mean \`${close}\`?`
  return { path: [...path, key], found: 'an unknown key', expected }
}

function oneOf(values: readonly string[]): string {
  return `one of ${values.map((value) => `\`${value}\``).join(', ')}`
}

/** What is at a path: only its kind where it may be secret. */
function shown(path: Path, { value, secretPaths }: IssueContext): string {
  let found = value
  for (const step of path)
    found = Array.isArray(found) || isObject(found) ? Reflect.get(found, step) : undefined
  if (found === undefined) return 'nothing'
  if (secretPaths.has(path.join('\0'))) return 'a value from the environment'
  if (typeof found === 'string')
    return path.includes('key') || path.includes('headers') ? 'text' : `\`${found.slice(0, 80)}\``
  if (Array.isArray(found)) return 'a list'
  return isObject(found) ? 'a mapping' : `\`${JSON.stringify(found)}\``
}

/** The keys that the schema has at a path. */
function keysAt(schema: unknown, path: Path): string[] {
  let at = schema
  for (const step of path) at = stepInto(at, step)
  const properties = isObject(at) ? at['properties'] : undefined
  return isObject(properties) ? Object.keys(properties) : []
}

function stepInto(schema: unknown, step: string | number): unknown {
  if (!isObject(schema)) return undefined
  if (typeof step === 'number') return schema['items']
  const { properties } = schema
  return isObject(properties) && step in properties
    ? properties[step]
    : schema['additionalProperties']
}

/** Whether two words differ in their case, their dashes, or one letter. */
function isClose(one: string, other: string): boolean {
  const [a, b] = [one, other].map((word) => word.toLowerCase().replaceAll(/[-_]/g, ''))
  if (a === undefined || b === undefined) return false
  if (a === b) return true
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.length - short.length > 1) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start++
  let end = 0
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end++
  return long.length - start - end <= 1
}

function pathOf({ path }: Issue): Path {
  return path.map((step) => (typeof step === 'number' ? step : String(step)))
}
