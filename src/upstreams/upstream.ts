import type { EmbeddingReply, EmbeddingRequest } from '#chat/embedding.ts'
import type { ModelCard } from '#chat/model-card.ts'
import type { UpstreamModel } from '#chat/names.ts'
import type { Notes } from '#chat/note.ts'
import type { ChatRequest } from '#chat/request.ts'
import type { Answer } from '#chat/step.ts'
import type { TargetModel } from '#chat/target.ts'

/** Something that can answer: a remote API, or the engine. */
export interface Upstream {
  readonly name: string

  /** Where it is; absent where it is no other machine. */
  readonly address?: { readonly host: string; readonly port: number }

  /** What a model of this upstream is called here, and what it can take. */
  target(model: UpstreamModel): TargetModel

  /**
   * Opens a chat. A failure before the first step, rejected or thrown, means that nothing was answered: another
   * upstream may be tried. A failure after it breaks the answer.
   */
  open(request: ChatRequest, target: TargetModel, call: Call): Promise<Answer>

  /** Embeds every input of the request. Throws `not-expressible` if this upstream has no embeddings. */
  embed(request: EmbeddingRequest, target: TargetModel, call: Call): Promise<EmbeddingReply>

  /** The exact number of input tokens, or undefined where the upstream cannot tell. */
  countTokens(request: ChatRequest, target: TargetModel, call: Call): Promise<number | undefined>

  listModels(signal: AbortSignal): Promise<readonly ModelCard[]>

  /** Asks for the models although the config names them: whether it answers is what is wanted. Absent where listing asks. */
  askModels?(signal: AbortSignal): Promise<readonly ModelCard[]>

  /** Its list is the whole truth: what it does not list, it does not serve. */
  readonly listsAll?: boolean

  /** Whether a model that no list names looks like one of this upstream. */
  mayServe?(model: string): boolean
}

/** What accompanies one call of an upstream. */
export interface Call {
  /** Aborted when the caller leaves or a deadline passes; its reason is a `GatewayError`. */
  readonly signal: AbortSignal
  /** Where the translation writes what it adapted. */
  readonly notes: Notes
  /** Whose call it is: where callers wait for each other, keys take turns. */
  readonly keyId?: string
  /** On the clock of `performance.now`: it may take no longer. */
  readonly deadlineAt?: number
  /** On the same clock: so long the caller waits for a whole answer, or for a stream to begin. It said so itself. */
  readonly waitsUntil?: number
  /** Whether it does no harm if the request is carried out twice; it does not, unless this is false. */
  readonly isRepeatable?: boolean
  /** To be called when a request goes out for it. Gives the headers that go along. */
  readonly onSend?: () => Readonly<Record<string, string>>
}

/** An upstream together with its name for the model. */
export interface Target {
  readonly upstream: Upstream
  readonly model: TargetModel
  /** The caller named the model and no list holds it: whether it exists, only the upstream knows. */
  readonly isUnlisted?: boolean
  /** It stands in for others that have failed, and the caller is told so. */
  readonly isRescue?: boolean
}
