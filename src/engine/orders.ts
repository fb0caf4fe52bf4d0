import type { Conversation } from '#chat/conversation.ts'
import type { EmbeddingInput } from '#chat/embedding.ts'
import type { ErrorCode } from '#chat/error.ts'
import type { ChatEvent } from '#chat/event.ts'
import type { Note } from '#chat/note.ts'

/** How a model file is to be loaded. What is absent is chosen by what the machine has. */
export interface LoadOptions {
  /** Tokens of context of each sequence; the model's own, up to a limit that memory allows, unless said. */
  readonly contextSize?: number
  /** How many answers are generated at once. */
  readonly sequences?: number
  readonly threads?: number
  /** Layers on the GPU, where there is one: a number, or as many as fit. */
  readonly gpuLayers?: number | 'auto'
  /** Bytes that the child may take for its models and their contexts, all together; more is refused before loading. */
  readonly memoryLimit?: number
}

/** What is known of a model that is loaded. */
export interface ModelFacts {
  readonly kind: 'chat' | 'embedding'
  /** What the file says of itself. */
  readonly title?: string
  readonly architecture: string
  readonly parameters: number
  readonly fileBytes: number
  /** Tokens of one sequence: prompt and answer together. */
  readonly contextSize: number
  readonly trainedContextSize: number
  readonly sequences: number
  /** Width of the vectors of an embedding model. */
  readonly dimensions?: number
  readonly takesImages: boolean
  /** Whether the model's template knows tools, and a way to think. */
  readonly hasTools: boolean
  readonly thinks: boolean
  /** Bytes that the model and its context take. */
  readonly memoryBytes: number
}

/** What the gateway tells the child process. `id` tells one piece of work from another; ids are never used twice. */
export type Order =
  | {
      readonly type: 'load'
      readonly id: number
      readonly model: string
      readonly file: string
      readonly options: LoadOptions
    }
  /** Lets go of a model. What it still generates is broken off. */
  | { readonly type: 'unload'; readonly id: number; readonly model: string }
  | {
      readonly type: 'generate'
      readonly id: number
      readonly model: string
      readonly conversation: Conversation
    }
  | {
      readonly type: 'embed'
      readonly id: number
      readonly model: string
      readonly inputs: readonly EmbeddingInput[]
      readonly dimensions?: number
    }
  | {
      readonly type: 'count'
      readonly id: number
      readonly model: string
      readonly conversation: Conversation
    }
  /** Stops a piece of work at once. It is answered by nothing more. */
  | { readonly type: 'abort'; readonly target: number }
  /** Asks for a sign of life. */
  | { readonly type: 'ping'; readonly id: number }

/** What the child tells the gateway. Everything about one piece of work comes in order. */
export type Report =
  /** First of all: the child runs, and on what. */
  | {
      readonly type: 'ready'
      readonly gpu: string | false
      readonly threads: number
      /** The folder that llama.cpp was loaded from, where it is not the one that comes with Parley. */
      readonly builds?: string | undefined
    }
  | { readonly type: 'loaded'; readonly id: number; readonly facts: ModelFacts }
  /** Loading goes on: 0 to 1. */
  | { readonly type: 'loading'; readonly id: number; readonly done: number }
  | { readonly type: 'unloaded'; readonly id: number }
  /** Events of an answer, all that one turn of the event loop brought. The last one of an answer is `answer-end`. */
  | { readonly type: 'events'; readonly id: number; readonly events: readonly ChatEvent[] }
  | {
      readonly type: 'embedded'
      readonly id: number
      readonly vectors: readonly Float32Array[]
      readonly tokens: number
    }
  | { readonly type: 'counted'; readonly id: number; readonly tokens: number }
  /** A sign of life, and what the process takes. */
  | { readonly type: 'alive'; readonly id: number; readonly residentBytes: number }
  /** A piece of work failed. Nothing more of it comes. */
  | { readonly type: 'failed'; readonly id: number; readonly failure: Failure }

/** A `GatewayError` as it crosses to another process. */
export interface Failure {
  readonly code: ErrorCode
  readonly message: string
  readonly param?: string
  /** A finer code. `memory` says that a load was refused for want of memory: it may succeed when other models have gone. */
  readonly detail?: string
  readonly notes?: readonly Note[]
}
