import type { Family } from '#chat/conversation.ts'
import { readCount, totalInput, type Usage } from '#chat/usage.ts'
import { given } from '#protocols/given.ts'
import type { JsonObject } from '#std/json.ts'

import { objectIn, type WireUsage } from './wire.ts'

/** Tokens as this protocol writes them. Details that nobody reported are left out, never written as zero. */
export function encodeUsage(usage: Usage): WireUsage {
  const prompt = totalInput(usage)
  const completion = usage.output ?? 0
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...promptDetails(usage),
    ...(usage.reasoning === undefined
      ? {}
      : { completion_tokens_details: { reasoning_tokens: Math.min(usage.reasoning, completion) } }),
  }
}

/**
 * Reads what a server counted, wherever it put the cached tokens. Undefined if it is no usage at all.
 * Their prompt includes what the cache read and wrote; our input does not. `family` is whose model it is, where known.
 */
export function decodeUsage(wire: unknown, family?: Family): Usage | undefined {
  const counts = objectIn(wire)
  if (counts === undefined) return undefined
  const prompt = readCount(counts['prompt_tokens'])
  const completion = readCount(counts['completion_tokens'])
  const read = cacheReadIn(counts)
  const write = readCount(objectIn(counts['prompt_tokens_details'])?.['cache_write_tokens'])
  const total = readCount(counts['total_tokens'])
  const told = reasoningIn(counts)
  const reasoning =
    told ?? (family === 'google' ? untoldThoughts({ prompt, completion, total }) : undefined)
  const output = outputOf({ prompt, completion, reasoning, total })
  return {
    ...given('input', prompt && Math.max(0, prompt - (read ?? 0) - (write ?? 0))),
    ...given('cacheRead', read),
    ...given('cacheWrite', write),
    ...given('output', output),
    ...given('reasoning', reasoning && Math.min(reasoning, output ?? reasoning)),
  }
}

/** Whether a server claims to have read more from its cache than it was sent. */
export function exceedsPrompt(wire: unknown): boolean {
  const counts = objectIn(wire)
  const prompt = readCount(counts?.['prompt_tokens'])
  return counts !== undefined && prompt !== undefined && (cacheReadIn(counts) ?? 0) > prompt
}

function promptDetails({ cacheRead, cacheWrite }: Usage): Pick<WireUsage, 'prompt_tokens_details'> {
  const details = {
    ...given('cached_tokens', cacheRead),
    ...given('cache_write_tokens', cacheWrite),
  }
  return Object.keys(details).length === 0 ? {} : { prompt_tokens_details: details }
}

// The standard place, then DeepSeek's, then Moonshot's.
function cacheReadIn(counts: JsonObject): number | undefined {
  return (
    readCount(objectIn(counts['prompt_tokens_details'])?.['cached_tokens']) ??
    readCount(counts['prompt_cache_hit_tokens']) ??
    readCount(counts['cached_tokens'])
  )
}

function reasoningIn(counts: JsonObject): number | undefined {
  return (
    readCount(objectIn(counts['completion_tokens_details'])?.['reasoning_tokens']) ??
    readCount(counts['reasoning_tokens'])
  )
}

interface Counts {
  readonly prompt: number | undefined
  readonly completion: number | undefined
  readonly total: number | undefined
}

/** Google may tell of its thoughts by the total alone. What others count into theirs beside prompt and answer is not known. */
function untoldThoughts({ prompt, completion, total }: Counts): number | undefined {
  if (prompt === undefined || completion === undefined || total === undefined) return undefined
  const surplus = total - prompt - completion
  return surplus > 0 ? surplus : undefined
}

// Some servers leave the thoughts out of the completion; only their total gives it away.
function outputOf({
  prompt,
  completion,
  reasoning,
  total,
}: Counts & { readonly reasoning: number | undefined }): number | undefined {
  if (prompt === undefined || completion === undefined || !reasoning) return completion
  return total === prompt + completion + reasoning ? completion + reasoning : completion
}
