import { capped, noteCap } from '#chat/capped.ts'
import type { Conversation } from '#chat/conversation.ts'
import type { EmbeddingReply, EmbeddingRequest } from '#chat/embedding.ts'
import type { ModelCard } from '#chat/model-card.ts'
import type { UpstreamModel } from '#chat/names.ts'
import type { Notes } from '#chat/note.ts'
import type { Profile } from '#chat/profile.ts'
import type { ChatRequest } from '#chat/request.ts'
import type { Answer } from '#chat/step.ts'
import type { TargetModel } from '#chat/target.ts'
import type { Asker, Engine } from '#engine/engine.ts'
import type { ModelShelfMark } from '#engine/files/model-store.ts'
import { shortest } from '#protocols/float32.ts'
import { noteUnheard } from '#upstreams/answers/unheard.ts'
import { defaultDeadlines, leftOf, Watch } from '#upstreams/network/deadlines.ts'
import { defaultProfiles } from '#upstreams/vendors/profiles.ts'

import { EngineSteps } from './engine-steps.ts'
import type { Call, Upstream } from './upstream.ts'

/** The name under which the engine is an upstream. */
export const engineName = 'engine'

/** The models that Parley runs itself. It speaks our own words, so nothing is translated. */
export class EngineUpstream implements Upstream {
  readonly name = engineName
  readonly listsAll = true
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  target(model: UpstreamModel): TargetModel {
    return { upstream: engineName, model, protocol: 'engine', profile }
  }

  async open(request: ChatRequest, { model }: TargetModel, call: Call): Promise<Answer> {
    const conversation = cappedMeaning(request, call.notes, this.#engine.facts(model)?.contextSize)
    noteUnheard(conversation, request.protocol, call.notes)
    const watch = watchOf(call, request.stream)
    const onOver = (): void => watch.stop()
    try {
      const generation = await this.#engine.generate(askerOf(model, call, watch), conversation)
      const steps = new EngineSteps({ generation, model, onOver })
      return { steps, queuedMs: generation.waitedMs }
    } catch (error) {
      onOver()
      throw error
    }
  }

  async embed(
    { inputs, dimensions, encoding, extra }: EmbeddingRequest,
    { model }: TargetModel,
    call: Call,
  ): Promise<EmbeddingReply> {
    for (const field of extra.keys()) call.notes.add(field, 'dropped')
    const watch = watchOf(call)
    const work = { ...askerOf(model, call, watch), inputs, dimensions }
    const { vectors, tokens } = await this.#engine.embed(work).finally(() => watch.stop())
    return {
      model,
      // Numbers that are printed are made to print with few digits.
      vectors: vectors.map((vector) =>
        encoding === 'float' ? Array.from(vector, shortest) : Array.from(vector),
      ),
      usage: { input: tokens },
    }
  }

  async countTokens(request: ChatRequest, { model }: TargetModel, call: Call): Promise<number> {
    const watch = watchOf(call)
    const asker = askerOf(model, call, watch)
    return this.#engine.count(asker, request.meaning()).finally(() => watch.stop())
  }

  async listModels(): Promise<readonly ModelCard[]> {
    return (await this.#engine.store.catalogue()).map(cardOf)
  }

  /** What it lists is all there is. */
  mayServe(): boolean {
    return false
  }
}

/** It takes everything that can be said in our words. Whether a model can do it, the engine says by name. */
const profile: Profile = {
  ...defaultProfiles['chat-completions'],
  family: 'engine',
  topK: true,
  prefill: 'native',
  toolNameLimit: 1024,
  fetchesUrls: false,
  toolResultImages: 'inline',
  reasoningReplay: 'reasoning',
  maxStops: 1024,
  schemaNeedsProperties: false,
}

/** `contextSize` is where an answer without a limit ends anyway, as far as that is known. */
function cappedMeaning(
  { meaning, cap }: ChatRequest,
  notes: Notes,
  contextSize: number | undefined,
): Conversation {
  const said = meaning()
  const conversation = capped(said, cap, contextSize)
  if (conversation !== said) noteCap(notes, 'max_tokens', conversation.maxTokens ?? 0)
  return conversation
}

function askerOf(model: UpstreamModel, { keyId }: Call, { signal }: Watch): Asker {
  return { model, signal, keyId }
}

/** A caller who names no limit waits for a model of our own as long as it takes. */
const longestMs = 24 * 60 * 60_000

/** Ends the call when the caller leaves, or when its time is over. Whoever waits for a stream leaves by himself. */
function watchOf({ signal: outer, deadlineAt, waitsUntil }: Call, isStream = false): Watch {
  const ends = { deadlineAt, waitsUntil: isStream ? undefined : waitsUntil }
  const left = leftOf(ends, { ...defaultDeadlines, totalMs: longestMs })
  return new Watch({ outer, isStream: false, upstream: engineName, ...left })
}

function cardOf({ name, origin, since, head, options }: ModelShelfMark): ModelCard {
  const trained = head?.contextSize
  const size = Math.min(options.contextSize ?? Infinity, trained ?? Infinity)
  return {
    id: name,
    upstream: engineName,
    created: Math.floor(since / 1000),
    ...(origin === 'box' && { ownedBy: 'parley' }),
    ...(head?.title !== undefined && { displayName: head.title }),
    ...(size !== Infinity && { maxInput: size }),
  }
}
