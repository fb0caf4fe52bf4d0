import type { LlamaContextSequence, LlamaGrammar, Token } from 'node-llama-cpp'

import type { Conversation } from '#chat/conversation.ts'
import { GatewayError } from '#chat/error.ts'
import type { ChatEvent, StopReason } from '#chat/event.ts'
import { callableTools, grammarOf, type Held } from '#engine/grammars/grammar-of.ts'

import { adapted } from './adapted.ts'
import { betweenBatches } from './batching.ts'
import type { ChatModel } from './chat-model.ts'
import { leaveToCollector } from './native-memory.ts'
import { type Prompt, promptOf } from './prompt.ts'
import { type Sampling, samplingOf } from './sampling-of.ts'
import { giveBack, sharedTokens, type Slot, takeSlot } from './slots.ts'
import { speak } from './speech.ts'

/** Where the events of an answer go, and whether anybody still wants them. */
export interface Listener {
  readonly tell: (events: readonly ChatEvent[]) => void
  readonly isAborted: () => boolean
}

/** The prompt of a conversation as tokens: what an answer would evaluate. Throws as `promptOf` does. */
export function readPrompt(
  model: ChatModel,
  conversation: Conversation,
): { readonly prompt: Prompt; readonly tokens: readonly Token[] } {
  const prompt = promptOf(conversation, model.template, model.guard)
  return { prompt, tokens: model.vocabulary.promptTokens(prompt.pieces) }
}

/**
 * Generates an answer and tells it as it comes, up to its `answer-end`. Throws before anything is told for a request that the model
 * cannot serve: `context-exceeded`, `not-expressible`, `request-invalid`, `engine-busy`.
 */
export async function generate(
  model: ChatModel,
  conversation: Conversation,
  listener: Listener,
): Promise<void> {
  const run = await prepare(model, conversation)
  const slot = await takeSlot(model.slots, run.isFresh ? [] : run.tokens, listener)
  if (slot === undefined) return
  try {
    await answer(run, slot, listener)
  } catch (error) {
    // What the sequence holds after a failure is not certain: the next answer starts from nothing.
    await forget(model, slot)
    throw error
  } finally {
    giveBack(model.slots, slot)
    leaveToCollector(model.vocabulary.size)
  }
}

async function forget({ together }: ChatModel, { sequence }: Slot): Promise<void> {
  if (sequence.disposed || sequence.context.disposed) return
  await betweenBatches(together, () => sequence.clearHistory())
}

/** Everything about an answer that is decided before its first token. */
export interface Run {
  readonly model: ChatModel
  readonly conversation: Conversation
  readonly prompt: Prompt
  readonly tokens: readonly Token[]
  readonly sampling: Sampling
  readonly held: Held
  readonly always: LlamaGrammar | undefined
  readonly afterMark: LlamaGrammar | undefined
  /** The most tokens that the answer may have, and why it ends there. */
  readonly most: number
  readonly endOfRoom: StopReason
  /** What was read for others must not matter: how a prompt is cut into batches shows in the last digits of its scores. */
  readonly isFresh: boolean
}

async function prepare(model: ChatModel, conversation: Conversation): Promise<Run> {
  if (conversation.choices > 1)
    throw new GatewayError(
      'not-expressible',
      'The engine gives one answer to a request: n has to be 1.',
      { param: 'n' },
    )
  checkSizes(conversation)
  const sampling = samplingOf(conversation, model.recommended, model.vocabulary.size)
  const { prompt, tokens } = readPrompt(model, conversation)
  const calls = callableTools(conversation).length > 0 ? model.template.calls : undefined
  const { thinking } = prompt
  const held = grammarOf(conversation, { calls, thinking, thought: model.template.thought })
  const room = model.contextSize - tokens.length
  const asked = conversation.maxTokens ?? Infinity
  if (room < 1) throw tooLong(tokens.length, model.contextSize, asked)
  return {
    model,
    conversation,
    prompt,
    tokens,
    sampling,
    held,
    always: await compiled(model, held.always),
    afterMark: await compiled(model, held.afterMark),
    most: Math.max(0, Math.min(asked, room)),
    endOfRoom: asked <= room ? 'length' : 'context-full',
    isFresh: conversation.sampling.seed !== undefined && sampling.temperature > 0,
  }
}

/** Longer schemas than any honest one, in characters. */
const longestSchema = 200_000

/** Schemas are read by the model too, so that a wild one would keep the template busy before any grammar is made. */
function checkSizes({ tools, format }: Conversation): void {
  const schemas = tools.map(({ schema = '', field }) => ({ schema: String(schema), field }))
  if (format?.type === 'schema') schemas.push({ schema: format.schema, field: 'response_format' })
  for (const { schema, field } of schemas)
    if (schema.length > longestSchema)
      throw new GatewayError(
        'not-expressible',
        `The schema in ${field} has ${schema.length} characters; the engine reads schemas of up to ${longestSchema}.`,
        { param: field },
      )
}

function tooLong(tokens: number, size: number, asked: number): GatewayError {
  const wish = Number.isFinite(asked) ? `, and ${asked} more were asked for the answer` : ''
  return new GatewayError(
    'context-exceeded',
    `The prompt has ${tokens} tokens${wish}; this model holds ${size} tokens, prompt and answer together. Shorten the prompt to leave room for the answer.`,
  )
}

const mostGrammars = 16

async function compiled(
  model: ChatModel,
  text: string | undefined,
): Promise<LlamaGrammar | undefined> {
  if (text === undefined) return undefined
  const { grammars } = model
  const grammar = grammars.get(text) ?? (await newGrammar(model, text))
  // The one that was used last stands last.
  grammars.delete(text)
  grammars.set(text, grammar)
  const [oldest] = grammars.keys()
  if (oldest !== undefined && grammars.size > mostGrammars) grammars.delete(oldest)
  return grammar
}

/** llama.cpp says no more of a grammar than that it will not have it. */
async function newGrammar({ llama }: ChatModel, grammar: string): Promise<LlamaGrammar> {
  try {
    return await llama.createGrammar({ grammar })
  } catch (error) {
    throw new GatewayError(
      'request-invalid',
      'No grammar can be made of the schema: it refers to itself without end, or is beyond what the engine can hold an answer to.',
      { cause: error },
    )
  }
}

async function answer(run: Run, { sequence }: Slot, listener: Listener): Promise<void> {
  const kept = run.isFresh ? 0 : sharedTokens(sequence, run.tokens)
  const { model, conversation, sampling } = run
  const read = run.tokens.length - kept
  // Whoever wants no answer wants the prompt kept for the next one.
  const isKeptOnly = conversation.maxTokens === 0
  const input = isKeptOnly
    ? { input: 0, cacheWrite: read, cacheRead: kept }
    : { input: read, cacheRead: kept }
  const notes = [...adapted(conversation, model, sampling), ...run.prompt.notes, ...run.held.notes]
  listener.tell([
    { type: 'answer-start' },
    ...notes.map((note) => ({ type: 'note', ...note }) as const),
    { type: 'usage', usage: { ...input, output: 0 } },
  ])
  const { together } = model
  const end = sequence.nextTokenIndex
  if (kept < end)
    await betweenBatches(together, () => sequence.eraseContextTokenRanges([{ start: kept, end }]))
  const rest = await readAhead(run.tokens, sequence, listener)
  if (rest === undefined) return
  if (isKeptOnly) await sequence.evaluateWithoutGeneratingNewTokens(rest.splice(0))
  together.active++
  try {
    await speak(run, sequence, { listener, rest, input })
  } finally {
    together.active--
  }
}

/** Tokens of a prompt that are read in one go: in between, a caller who left is noticed. */
const stretch = 512

/** Reads the prompt but for its last stretch, which is given back. Undefined if the caller has left. */
async function readAhead(
  tokens: readonly Token[],
  sequence: LlamaContextSequence,
  listener: Listener,
): Promise<Token[] | undefined> {
  let at = sequence.nextTokenIndex
  while (tokens.length - at > stretch) {
    if (listener.isAborted()) return undefined
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + stretch))
    at += stretch
  }
  return listener.isAborted() ? undefined : tokens.slice(at)
}
