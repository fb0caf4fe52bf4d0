/** What a model's file says of its attention, as far as a context's memory goes by it. */
export type AttentionFacts = Readonly<Record<string, unknown>>

export interface ContextShape {
  readonly contextSize: number
  readonly sequences: number
}

/** llama.cpp keeps keys and values as 16-bit numbers, and a record of each token beside them. */
const bytesPerNumber = 2
const bytesPerCell = 48

/**
 * The least that the context of a model takes, in bytes: 2 × layers × tokens × sequences × heads × width × 2, less where layers
 * look back on a window only or keep no tokens at all. An exact estimate takes memory itself, so that nobody asks it of
 * a context that cannot be.
 */
export function leastContextBytes(model: AttentionFacts, shape: ContextShape): number {
  const { contextSize, sequences } = shape
  const attention = asFacts(model['attention'])
  const window = countOf(attention['sliding_window']) ?? contextSize
  const tokens = model['ssm'] === undefined ? Math.min(contextSize, window) : 0
  const perToken = headsOf(model, attention) * widthOf(model, attention) * bytesPerNumber
  return sequences * (tokens * perToken + contextSize * bytesPerCell)
}

/** Heads with keys of their own, of all layers together. */
function headsOf(model: AttentionFacts, attention: AttentionFacts): number {
  const layers = countOf(model['block_count']) ?? 0
  const heads = attention['head_count_kv'] ?? attention['head_count']
  if (!Array.isArray(heads)) return layers * (countOf(heads) ?? 1)
  return heads.reduce<number>((sum, each) => sum + (countOf(each) ?? 0), 0)
}

/** Numbers that one head keeps of one token. Where keys and values are kept as one, only keys count. */
function widthOf(model: AttentionFacts, attention: AttentionFacts): number {
  const [heads] = [attention['head_count']].flat()
  const even = (countOf(model['embedding_length']) ?? 0) / Math.max(1, countOf(heads) ?? 1)
  const key = countOf(attention['key_length']) ?? even
  const value = countOf(attention['value_length']) ?? even
  return attention['kv_lora_rank'] === undefined ? key + value : key
}

function asFacts(value: unknown): AttentionFacts {
  const facts: AttentionFacts = Object(value)
  return facts
}

function countOf(value: unknown): number | undefined {
  const count = typeof value === 'bigint' ? Number(value) : value
  return typeof count === 'number' && count > 0 && Number.isFinite(count) ? count : undefined
}
