import type { LlamaEmbeddingContext, LlamaModel, Token } from 'node-llama-cpp'

import type { EmbeddingInput } from '#chat/embedding.ts'
import { GatewayError } from '#chat/error.ts'

import { leaveToCollector } from './native-memory.ts'
import { asToken } from './vocabulary.ts'

export interface Embedding {
  readonly vectors: readonly Float32Array[]
  readonly tokens: number
}

export interface EmbedRequest {
  readonly inputs: readonly EmbeddingInput[]
  readonly dimensions?: number
  /** Tells whether the caller has left. */
  readonly isAborted: () => boolean
}

/** An embedding model that is loaded. */
export interface Embedder {
  readonly model: LlamaModel
  readonly context: LlamaEmbeddingContext
  /** Tokens that one text may have. */
  readonly contextSize: number
  readonly vocabulary: number
}

/**
 * One vector of length 1 for each input, cut to `dimensions` before. Throws `context-exceeded` for a text that is too long, and
 * `request-invalid` for token ids or dimensions that the model does not have.
 */
export async function embed(embedder: Embedder, request: EmbedRequest): Promise<Embedding> {
  const width = embedder.model.embeddingVectorSize
  const { dimensions = width } = request
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > width)
    throw new GatewayError(
      'request-invalid',
      `This model's vectors have from 1 to ${width} dimensions.`,
      { param: 'dimensions' },
    )
  const inputs = request.inputs.map((input, index) => tokensOf(embedder, input, index))
  const vectors: Float32Array[] = []
  for (const tokens of inputs) {
    if (request.isAborted()) break
    const { vector } = await embedder.context.getEmbeddingFor(tokens)
    vectors.push(unit(vector, dimensions))
    leaveToCollector(embedder.vocabulary)
  }
  return { vectors, tokens: inputs.reduce((sum, { length }) => sum + length, 0) }
}

function tokensOf(embedder: Embedder, input: EmbeddingInput, index: number): Token[] {
  const { model, context, contextSize } = embedder
  const param = `input[${index}]`
  const tokens =
    typeof input === 'string'
      ? model.tokenize(input)
      : input.map((id) => knownToken(embedder, id, param))
  const length = context.calculateInputLength(tokens)
  if (length === 0) throw new GatewayError('request-invalid', `${param} is empty.`, { param })
  if (length >= contextSize)
    throw new GatewayError(
      'context-exceeded',
      `${param} has ${length} tokens, and this model reads at most ${contextSize - 1} of one text.`,
      { param },
    )
  return withEnds(model, tokens)
}

function knownToken({ vocabulary }: Embedder, id: number, param: string): Token {
  if (Number.isInteger(id) && id >= 0 && id < vocabulary) return asToken(id)
  throw new GatewayError(
    'request-invalid',
    `${param} has a token that this model does not have; its ids go from 0 to ${vocabulary - 1}.`,
    {
      param,
    },
  )
}

/** The words that the model was trained to see around a text: they are read, so they are counted. */
function withEnds(model: LlamaModel, tokens: Token[]): Token[] {
  const { bos, eos, shouldPrependBosToken, shouldAppendEosToken } = model.tokens
  if (shouldPrependBosToken && bos !== null && tokens[0] !== bos) tokens.unshift(bos)
  if (shouldAppendEosToken && eos !== null && tokens.at(-1) !== eos) tokens.push(eos)
  return tokens
}

function unit(vector: readonly number[], dimensions: number): Float32Array {
  const cut = Float32Array.from(vector.slice(0, dimensions))
  let square = 0
  for (const value of cut) square += value * value
  const length = Math.sqrt(square) || 1
  return cut.map((value) => value / length)
}
