import type { Family } from '#chat/conversation.ts'
import type { GatewayError } from '#chat/error.ts'
import type { ChatEvent } from '#chat/event.ts'
import type { FoldedAnswer } from '#chat/folded-answer.ts'
import type { ModelCard } from '#chat/model-card.ts'
import type { ProtocolName } from '#chat/names.ts'
import type { Note, Notes } from '#chat/note.ts'
import type { ChatRequest, RequestBody } from '#chat/request.ts'
import type { Step } from '#chat/step.ts'
import type { StreamCut } from '#chat/stream-cut.ts'
import type { TargetModel } from '#chat/target.ts'

/** A wire format, both ways round. Nothing in it knows HTTP, and nothing outside it knows the format. */
export interface Protocol {
  readonly name: ProtocolName

  // Our side: a client speaks this protocol to us.

  /** Checks a request and reads what every exchange needs of it. Throws `request-invalid` and its kin. */
  decodeRequest(body: RequestBody, headers: ReadonlyMap<string, string>): ChatRequest
  /** Says a whole answer as one JSON text. */
  encodeReply(answer: FoldedAnswer, told: Told): string
  /** What of an event this protocol has no place for, as a note; undefined for what it can say. */
  readonly untold?: (event: ChatEvent) => Note | undefined
  /** Says an answer as it comes. One encoder an answer. */
  encodeStream(told: Told): StreamEncoder
  /** How a stream whose words go on to the caller is ended where its budget ends. */
  readonly cutStream?: (request: ChatRequest) => StreamCut
  /** The HTTP status that this protocol gives a failure. */
  statusOf(error: GatewayError): number
  /** Words a failure as a JSON body. */
  encodeError(error: GatewayError, requestId: string): string
  /** Words a failure as the last frame of a stream whose beginning has gone out. */
  encodeStreamError(error: GatewayError, requestId: string): string
  /** What to send into a silent stream: every client skips it. */
  readonly keepAlive: string
  /** The list of models. `query` is the caller's own: paging, where the protocol has it. Throws `request-invalid` for a bad page. */
  encodeModelList(cards: readonly ModelCard[], query: URLSearchParams): string
  encodeModel(card: ModelCard): string

  // Their side: we speak this protocol to an upstream.

  /** The request as it was said in this protocol, with only the edits that the target needs. */
  passRequest(request: ChatRequest, target: TargetModel, notes: Notes): EncodedRequest
  /** The request said anew, for a caller of another protocol. Throws `not-expressible` for what would change its meaning. */
  encodeRequest(request: ChatRequest, target: TargetModel, notes: Notes): EncodedRequest
  /** Reads an answer that is told again, as a whole or as a stream. */
  decodeReply(text: string, heard: Heard): Step[]
  decodeStream(heard: Heard): StreamDecoder
  /** Reads an answer whose words go on to a caller of the same protocol: looks only at what accounting needs. `family` is whose model it is. */
  passReply(text: string, family?: Family): Step[]
  passStream(request: ChatRequest, family?: Family): StreamDecoder
  /** Reads a refusal or a failure of an upstream: its status, its body, and how long it asked to wait (seconds). */
  decodeError(status: number, text: string, retryAfter?: number): GatewayError
  /** Headers of the protocol itself (version) with which a list of models is asked for. */
  readonly listHeaders?: ReadonlyMap<string, string>
  /** Reads a list of models. Throws `upstream-failed` for what is none. */
  decodeModels(text: string): Omit<ModelCard, 'upstream'>[]
}

/** What the encoders of an answer know of the request. */
export interface Told {
  /** The id of the answer, in the caller's protocol. */
  readonly id: string
  /** Unix seconds. */
  readonly created: number
  /** What to call the model if the upstream does not say. */
  readonly model: string
  readonly wantsUsage: boolean
  /** The caller used `functions`, so it is answered with `function_call`. */
  readonly isLegacyFunctions: boolean
  /** Whose model answers, for thoughts that came without a mark of their origin. */
  readonly family?: Family
}

/** What the decoders of an answer know of the request. */
export interface Heard {
  readonly target: TargetModel
  /** Tool names as they were sent, mapped to the caller's own, where they differ. */
  readonly names: ReadonlyMap<string, string>
}

/** A request as it goes to an upstream. */
export interface EncodedRequest {
  readonly body: string
  /** Headers of the protocol itself (version, betas). Credentials and content type are not its business. */
  readonly headers: ReadonlyMap<string, string>
  /** Tool names as sent, mapped to the caller's own, where they differ. */
  readonly names: ReadonlyMap<string, string>
}

/** Turns network reads into steps: at most one a read, and one for the end. */
export interface StreamDecoder {
  /** Yields what the read completes, then throws if the upstream failed or spoke nonsense. */
  push(read: Uint8Array): Iterable<Step>
  /** The body has ended. Throws `upstream-lost` if the answer had not. */
  end(): Iterable<Step>
}

/** Turns events into the text of frames. */
export interface StreamEncoder {
  push(events: readonly ChatEvent[]): string
}
