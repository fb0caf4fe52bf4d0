import type { Conversation } from '#chat/conversation.ts'
import { GatewayError } from '#chat/error.ts'
import { isObject, parseJson, type RawJson } from '#std/json.ts'

/** How the next token is picked. */
export interface Sampling {
  /** 0 picks the likeliest. */
  readonly temperature: number
  readonly topK: number
  readonly topP: number
  readonly minP: number
  /** 32 bits. */
  readonly seed: number
  readonly frequencyPenalty: number
  readonly presencePenalty: number
  /** What is added to the score of a token, by its id. */
  readonly bias: ReadonlyMap<number, number>
}

/** What a model's file recommends for itself. */
export type Recommended = Partial<Pick<Sampling, 'temperature' | 'topK' | 'topP' | 'minP'>>

/** For models that recommend nothing: the temperature of the protocols, and no unlikely tokens. */
const usual = { temperature: 1, topK: 40, topP: 0.95, minP: 0.05 }

/**
 * How a request is to be sampled. What it leaves out is the model's own recommendation, else a common value; without a
 * seed it gets a random one. Throws `request-invalid` for values that have no meaning.
 */
export function samplingOf(
  { sampling }: Conversation,
  recommended: Recommended,
  vocabulary: number,
): Sampling {
  const base = { ...usual, ...recommended }
  return {
    temperature: within('temperature', sampling.temperature ?? base.temperature, [0, 100]),
    topK: Math.trunc(within('top_k', sampling.topK ?? base.topK, [-1, 2 ** 31 - 1])),
    topP: within('top_p', sampling.topP ?? base.topP, [0, 1]),
    minP: within('min_p', sampling.minP ?? base.minP, [0, 1]),
    seed: seedOf(sampling.seed),
    frequencyPenalty: within('frequency_penalty', sampling.frequencyPenalty ?? 0, [-100, 100]),
    presencePenalty: within('presence_penalty', sampling.presencePenalty ?? 0, [-100, 100]),
    bias: biasOf(sampling.logitBias, vocabulary),
  }
}

function within(param: string, value: number, [least, most]: readonly [number, number]): number {
  if (value >= least && value <= most) return value
  throw new GatewayError('request-invalid', `${param} is a number from ${least} to ${most}.`, {
    param,
  })
}

/** Larger seeds than 32 bits, and those below zero, are folded: each still has its own answers. */
function seedOf(raw: RawJson | undefined): number {
  if (raw === undefined || raw === 'null') return Math.floor(Math.random() * 2 ** 32)
  if (!/^-?\d{1,20}$/.test(raw))
    throw new GatewayError('request-invalid', 'seed is a whole number.', { param: 'seed' })
  return Number(BigInt.asUintN(32, BigInt(raw)))
}

function biasOf(raw: RawJson | undefined, vocabulary: number): ReadonlyMap<number, number> {
  const bias = new Map<number, number>()
  const parsed = parseJson(raw ?? 'null')
  if (!parsed.ok || parsed.value === null) return bias
  if (!isObject(parsed.value)) throw badBias('an object of token ids and numbers')
  for (const [key, value] of Object.entries(parsed.value)) {
    const token = Number(key)
    if (!Number.isInteger(token) || token < 0 || token >= vocabulary)
      throw badBias(`of token ids from 0 to ${vocabulary - 1}`)
    if (typeof value !== 'number' || Math.abs(value) > 100)
      throw badBias('of numbers from -100 to 100')
    // The protocol's ends are bans and commands, whatever the scores of the model.
    bias.set(token, value === -100 ? -Infinity : value)
  }
  return bias
}

function badBias(what: string): GatewayError {
  return new GatewayError('request-invalid', `logit_bias is ${what}.`, { param: 'logit_bias' })
}
