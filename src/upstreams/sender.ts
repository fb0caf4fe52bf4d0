import { GatewayError } from '#chat/error.ts'
import type { EncodedRequest } from '#protocols/protocol.ts'
import type { Secret } from '#std/secret.ts'
import { wasConnectionClosed } from '#upstreams/network/network-failure.ts'
import { wayTo } from '#upstreams/network/proxies.ts'
import type { Endpoints } from '#upstreams/vendors/endpoint-url.ts'
import type { AuthForm, Endpoint } from '#upstreams/vendors/vendor.ts'

/**
 * A connection that was kept alive and has died in the meantime shows it at once; later it is the upstream's own end. An upstream
 * that dies at once of what it has read looks the same, so that a request which must not be carried out twice is not sent again.
 */
const staleWithinMs = 1000

export interface SenderOptions {
  readonly name: string
  readonly endpoints: Endpoints
  readonly auth: AuthForm
  readonly key?: Secret | undefined
  readonly headers: Readonly<Record<string, string>>
}

interface Outgoing extends Pick<EncodedRequest, 'body' | 'headers'> {
  readonly signal: AbortSignal
  /** Whether it may be sent once more where it is not known if the first was carried out. */
  readonly isRepeatable?: boolean | undefined
  /** Headers of this one request, which those of the config win over. */
  readonly also?: Readonly<Record<string, string>> | undefined
}

/** Sends requests to one upstream: its URLs, its credentials, and connections that are kept alive. */
export class Sender {
  readonly #options: SenderOptions
  readonly #fixed: Readonly<Record<string, string>>
  /** The headers of a request to which the protocol adds none of its own. */
  readonly #usual: Readonly<Record<string, string>>
  readonly #way: ReturnType<typeof wayTo>
  /** Whether an earlier request may have left a connection behind. */
  #hasKeptAlive = false

  constructor(options: SenderOptions) {
    this.#options = options
    this.#fixed = {
      accept: 'application/json, text/event-stream',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'user-agent': 'parley',
      ...credentials(options),
    }
    this.#usual = { ...this.#fixed, ...options.headers }
    this.#way = wayTo(options.endpoints.origin.host)
  }

  /** Posts a request. Throws as `fetch` does, and `not-expressible` for an endpoint that the upstream has not. */
  async post(
    endpoint: Endpoint,
    model: string,
    { body, headers, signal, also, isRepeatable }: Outgoing,
  ): Promise<Response> {
    const init = { method: 'POST', headers: this.#headersWith(headers, also), body, signal }
    return this.#send(this.#url(endpoint, model), init, isRepeatable)
  }

  /** Asks for something. Throws as `post` does. */
  async get(endpoint: Endpoint, { headers, signal }: Omit<Outgoing, 'body'>): Promise<Response> {
    const init = { method: 'GET', headers: this.#headersWith(headers), signal }
    return this.#send(this.#url(endpoint, ''), init)
  }

  #headersWith(
    own: ReadonlyMap<string, string>,
    also?: Readonly<Record<string, string>>,
  ): Readonly<Record<string, string>> {
    if (own.size === 0) return also === undefined ? this.#usual : { ...also, ...this.#usual }
    return { ...also, ...this.#fixed, ...Object.fromEntries(own), ...this.#options.headers }
  }

  async #send(url: string, init: RequestInit, isRepeatable = true): Promise<Response> {
    const startedAt = performance.now()
    // Redirects are not followed: they would carry the key elsewhere. The deadlines are our own.
    const options = { ...init, ...this.#way, redirect: 'manual', timeout: false } as const
    try {
      const response = await fetch(url, options)
      this.#hasKeptAlive = true
      return response
    } catch (error) {
      const isEarly = performance.now() - startedAt < staleWithinMs
      const isStale = isRepeatable && this.#hasKeptAlive && isEarly
      if (!isStale || !wasConnectionClosed(error) || init.signal?.aborted === true) throw error
      // On a connection of its own there can be no second surprise of this kind.
      return fetch(url, { ...options, keepalive: false })
    }
  }

  #url(endpoint: Endpoint, model: string): string {
    const url = this.#options.endpoints.urlOf(endpoint, model)
    if (url !== undefined) return url
    throw new GatewayError(
      'not-expressible',
      `The upstream \`${this.#options.name}\` has no ${endpoint}. Ask for a model of another upstream.`,
      { param: 'model' },
    )
  }
}

function credentials({ auth, key }: SenderOptions): Record<string, string> {
  if (key === undefined) return {}
  switch (auth) {
    case 'bearer':
      return { authorization: `Bearer ${key.reveal()}` }
    case 'x-api-key':
    case 'api-key':
      return { [auth]: key.reveal() }
    case 'none':
      return {}
  }
}
