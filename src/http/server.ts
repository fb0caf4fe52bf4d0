import { forwardedAddress, type ProxyTrust } from '#addresses/forwarded-address.ts'
import { GatewayError } from '#chat/error.ts'
import type { ProtocolName } from '#chat/names.ts'
import type { Passage } from '#chat/passage.ts'
import { type Incoming, type Job, jobs, type Parts } from '#exchange.ts'
import type { Protocol } from '#protocols/protocol.ts'
import { randomHex } from '#std/random-id.ts'

import { type CorsRules, corsHeaders, preflight } from './cors.ts'
import { Crowd, type CrowdLimits, type Place } from './crowd.ts'
import {
  contentHeader,
  credentialsOf,
  protocolHeaders,
  refusesContent,
  speaksMessages,
  type VersionRules,
  patienceOf,
} from './headers.ts'
import { readBody } from './read-body.ts'
import { baseHeaders, errorResponse } from './respond.ts'
import { pathOf, queryOf, type Route, routeOf } from './routes.ts'
import { StalledReaders } from './stalled-readers.ts'
import { replyResponse, type StreamOptions, streamResponse } from './stream-response.ts'

export interface ServerOptions {
  readonly host: string
  readonly port: number
  /** Whom to believe that a request comes from elsewhere. */
  readonly trust: ProxyTrust
  /** What a reload of the config may change, asked for by each exchange as it begins. */
  readonly current: () => Current
  readonly protocols: Readonly<Record<ProtocolName, Protocol>>
  /** Told of failures that are the gateway's own. */
  readonly report: (error: GatewayError, requestId: string) => void
  /** What goes with a request that has come in. */
  readonly passage: (requestId: string, headers: Headers) => Passage
}

export interface Current {
  readonly parts: Parts
  readonly bodyBytes: number
  /** How much may be under way at once. */
  readonly crowd: CrowdLimits
  /** How many callers may take nothing of their streams at once. */
  readonly stalled: number
  /** After how much silence a stream is sent a sign of life. */
  readonly keepAliveMs: number
  /** The longest that an exchange may take, all attempts together. */
  readonly totalMs: number
  readonly version: VersionRules
  readonly cors: CorsRules
}

/** What is known of a request once its path is read. */
interface Entered {
  readonly requestId: string
  /** Headers that go with whatever it is answered. */
  readonly told: [string, string][]
  readonly passage: Passage
  readonly protocol: Protocol
  readonly route: Route
  readonly current: Current
}

/** The listener of the public API. Owns its socket and the exchanges in flight. */
export class HttpServer implements AsyncDisposable {
  readonly #options: ServerOptions
  readonly #server: Bun.Server<undefined>
  readonly #inFlight = new Set<AbortController>()
  readonly #crowd = new Crowd()
  readonly #stalled = new StalledReaders()
  readonly #emptied = Promise.withResolvers<void>()
  #isStopping = false
  #streams = 0

  /** Listens at once; throws what the system says if the address is taken or not ours. */
  constructor(options: ServerOptions) {
    this.#options = options
    this.#server = Bun.serve({
      hostname: options.host,
      port: options.port,
      // Otherwise a second gateway would listen on the same port, and each would get half of the requests.
      reusePort: false,
      idleTimeout: headerSeconds,
      // Our own limit is kept while reading, so that the caller is told in its own protocol.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      development: false,
      fetch: (request) => this.#answer(request),
    })
  }

  get port(): number {
    return this.#server.port ?? this.#options.port
  }

  /** How many exchanges have not been answered in full. */
  get inFlight(): number {
    return this.#inFlight.size
  }

  /** How many streams have begun and not ended. */
  get streams(): number {
    return this.#streams
  }

  /**
   * Stops: nothing new begins, what is in flight may finish until `graceMs` have passed, and is then told that the
   * gateway is stopping. Whoever asks meanwhile is told as well. Resolves when every socket is closed.
   */
  async drain(graceMs: number): Promise<void> {
    this.#isStopping = true
    if (this.#inFlight.size === 0) this.#emptied.resolve()
    const timer = setTimeout(() => this.#abortAll(), graceMs)
    const last = setTimeout(() => {
      this.#emptied.resolve()
      void this.#server.stop(true)
    }, graceMs + 1000)
    await this.#emptied.promise
    await this.#server.stop(false)
    clearTimeout(timer)
    clearTimeout(last)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abortAll()
    await this.#server.stop(true)
  }

  #abortAll(): void {
    const reason = stopping()
    for (const controller of this.#inFlight) controller.abort(reason)
  }

  async #answer(request: Request): Promise<Response> {
    const requestId = `req_${randomHex(32)}`
    const passage = this.#options.passage(requestId, request.headers)
    const route = routeOf(request.url)
    const protocol = this.#protocolOf(route, request)
    const current = this.#options.current()
    const cors = corsHeaders(current.cors, request.headers)
    const told: Entered['told'] = []
    const response =
      request.method === 'OPTIONS'
        ? preflight(cors, { asked: request.headers, headers: baseHeaders(requestId) })
        : await this.#respond(request, { requestId, passage, protocol, current, route, told })
    for (const [name, value] of [...cors, ...told]) response.headers.set(name, value)
    return response
  }

  async #respond(
    request: Request,
    { route, ...known }: Omit<Entered, 'route'> & { route: Route | undefined },
  ): Promise<Response> {
    const { passage } = known
    const endpoint = route?.job === 'health' ? 'health' : (route?.endpoint ?? 'none')
    const asked = { method: knownMethod(request), endpoint, protocol: known.protocol.name }
    try {
      const entered = { ...known, route: allowed(route, request) }
      const { response, isStream = false } = await this.#done(request, entered)
      passage.answered({ ...asked, status: response.status, isStream })
      return response
    } catch (error) {
      const failure = GatewayError.from(error)
      if (failure.fault === 'gateway') this.#options.report(failure, known.requestId)
      const response = errorResponse(failure, known.protocol, known.requestId)
      const timing = passage.timing()
      if (timing !== undefined) response.headers.set('server-timing', timing)
      if (failure.code === 'method-rejected')
        response.headers.set('allow', (route?.methods ?? []).join(', '))
      passage.answered({ ...asked, status: response.status, code: failure.code, isStream: false })
      return response
    }
  }

  async #done(request: Request, entered: Entered): Promise<Made> {
    const { job } = entered.route
    if (job === 'health') return { response: this.#health(entered.requestId) }
    if (this.#isStopping) throw stopping()
    return this.#exchange(request, entered, job)
  }

  async #exchange(request: Request, entered: Entered, job: Job): Promise<Made> {
    const { requestId, passage, protocol, current } = entered
    const place = this.#crowd.enter(current.crowd)
    const controller = this.#enter(request)
    const { signal } = controller
    const done = (): void => {
      this.#server.timeout(request, idleSeconds)
      place.leave()
      this.#leave(controller)
    }
    let isStreaming = false
    try {
      const { trust } = this.#options
      const connected = { signal, place, trust, server: this.#server }
      const incoming = incomingOf(request, entered, connected)
      const outgoing = await jobs[job](current.parts, incoming)
      const timing = passage.timing()
      if (outgoing.type === 'reply')
        return { response: replyResponse(outgoing, { requestId, timing }) }
      const { keepAliveMs } = current
      const ended = (): void => {
        this.#streams -= 1
        done()
      }
      const report = (failure: GatewayError): void => this.#options.report(failure, requestId)
      const options = { requestId, protocol, keepAliveMs, signal, timing, report, done: ended }
      const stalling = this.#stallingOf(request, current.stalled)
      const response = streamResponse(outgoing, { ...options, ...stalling })
      isStreaming = true
      this.#streams += 1
      this.#server.timeout(request, stallSeconds(keepAliveMs))
      return { response, isStream: true }
    } finally {
      if (!isStreaming) done()
    }
  }

  /** What is done when a caller comes to a stand. Bun closes a connection that has moved nothing for its time. */
  #stallingOf(request: Request, most: number): Pick<StreamOptions, 'onStall' | 'close'> {
    return {
      onStall: (reader, isStalled) =>
        isStalled ? this.#stalled.add(reader, most) : this.#stalled.remove(reader),
      close: () => this.#server.timeout(request, 1),
    }
  }

  /** One controller an exchange: aborted when the caller leaves, or when the gateway must stop. */
  #enter(request: Request): AbortController {
    const controller = new AbortController()
    this.#inFlight.add(controller)
    request.signal.addEventListener('abort', () => {
      controller.abort(new GatewayError('client-gone', 'The client closed the connection.'))
    })
    return controller
  }

  #leave(controller: AbortController): void {
    this.#inFlight.delete(controller)
    if (this.#isStopping && this.#inFlight.size === 0) this.#emptied.resolve()
  }

  #protocolOf(route: Route | undefined, request: Request): Protocol {
    const { protocols } = this.#options
    if (route !== undefined && route.protocol !== 'either') return protocols[route.protocol]
    return protocols[speaksMessages(request.headers) ? 'messages' : 'chat-completions']
  }

  #health(requestId: string): Response {
    const [status, word] = this.#isStopping ? [503, 'stopping'] : [200, 'ok']
    return Response.json({ status: word }, { status, headers: baseHeaders(requestId) })
  }
}

interface Made {
  readonly response: Response
  readonly isStream?: boolean
}

/** Callers may make methods up, as they may names. */
function knownMethod({ method }: Request): string {
  return methods.has(method) ? method : 'other'
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

function allowed(route: Route | undefined, request: Request): Route {
  if (route === undefined) {
    throw new GatewayError(
      'path-unknown',
      `Invalid URL (${request.method} ${pathOf(request.url).slice(0, 200)}). This gateway serves /v1/chat/completions, /v1/embeddings, /v1/messages, /v1/messages/count_tokens and /v1/models.`,
    )
  }
  if (!route.methods.includes(request.method)) {
    throw new GatewayError(
      'method-rejected',
      `Not allowed to ${request.method} on ${pathOf(request.url).slice(0, 200)}. Use ${route.methods.join(' or ')}.`,
    )
  }
  return route
}

/**
 * How long a caller may take, in seconds; beyond it the connection is cut. Bun closes what has moved no byte for so
 * long, and a head or a body that has not come whole. It looks every four seconds, so that it may take so much longer.
 */
const headerSeconds = 8
const uploadSeconds = 56
const idleSeconds = 65

/** A reader that takes nothing for so long has stalled: by then a stream has been sent a sign of life at least twice. */
function stallSeconds(keepAliveMs: number): number {
  return Math.min(Math.max(60, Math.ceil(keepAliveMs / 500)), longestSeconds)
}

/** More than this Bun does not take. */
const longestSeconds = 255

interface Connected {
  readonly signal: AbortSignal
  readonly place: Place
  readonly trust: ProxyTrust
  readonly server: Pick<Bun.Server<undefined>, 'requestIP' | 'timeout'>
}

function incomingOf(
  request: Request,
  entered: Entered,
  { signal, server, place, trust }: Connected,
): Incoming {
  const { requestId, passage, protocol, route, current } = entered
  return {
    id: requestId,
    passage,
    protocol,
    endpoint: route.endpoint,
    claim: (keyId) => place.claim(keyId),
    address: () => forwardedAddress(server.requestIP(request)?.address, request.headers, trust),
    credentials: credentialsOf(request.headers),
    headers: () => protocolHeaders(protocol.name, request.headers, current.version),
    body: async () => {
      server.timeout(request, uploadSeconds)
      const startedAt = performance.now()
      const body = await readBody(request, current.bodyBytes, (bytes) => place.take(bytes))
      passage.received(performance.now() - startedAt)
      // From here on the caller waits for us, and the exchange has a deadline of its own.
      server.timeout(request, 0)
      return body
    },
    query: () => queryOf(request.url),
    modelId: route.modelId ?? '',
    signal,
    startedAt: Date.now(),
    patience: () => patienceOf(request.headers, current.totalMs),
    acceptsRescue: () => request.headers.get('x-parley-rescue') === 'accept',
    wantsReason: () => request.headers.has('x-parley-explain'),
    wantsNothingKept: () => refusesContent(request.headers),
    onContentKept: () => void entered.told.push([contentHeader, 'on']),
  }
}

function stopping(): GatewayError {
  return new GatewayError(
    'gateway-stopping',
    'The gateway is being stopped. Send the request again in a moment.',
    {
      retryAfter: 1,
    },
  )
}
