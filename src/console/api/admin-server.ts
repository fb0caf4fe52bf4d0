import type { ProxyTrust } from '#addresses/forwarded-address.ts'
import { Attempts } from '#console/access/attempts.ts'
import { AuditLog } from '#console/access/audit.ts'
import { Passwords } from '#console/access/passwords.ts'
import { PlaygroundKeys } from '#console/access/playground-keys.ts'
import type { AdminProblem } from '#console/access/problem.ts'
import { readerOf } from '#console/access/reader.ts'
import { Sessions } from '#console/access/sessions.ts'
import { type OpenSetup, openSetup, SetupTokens } from '#console/access/setup.ts'
import { Users } from '#console/access/users.ts'

import type { Connection } from './answer-request.ts'
import { Guard } from './guard.ts'
import type { Administered, AdminParts } from './parts.ts'
import { largestBodyBytes, type Route } from './route.ts'

export interface AdminServerOptions {
  readonly host: string
  readonly port: number
  /** The URL that people use, where something with https stands in front. */
  readonly publicUrl?: string | undefined
  /** Whom to believe that a request comes from elsewhere. */
  readonly trust: ProxyTrust
  readonly administered: Administered
  /** Told of failures that are the gateway's own. */
  readonly report: (problem: AdminProblem, requestId: string) => void
  /** Told every hour where the chain of the audit log ends, to be kept somewhere else. */
  readonly tellHead?: (head: string) => void
  /** Unix milliseconds. */
  readonly now?: (() => number) | undefined
  /** The binary logarithm of the cost of passwords; only tests take less than the usual one. */
  readonly passwordCostLog2?: number | undefined
  /** Where the console was built, if not in its usual folder. */
  readonly consoleFolder?: string | undefined
  /** How long a live stream waits between two looks, in milliseconds. */
  readonly liveEveryMs?: number | undefined
}

/** The admin listener cannot listen where it should. */
export class AdminListenError extends Error {
  override readonly name = 'AdminListenError'
  /** What the system says, as errors of the system have it. */
  readonly code: string

  constructor(cause: unknown) {
    super('The admin listener cannot listen.', { cause })
    this.code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  }
}

/** The listener of the admin API: its own socket, its own door. Owns the sessions' clock and its reader of the books. */
export class AdminServer implements AsyncDisposable {
  readonly #parts: AdminParts
  readonly #reader: ReturnType<typeof readerOf>
  readonly #options: AdminServerOptions
  /** Loaded when somebody asks: a start does not wait for it. */
  #routes: Readonly<Record<string, Route>> = {}
  #answer: Promise<Answer> | undefined
  readonly #server: Bun.Server<undefined>
  readonly #hourly: Timer

  /** Listens at once. Throws `AdminListenError` if the address is taken or not ours. */
  constructor(options: AdminServerOptions) {
    const { now = Date.now, administered, passwordCostLog2, liveEveryMs = usualLiveMs } = options
    const { storage } = administered
    this.#options = options
    this.#reader = readerOf(storage)
    this.#parts = {
      ...administered,
      users: new Users(storage, now),
      sessions: new Sessions(storage, now),
      setup: new SetupTokens(storage, now),
      passwords: new Passwords(
        passwordCostLog2 === undefined ? {} : { costLog2: passwordCostLog2 },
      ),
      attempts: new Attempts(now),
      audit: new AuditLog(storage, now),
      playgroundKeys: new PlaygroundKeys(administered.keys),
      reader: this.#reader,
      now,
      liveEveryMs,
      watchers: new Set(),
      routes: () => this.#routes,
    }
    this.#server = this.#listen()
    this.#hourly = setInterval(() => void this.#tellHead(), hourMs)
    this.#hourly.unref()
  }

  get port(): number {
    return this.#server.port ?? this.#options.port
  }

  /**
   * Makes the token of the first run where there is no user yet, and writes it where only this user can read it.
   * Undefined where there are users.
   */
  async openSetup(): Promise<OpenSetup | undefined> {
    const { users, storage, home, now } = this.#parts
    if (!(await users.isEmpty())) return undefined
    return openSetup({ storage, home, now, by: 'gateway' })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#hourly)
    await this.#server.stop(true)
    await this.#reader[Symbol.asyncDispose]()
  }

  async #tellHead(): Promise<void> {
    try {
      this.#options.tellHead?.(await this.#parts.audit.head())
    } catch {
      // A database that cannot be read has been told of by whoever needs it more.
    }
  }

  async #loaded(): Promise<Answer> {
    const [{ routes }, { Router }, { ConsoleSite }, { answerRequest }] = await Promise.all([
      import('./route-table.ts'),
      import('./router.ts'),
      import('./console-site.ts'),
      import('./answer-request.ts'),
    ])
    this.#routes = routes
    const { host, publicUrl, trust, report, consoleFolder } = this.#options
    const router = new Router(routes)
    const answering = {
      parts: this.#parts,
      guard: new Guard({ host, publicUrl, trust }),
      router,
      site: new ConsoleSite(router, consoleFolder),
      report,
    }
    return (request, connection) => answerRequest(answering, request, connection)
  }

  #listen(): Bun.Server<undefined> {
    const { host, port } = this.#options
    try {
      return Bun.serve({
        hostname: host,
        port,
        reusePort: false,
        idleTimeout: idleSeconds,
        maxRequestBodySize: mostBodyBytes,
        development: false,
        fetch: async (request, server) => {
          this.#answer ??= this.#loaded()
          const answer = await this.#answer
          return answer(request, {
            address: server.requestIP(request)?.address,
            unhurried: () => server.timeout(request, 0),
          })
        },
      })
    } catch (error) {
      void this.#reader[Symbol.asyncDispose]()
      throw new AdminListenError(error)
    }
  }
}

type Answer = (request: Request, connection: Connection) => Promise<Response>

const hourMs = 60 * 60_000
const usualLiveMs = 1000
const idleSeconds = 30
/** Each route has a limit of its own, and none a larger one. */
const mostBodyBytes = largestBodyBytes
