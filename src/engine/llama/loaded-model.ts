import type { LlamaContext, LlamaModel, Token } from 'node-llama-cpp'

import type { Conversation } from '#chat/conversation.ts'
import { GatewayError } from '#chat/error.ts'
import type { ModelFacts } from '#engine/orders.ts'
import { type ChatTemplate, chatTemplate, plainTemplate } from '#engine/templates/chat-template.ts'

import { inOneBatch, nobodyYet, type Together } from './batching.ts'
import type { ChatModel } from './chat-model.ts'
import { type Embedder, type Embedding, embed, type EmbedRequest } from './embed.ts'
import { generate, type Listener, readPrompt } from './generate.ts'
import type { Backend } from './llama-backend.ts'
import { loadFailure } from './load-failure.ts'
import {
  type Demand,
  type LoadPlan,
  type ModelFile,
  planLoad,
  readModelFile,
} from './model-file.ts'
import { guardAgainst } from './prompt.ts'
import type { Recommended } from './sampling-of.ts'
import { slotsOf } from './slots.ts'
import { sortScoresFirst } from './sorted-scores.ts'
import { tokenTexts } from './token-text.ts'
import { vocabularyOf } from './vocabulary.ts'

type Kind =
  | { readonly type: 'chat'; readonly chat: ChatModel }
  | { readonly type: 'embedding'; readonly embedder: Embedder }

/** A model in memory, with everything that hangs on it. */
export class LoadedModel implements AsyncDisposable {
  readonly facts: ModelFacts
  readonly #kind: Kind
  readonly #model: LlamaModel

  private constructor(facts: ModelFacts, kind: Kind, model: LlamaModel) {
    this.facts = facts
    this.#kind = kind
    this.#model = model
  }

  /** Loads a model; `progress` is told how far it is, from 0 to 1. Throws as `readModelFile` and `planLoad` do. */
  static async open(backend: Backend, path: string, options: Loading): Promise<LoadedModel> {
    const file = await readModelFile(backend, path)
    const plan = await planLoad(file, options, backend)
    const model = await loaded(backend, file, options)
    try {
      const kind = file.isEmbedding
        ? await embedderOf(model, plan)
        : await chatOf(backend, model, plan)
      return new LoadedModel(factsOf(file, plan, kind), kind, model)
    } catch (error) {
      await model.dispose()
      throw error
    }
  }

  async generate(conversation: Conversation, listener: Listener): Promise<void> {
    await generate(this.#chat(), conversation, listener)
  }

  /** How many tokens the prompt of a conversation has. */
  count(conversation: Conversation): number {
    return readPrompt(this.#chat(), conversation).tokens.length
  }

  async embed(request: EmbedRequest): Promise<Embedding> {
    if (this.#kind.type !== 'embedding')
      throw new GatewayError(
        'not-expressible',
        'This model answers chats and has no embeddings: ask an embedding model.',
        { param: 'model' },
      )
    return await embed(this.#kind.embedder, request)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { context } = this.#kind.type === 'chat' ? this.#kind.chat : this.#kind.embedder
    await context.dispose()
    await this.#model.dispose()
  }

  #chat(): ChatModel {
    if (this.#kind.type === 'chat') return this.#kind.chat
    throw new GatewayError(
      'not-expressible',
      'This model makes embeddings and does not chat: ask a chat model.',
      { param: 'model' },
    )
  }
}

export interface Loading extends Demand {
  readonly progress: (done: number) => void
}

async function loaded(
  { library, llama }: Backend,
  { path, isEmbedding }: ModelFile,
  { load, progress }: Loading,
): Promise<LlamaModel> {
  const { gpuLayers = 'auto' } = load
  try {
    return await llama.loadModel({
      modelPath: path,
      gpuLayers: llama.gpu === false ? 0 : gpuLayers,
      // What it takes was compared with what there is already.
      ignoreMemorySafetyChecks: llama.gpu === false,
      ...(isEmbedding ? { defaultContextFlashAttention: false } : {}),
      onLoadProgress: progress,
    })
  } catch (error) {
    throw loadFailure(error, library)
  }
}

async function embedderOf(model: LlamaModel, plan: LoadPlan): Promise<Kind> {
  const { contextSize, batchSize, threads } = plan
  const context = await model.createEmbeddingContext({
    contextSize,
    batchSize,
    threads,
    ignoreMemorySafetyChecks: true,
  })
  const vocabulary = vocabularyOf(model, '').size
  return { type: 'embedding', embedder: { model, context, contextSize, vocabulary } }
}

async function chatOf(
  { library, llama }: Backend,
  model: LlamaModel,
  plan: LoadPlan,
): Promise<Kind> {
  const together = nobodyYet()
  const source = templateOf(model)
  const vocabulary = vocabularyOf(model, source)
  const template = chatTemplate(source, vocabulary)
  const context = await contextOf(model, plan, together)
  const chat: ChatModel = {
    library,
    llama,
    model,
    context,
    slots: slotsOf(context),
    together,
    contextSize: context.contextSize,
    template,
    vocabulary,
    guard: guardAgainst(vocabulary.special),
    texts: tokenTexts(model, toldTokens(model, template)),
    recommended: recommendedBy(model),
    grammars: new Map(),
  }
  return { type: 'chat', chat }
}

async function contextOf(
  model: LlamaModel,
  plan: LoadPlan,
  together: Together,
): Promise<LlamaContext> {
  const { contextSize, sequences, batchSize, threads } = plan
  const context = await model.createContext({
    contextSize,
    sequences,
    batchSize,
    threads,
    ignoreMemorySafetyChecks: true,
    failedCreationRemedy: false,
    batching: { itemPrioritizationStrategy: inOneBatch(together) },
  })
  sortScoresFirst(context)
  return context
}

function templateOf(model: LlamaModel): string {
  const source: unknown = Object(model.fileInfo.metadata.tokenizer)['chat_template']
  return typeof source === 'string' && source !== '' ? source : plainTemplate
}

/** Marks of calls and thoughts are special tokens in many models, which are not told as text unless asked for. */
function toldTokens(model: LlamaModel, { calls, thought }: ChatTemplate): ReadonlySet<Token> {
  const { open, close, channels } = thought
  const others = channels === undefined ? [] : [channels.text, ...channels.silent]
  const words = [calls.first, calls.neck, calls.next ?? '', calls.last, open, close, ...others]
  return new Set(words.flatMap((word) => model.tokenize(word, true)))
}

/** Files may say how their models are best sampled. */
function recommendedBy(model: LlamaModel): Recommended {
  const said: { readonly [key: string]: unknown } = Object(
    Object(model.fileInfo.metadata.general)['sampling'],
  )
  const names = { temperature: 'temp', topK: 'top_k', topP: 'top_p', minP: 'min_p' } as const
  const numbers = Object.entries(names).flatMap(([key, name]) => {
    const value = said[name]
    return typeof value === 'number' ? [[key, value] as const] : []
  })
  return Object.fromEntries(numbers)
}

function factsOf({ info, insights, bytes }: ModelFile, plan: LoadPlan, kind: Kind): ModelFacts {
  const { name, architecture } = info.metadata.general
  const isChat = kind.type === 'chat'
  return {
    kind: kind.type,
    ...(typeof name === 'string' ? { title: name } : {}),
    architecture: String(architecture),
    parameters: insights.totalParameters,
    fileBytes: bytes,
    contextSize: isChat ? kind.chat.contextSize : plan.contextSize,
    trainedContextSize: insights.trainContextSize ?? plan.contextSize,
    sequences: plan.sequences,
    ...(isChat ? {} : { dimensions: kind.embedder.model.embeddingVectorSize }),
    takesImages: false,
    hasTools: isChat && kind.chat.template.knowsTools,
    thinks: isChat && kind.chat.template.thinks,
    memoryBytes: plan.memoryBytes,
  }
}
