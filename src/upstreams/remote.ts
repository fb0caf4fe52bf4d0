import type { EmbeddingReply, EmbeddingRequest } from '#chat/embedding.ts'
import { GatewayError } from '#chat/error.ts'
import type { ModelCard } from '#chat/model-card.ts'
import type { UpstreamModel } from '#chat/names.ts'
import type { Notes } from '#chat/note.ts'
import type { ChatRequest } from '#chat/request.ts'
import type { Answer } from '#chat/step.ts'
import type { TargetModel } from '#chat/target.ts'
import type { EncodedRequest, Protocol } from '#protocols/protocol.ts'
import { fitsGlob } from '#std/glob.ts'
import type { Secret } from '#std/secret.ts'
import { type EmbeddingCodec, embedInBatches } from '#upstreams/answers/embed-in-batches.ts'
import { hearAnswer } from '#upstreams/answers/hear-answer.ts'
import { keepAliveTest } from '#upstreams/answers/keep-alive.ts'
import { type Deadlines, leftOf, Watch } from '#upstreams/network/deadlines.ts'
import { type FailureContext, networkFailure } from '#upstreams/network/network-failure.ts'
import { ReachGuard } from '#upstreams/network/reach-guard.ts'
import { readLimited } from '#upstreams/network/read-limited.ts'
import { limitsIn } from '#upstreams/network/response-headers.ts'
import { retryAfterOf } from '#upstreams/network/retry-after.ts'
import type { Endpoints } from '#upstreams/vendors/endpoint-url.ts'
import { type ProfileLayer, profileOf } from '#upstreams/vendors/profiles.ts'
import type { AuthForm, Endpoint } from '#upstreams/vendors/vendor.ts'

import { Sender } from './sender.ts'
import type { Call, Upstream } from './upstream.ts'

/** The most that is read of an error's body, and of a list of models or vectors, in bytes. */
const maxErrorBytes = 64 * 1024
const maxListBytes = 64 * 1024 * 1024

/** More models than any upstream has; beyond it profiles are worked out anew, since callers choose the names. */
const maxRemembered = 4096

export interface RemoteOptions {
  readonly name: string
  readonly vendor?: string | undefined
  readonly protocol: Protocol
  readonly endpoints: Endpoints
  readonly auth: AuthForm
  readonly key?: Secret | undefined
  /** Sent with every request; they win over headers of the protocol. */
  readonly headers: Readonly<Record<string, string>>
  readonly profiles: readonly ProfileLayer[]
  readonly deadlines: Deadlines
  /** How embeddings are said; absent where the protocol has none. */
  readonly embeddings?: EmbeddingCodec | undefined
  /** How tokens are counted; absent where the protocol cannot ask. */
  readonly counting?: CountCodec | undefined
  /** The models to list in place of what the upstream says of itself. */
  readonly serves?: readonly string[] | undefined
  readonly claims: readonly string[]
  readonly hides: readonly string[]
  readonly listPrefix: string
}

/** How a protocol asks for a count of tokens and reads it. */
export interface CountCodec {
  encodeRequest(request: ChatRequest, target: TargetModel, notes: Notes): EncodedRequest
  /** Throws `upstream-failed` for what is no count. */
  decodeReply(text: string): number
}

/** An API somewhere on the network that speaks one of the two protocols. */
export class RemoteUpstream implements Upstream {
  readonly #options: RemoteOptions
  readonly #sender: Sender
  readonly #reach: ReachGuard
  readonly #isKeepAlive: (read: Uint8Array) => boolean
  readonly #targets = new Map<string, TargetModel>()

  constructor(options: RemoteOptions) {
    this.#options = options
    this.#sender = new Sender(options)
    this.#reach = new ReachGuard({ upstream: options.name, origin: options.endpoints.origin })
    this.#isKeepAlive = keepAliveTest(options.protocol.keepAlive)
  }

  get name(): string {
    return this.#options.name
  }

  get address(): { readonly host: string; readonly port: number } {
    return this.#options.endpoints.origin
  }

  target(model: UpstreamModel): TargetModel {
    const known = this.#targets.get(model)
    if (known !== undefined) return known
    const { name, vendor, protocol, profiles } = this.#options
    const profile = profileOf(protocol.name, model, profiles)
    const whose = vendor === undefined ? {} : { vendor }
    const target = { upstream: name, ...whose, model, protocol: protocol.name, profile }
    if (this.#targets.size < maxRemembered) this.#targets.set(model, target)
    return target
  }

  async open(request: ChatRequest, target: TargetModel, call: Call): Promise<Answer> {
    const { protocol } = this.#options
    const isSame = request.protocol === protocol.name
    const encoded = isSame
      ? protocol.passRequest(request, target, call.notes)
      : protocol.encodeRequest(request, target, call.notes)
    const mayPass = isSame && !(target.profile.retell === true && canBeRetold(request))
    const watch = this.#watch(call, request.stream)
    return this.#whileWatched(watch, async (context) => {
      const response = await this.#post('chat', { target, encoded, watch, call })
      context.hasBegun = true
      return hearAnswer(response, {
        protocol,
        request,
        heard: { target, names: encoded.names },
        mayPass,
        watch,
        isKeepAlive: this.#isKeepAlive,
      })
    })
  }

  async embed(request: EmbeddingRequest, target: TargetModel, call: Call): Promise<EmbeddingReply> {
    const { embeddings, name } = this.#options
    if (embeddings === undefined) {
      throw new GatewayError(
        'not-expressible',
        `The upstream \`${name}\` has no embeddings. Ask for a model of another upstream.`,
        { param: 'model' },
      )
    }
    return embedInBatches(request, target, {
      signal: call.signal,
      ask: async (batch, signal) => {
        const body = embeddings.encodeRequest(batch, target)
        const text = await this.#fetchText('embeddings', {
          target,
          body,
          call: { ...call, signal },
        })
        return embeddings.decodeReply(text, batch)
      },
    })
  }

  async countTokens(
    request: ChatRequest,
    target: TargetModel,
    call: Call,
  ): Promise<number | undefined> {
    const { counting } = this.#options
    if (counting === undefined) return undefined
    const { body, headers } = counting.encodeRequest(request, target, call.notes)
    try {
      const text = await this.#fetchText('count', { target, body, headers, call })
      return counting.decodeReply(text)
    } catch (error) {
      // Servers that speak the protocol beside their own often leave this path out; the vendor's own 404 names its type.
      if (error instanceof GatewayError && isUnknownPath(error)) return undefined
      throw error
    }
  }

  async listModels(signal: AbortSignal): Promise<readonly ModelCard[]> {
    const { name, serves } = this.#options
    if (serves !== undefined) return serves.map((id) => ({ id, upstream: name }))
    return this.askModels(signal)
  }

  async askModels(signal: AbortSignal): Promise<readonly ModelCard[]> {
    const { name, protocol, hides, listPrefix } = this.#options
    const watch = this.#watch({ signal }, false)
    const text = await this.#whileWatched(watch, async () => {
      const headers = protocol.listHeaders ?? noHeaders
      const response = await this.#sender.get('models', { headers, signal: watch.signal })
      // Not every server can list its models, which is no failure of the server.
      if ([404, 405, 501].includes(response.status)) return undefined
      await this.#refuseBad(response)
      return readLimited(response, maxListBytes)
    })
    watch.stop()
    if (text === undefined) return []
    return protocol
      .decodeModels(text)
      .map((card) => ({ ...card, id: withoutPrefix(card.id, listPrefix), upstream: name }))
      .filter(({ id }) => !hides.some((glob) => fitsGlob(id, glob)))
  }

  mayServe(model: string): boolean {
    return this.#options.claims.some((glob) => fitsGlob(model, glob))
  }

  async #fetchText(endpoint: Endpoint, asked: AskedText): Promise<string> {
    const { target, body, call } = asked
    const encoded = { body, headers: asked.headers ?? new Map(), names: new Map() }
    const watch = this.#watch(call, false)
    const text = await this.#whileWatched(watch, async (context) => {
      const response = await this.#post(endpoint, { target, encoded, watch, call })
      context.hasBegun = true
      return readLimited(response, maxListBytes)
    })
    watch.stop()
    return text
  }

  async #post(endpoint: Endpoint, { target, encoded, watch, call }: Posted): Promise<Response> {
    const { signal } = watch
    const also = call.onSend?.()
    const { isRepeatable } = call
    const sent = { ...encoded, signal, also, isRepeatable }
    const asking = this.#sender.post(endpoint, target.model, sent)
    const response = await this.#reach.over(watch, asking)
    await this.#refuseBad(response)
    return response
  }

  /** Throws what a status other than success means, in our words. */
  async #refuseBad(response: Response): Promise<void> {
    if (response.ok) return
    const { protocol, name, key, endpoints } = this.#options
    if (response.status < 400) {
      if (response.status < 300 || response.status === 304) throw unusual(name, response.status)
      throw new GatewayError(
        'upstream-failed',
        `The upstream \`${name}\` at ${endpoints.host} redirects, which is not followed. Give its final URL in the config.`,
      )
    }
    const text = await errorText(response)
    // Some vendors repeat the key in what they say of it.
    const clean = key === undefined ? text : text.replaceAll(key.reveal(), '[secret]')
    const failure = protocol.decodeError(response.status, clean, retryAfterOf(response.headers))
    throw failure.withLimits(limitsIn(response.headers))
  }

  /** All attempts together have one time: each one what is left of it. */
  #watch(call: Timed, isStream: boolean): Watch {
    const { name: upstream, deadlines } = this.#options
    return new Watch({ outer: call.signal, isStream, upstream, ...leftOf(call, deadlines) })
  }

  async #whileWatched<T>(
    watch: Watch,
    act: (context: { hasBegun: boolean }) => Promise<T>,
  ): Promise<T> {
    const context: { -readonly [Key in keyof FailureContext]: FailureContext[Key] } = {
      upstream: this.name,
      signal: watch.signal,
      hasBegun: false,
    }
    try {
      return await act(context)
    } catch (error) {
      const failure = networkFailure(error, context)
      watch.close()
      throw failure
    }
  }
}

const noHeaders: ReadonlyMap<string, string> = new Map()

/** A body that breaks off, or was packed wrongly, leaves what the status says. */
async function errorText(response: Response): Promise<string> {
  try {
    return await readLimited(response, maxErrorBytes, { cut: true })
  } catch {
    // Also where a deadline has passed: an upstream that refuses has answered.
    return ''
  }
}

function unusual(upstream: string, status: number): GatewayError {
  return new GatewayError(
    'upstream-failed',
    `The upstream \`${upstream}\` answered with status ${status}, which brings no answer.`,
  )
}

function isUnknownPath({ upstream }: GatewayError): boolean {
  return upstream?.type === undefined && [404, 405, 501].includes(upstream?.status ?? 0)
}

interface AskedText {
  readonly target: TargetModel
  readonly body: string
  readonly headers?: ReadonlyMap<string, string>
  readonly call: Timed
}

type Timed = Pick<Call, 'signal' | 'deadlineAt' | 'waitsUntil' | 'isRepeatable' | 'onSend'>

interface Posted {
  readonly target: TargetModel
  readonly encoded: EncodedRequest
  readonly watch: Watch
  readonly call: Timed
}

/** Our words hold one answer and no probabilities: what they cannot hold is better passed on as it comes. */
function canBeRetold(request: ChatRequest): boolean {
  try {
    const { choices, logprobs } = request.meaning()
    return choices === 1 && logprobs === undefined
  } catch {
    // The request itself says what our words cannot. It goes on as it was said, and so does its answer.
    return false
  }
}

function withoutPrefix(id: string, prefix: string): string {
  return id.startsWith(prefix) ? id.slice(prefix.length) : id
}
