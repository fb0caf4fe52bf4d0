import { isIP } from 'node:net'

import { forwardedAddress, hasPassedProxy, type ProxyTrust } from '#addresses/forwarded-address.ts'
import { isAnyAddress, isLoopbackAddress, isLoopbackName } from '#addresses/loopback.ts'
import { AdminProblem } from '#console/access/problem.ts'
import type { Visitor } from '#console/access/visitor.ts'

/** What a page of another origin cannot send without being asked first, and here nobody ever says yes. */
export const csrfHeader = 'x-parley-csrf'

/** On what a page asks for by itself while nobody touches it: an open page must not keep a session alive. */
export const unattendedHeader = 'x-parley-unattended'

export interface GuardOptions {
  /** Where the listener listens. */
  readonly host: string
  /** The URL that people reach it by, where something with https stands in front. */
  readonly publicUrl?: string | undefined
  /** Whom to believe that somebody asks from elsewhere. That somebody is on this machine, nobody is believed. */
  readonly trust: ProxyTrust
}

/** Who may speak to the admin listener at all, before anybody asks who it is. */
export class Guard {
  readonly #host: string
  readonly #public: URL | undefined
  readonly #trust: ProxyTrust

  constructor({ host, publicUrl, trust }: GuardOptions) {
    this.#trust = trust
    this.#host = bare(host.toLowerCase())
    this.#public = publicUrl === undefined ? undefined : new URL(publicUrl)
  }

  /**
   * Where a request comes from. Throws `host-unknown` where it is sent to a name that is not ours: a page whose name
   * was pointed at this machine would be let in as one of our own.
   */
  visitor(headers: Headers, address: string | undefined): Visitor {
    const said = headers.get('host') ?? ''
    const name = nameOf(said)
    if (name === undefined || !this.#isOurs(said, name))
      throw new AdminProblem(
        'host-unknown',
        'This is not a name of the admin listener. Use its loopback address, or set `listen.adminUrl` to the URL that people use.',
      )
    const from = plainAddress(address ?? '')
    // A proxy on this machine may send all that comes to it to our loopback name.
    const isLocal = isLoopbackName(name) && isLoopbackAddress(from) && !hasPassedProxy(headers)
    return {
      address: forwardedAddress(address, headers, this.#trust) ?? 'unknown',
      agent: headers.get('user-agent') ?? undefined,
      isLocal,
      isPrivate: isLocal || this.#isHttps(said),
      isHttps: this.#isHttps(said),
    }
  }

  /**
   * Throws `request-forged` for a request that a page of another origin may have caused, `media-unsupported` for a
   * body that is no JSON.
   */
  check(method: string, headers: Headers): void {
    const site = headers.get('sec-fetch-site')
    if (method === 'GET' || method === 'HEAD') {
      if (site !== null && site !== 'same-origin' && site !== 'none') throw forged('another page')
      return
    }
    if (site !== null && site !== 'same-origin') throw forged('another page')
    const origin = headers.get('origin')
    if (origin !== null && !this.#isOwnOrigin(origin, headers.get('host') ?? ''))
      throw forged('another origin')
    if (headers.get(csrfHeader) !== '1')
      throw forged(`something that does not send the header ${csrfHeader}: 1`)
    const type = headers.get('content-type') ?? ''
    if (!/^application\/json(?:\s*;|$)/i.test(type.trim()))
      throw new AdminProblem(
        'media-unsupported',
        'Send JSON, with `content-type: application/json`.',
      )
  }

  #isOurs(said: string, name: string): boolean {
    if (isLoopbackName(name) || name === this.#host) return true
    if (this.#isHttps(said) || said.toLowerCase() === this.#public?.host) return true
    // A name can be pointed anywhere; an address is what it is.
    return isAnyAddress(this.#host) && isIP(name) !== 0
  }

  #isHttps(said: string): boolean {
    return this.#public?.protocol === 'https:' && said.toLowerCase() === this.#public.host
  }

  #isOwnOrigin(origin: string, host: string): boolean {
    if (this.#public !== undefined && host.toLowerCase() === this.#public.host)
      return origin === this.#public.origin
    return origin.toLowerCase() === `http://${host.toLowerCase()}`
  }
}

function forged(by: string): AdminProblem {
  return new AdminProblem('request-forged', `This request was sent by ${by}, and changes nothing.`)
}

/** The name in a `Host` header, without its port. Undefined for what is none. */
function nameOf(host: string): string | undefined {
  const [, name] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host) ?? []
  return name === undefined ? undefined : bare(name.toLowerCase())
}

function bare(name: string): string {
  return name.replace(/^\[|\]$/g, '')
}

/** An address of the fourth version as the sixth writes it is the same one. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
