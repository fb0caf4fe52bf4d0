import type { EmbeddingReply, EmbeddingRequest } from '#chat/embedding.ts'
import { GatewayError } from '#chat/error.ts'
import type { TargetModel } from '#chat/target.ts'
import type { Usage } from '#chat/usage.ts'

/** How a protocol asks for embeddings and reads them. */
export interface EmbeddingCodec {
  encodeRequest(request: EmbeddingRequest, target: TargetModel): string
  /** Throws `upstream-failed` for anything but a vector for each input of the request, in their order. */
  decodeReply(text: string, request: EmbeddingRequest): EmbeddingReply
}

export interface BatchOptions {
  readonly signal: AbortSignal
  readonly ask: (batch: EmbeddingRequest, signal: AbortSignal) => Promise<EmbeddingReply>
}

const usualBatch = 2048
const atOnce = 4

/**
 * Embeds all inputs in requests that are no larger than the target takes, a few at a time, and joins the answers in
 * the order of the inputs. The first failure ends the others and is the failure of the whole.
 */
export async function embedInBatches(
  request: EmbeddingRequest,
  target: TargetModel,
  { signal, ask }: BatchOptions,
): Promise<EmbeddingReply> {
  const size = target.profile.embeddingBatch ?? usualBatch
  if (request.inputs.length <= size) return ask(request, signal)
  const batches = inputBatches(request, size)
  const replies: EmbeddingReply[] = []
  const giveUp = new AbortController()
  const anySignal = AbortSignal.any([signal, giveUp.signal])
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < batches.length; index = next++) {
      const batch = batches[index]
      if (batch !== undefined) replies[index] = await ask(batch, anySignal)
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
  } catch (error) {
    giveUp.abort(error)
    throw error
  }
  return joined(replies)
}

function inputBatches(request: EmbeddingRequest, size: number): EmbeddingRequest[] {
  return Array.from({ length: Math.ceil(request.inputs.length / size) }, (_, index) => ({
    ...request,
    inputs: request.inputs.slice(index * size, (index + 1) * size),
  }))
}

function joined(replies: readonly EmbeddingReply[]): EmbeddingReply {
  const vectors = replies.flatMap((reply) => reply.vectors)
  const width = vectors[0]?.length
  if (vectors.some((vector) => vector.length !== width)) {
    throw new GatewayError(
      'upstream-failed',
      'The upstream answered with vectors of several widths.',
    )
  }
  return {
    model: replies[0]?.model ?? '',
    vectors,
    usage: summed(replies.map(({ usage }) => usage)),
  }
}

/** The batches are requests of their own, so their counts add up; what none reported stays unknown. */
function summed(usages: readonly Usage[]): Usage {
  const sum: { -readonly [Key in keyof Usage]: Usage[Key] } = {}
  for (const usage of usages) {
    for (const key of ['input', 'cacheRead', 'cacheWrite', 'output', 'reasoning'] as const) {
      const count = usage[key]
      if (count !== undefined) sum[key] = (sum[key] ?? 0) + count
    }
  }
  return sum
}
