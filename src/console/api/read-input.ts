import type { z } from 'zod'

import { AdminProblem, invalid } from '#console/access/problem.ts'
import { JsonTextError, membersOf, parseJson } from '#std/json.ts'

/** The JSON of a body; an empty one is an empty object. Throws `body-too-large` or `request-invalid`. */
export async function readBody(request: Request, mostBytes: number): Promise<unknown> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > mostBytes) throw tooLarge(mostBytes)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body ?? []) {
    size += part.length
    if (size > mostBytes) throw tooLarge(mostBytes)
    parts.push(part)
  }
  return parsed(textOf(Buffer.concat(parts)))
}

/** The query as an object. Throws `request-invalid` for a name that comes twice. */
export function readQuery(url: URL): Readonly<Record<string, string>> {
  const query = new Map<string, string>()
  for (const [name, value] of url.searchParams) {
    if (query.has(name)) throw invalid('This stands in the query twice.', name.slice(0, 60))
    query.set(name, value)
  }
  return Object.fromEntries(query)
}

/** What passes a schema. Throws `request-invalid` with the first field at fault, and says what was expected of it. */
export function checked(schema: z.ZodType, value: unknown): unknown {
  refuseReserved(value)
  const { data, error } = schema.safeParse(value)
  if (error === undefined) return data
  const [issue] = error.issues
  const path = (issue?.path ?? []).map((part) => String(part).slice(0, 60))
  if (issue?.code === 'unrecognized_keys') {
    const field = [...path, String(issue.keys[0]).slice(0, 60)].join('.')
    throw invalid(`There is no field ${printable(field)} here, or it cannot be set.`, field)
  }
  const field = path.join('.')
  throw invalid(`${printable(field) || 'The request'}: ${issue?.message ?? 'not valid'}.`, field)
}

/** Schemas do not see this name, which is no field of anything. */
function refuseReserved(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__')) throw invalid('There is no such field.', '__proto__')
  for (const member of Object.values(value)) refuseReserved(member)
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // The decoder says no more than that.
    throw invalid('The body is no UTF-8.')
  }
}

function parsed(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    // Depth is checked before the parser can be made slow by it.
    membersOf(text)
    const value = parseJson(text)
    if (value.ok) return value.value
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error
  }
  throw invalid('The body is no JSON object.')
}

function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?')
}

function tooLarge(mostBytes: number): AdminProblem {
  return new AdminProblem('body-too-large', `A body has ${mostBytes} bytes at most.`)
}
