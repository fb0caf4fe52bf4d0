import type { ProtocolName } from '#chat/names.ts'
import { limitHeaders } from '#protocols/limit-headers.ts'

const passed: ReadonlySet<string> = new Set([
  'retry-after',
  'retry-after-ms',
  'openai-processing-ms',
  'anthropic-organization-id',
])

const priorityFamily = 'anthropic-priority-'

const requestIds = ['x-request-id', 'request-id', 'apim-request-id'] as const

/** A value that could not break a header of ours, whatever the upstream sent. */
const harmless = /^[\x20-\x7e]{1,256}$/

/**
 * The headers of an upstream's answer that a caller may see, under their lower-case names, its limits in the words of
 * the caller's protocol. Nothing else goes through.
 */
export function visibleHeaders(
  headers: Headers,
  caller: ProtocolName,
): ReadonlyMap<string, string> {
  const visible = new Map<string, string>()
  const limits: [name: string, value: string][] = []
  headers.forEach((value, name) => {
    if (!harmless.test(value)) return
    if (isLimit(name)) limits.push([name, value])
    else if (passed.has(name) || name.startsWith(priorityFamily)) visible.set(name, value)
  })
  for (const [name, value] of limitHeaders(caller, limits)) visible.set(name, value)
  const id = requestIds.map((name) => headers.get(name)).find((value) => value !== null)
  if (id !== undefined && id !== null && harmless.test(id)) visible.set('x-upstream-request-id', id)
  return visible
}

/** The headers in which an upstream tells of its rate limits, as it words them. */
export function limitsIn(headers: Headers): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  headers.forEach((value, name) => {
    if (isLimit(name) && harmless.test(value)) found.set(name, value)
  })
  return found
}

function isLimit(name: string): boolean {
  return name.startsWith('x-ratelimit-') || name.startsWith('anthropic-ratelimit-')
}
