import type { Logger } from 'pino'

import { localUrl } from '#addresses/local-url.ts'
import { Budgets } from '#budgets/budgets.ts'
import type { ModelCard } from '#chat/model-card.ts'
import type { ProtocolName } from '#chat/names.ts'
import { differs } from '#config/changed-sections.ts'
import type { Config } from '#config/schema.ts'
import { AdminServer, type AdminServerOptions } from '#console/api/admin-server.ts'
import type { Administered, ConfigOrigins } from '#console/api/parts.ts'
import { ContentLog } from '#content/content-log.ts'
import type { Engine } from '#engine/engine.ts'
import { type Current, HttpServer } from '#http/server.ts'
import { Keys } from '#keys/keys.ts'
import { SqliteLedger } from '#ledger/ledger.ts'
import { Limiter } from '#limits/limiter.ts'
import { costOf } from '#prices/charge.ts'
import { Prices } from '#prices/prices.ts'
import { chatCompletions } from '#protocols/chat-completions/protocol.ts'
import { messages } from '#protocols/messages/protocol.ts'
import type { Protocol } from '#protocols/protocol.ts'
import type { Catalogue } from '#routing/catalogue.ts'
import { Health } from '#routing/health.ts'
import { Hedge } from '#routing/hedge.ts'
import { type Offer, offered } from '#routing/offer.ts'
import { type Alias, Router, type RouterOptions } from '#routing/router.ts'
import { servedModels } from '#routing/served-models.ts'
import { Storage } from '#storage/database.ts'
import { type Known, knownNames } from '#telemetry/metrics/known-names.ts'
import { reportFailure } from '#telemetry/report-failure.ts'
import { reportMismatch } from '#telemetry/report-mismatch.ts'
import { Telemetry, type TelemetryOptions } from '#telemetry/telemetry.ts'
import { buildEngine, type EngineSurroundings, modelsFolder } from '#upstreams/build-engine.ts'
import type { RemoteSettings } from '#upstreams/build-remote.ts'
import { EngineUpstream } from '#upstreams/engine-upstream.ts'
import { trialUpstream } from '#upstreams/trial-upstream.ts'
import type { Upstream } from '#upstreams/upstream.ts'
import { vendorFacts } from '#upstreams/vendors/vendor-facts.ts'
import type { VendorName } from '#upstreams/vendors/vendors.ts'

import type { Parts } from './exchange.ts'

/*
 * client ──▶ http ──▶ keys ──▶ decode ──▶ route ──▶ reserve ──▶ open ──▶ meter ──▶ encode ──▶ settle ──▶ last byte
 *            bytes   who asks  protocols  routing   usage     upstreams  usage    protocols   usage
 */

export interface GatewayOptions {
  readonly config: Config<VendorName>
  /** Who said what of a config, and in which file, where that is known. */
  readonly originsOf?: (config: Config<VendorName>) => ConfigOrigins | undefined
  /** Upstreams that nobody configured but that were found: in the environment, on this machine. */
  readonly discovered: readonly RemoteSettings[]
  /** The database's file, or `:memory:`. */
  readonly database: string
  /** Where the engine lives; without it there are only the models in the box. */
  readonly surroundings?: Omit<EngineSurroundings, 'report'>
  readonly log: Logger
  /** Where the lines of exchanges go; without it they are not written. */
  readonly lines?: TelemetryOptions['lines']
  /** The clock of the admin API, and what only tests have otherwise. */
  readonly admin?: Pick<
    AdminServerOptions,
    'now' | 'passwordCostLog2' | 'liveEveryMs' | 'consoleFolder'
  >
}

/** Output tokens by which targets are compared in price. */
const usualAnswer = 500

const protocols: Readonly<Record<ProtocolName, Protocol>> = {
  'chat-completions': chatCompletions,
  messages,
}

/** The whole product, built from a config. Owns all of its parts, and closes them in the reverse order. */
export class Gateway implements AsyncDisposable {
  readonly keys: Keys
  readonly budgets: Budgets
  /** What is kept of what is said. */
  readonly content: ContentLog
  readonly #options: GatewayOptions
  readonly #owned = new AsyncDisposableStack()
  /** The database, for whoever looks at the books from beside. */
  readonly storage: Storage
  readonly #ledger: SqliteLedger
  #engine: Engine | undefined
  #engineSettings: Config<VendorName>['engine']
  readonly #limiter = new Limiter()
  readonly #health = new Health()
  readonly #hedge = new Hedge()
  readonly #telemetry: Telemetry
  #catalogue: Catalogue
  #current: Current
  #inForce: InForce
  #server: HttpServer | undefined
  #admin: AdminServer | undefined

  private constructor(options: GatewayOptions, opened: Opened) {
    this.#options = options
    this.keys = opened.keys
    this.budgets = opened.budgets
    this.content = opened.content
    this.storage = opened.storage
    this.#ledger = opened.ledger
    this.#engineSettings = options.config.engine
    this.#engine = this.#buildEngine(options.config)
    ;[this.#current, this.#catalogue, this.#inForce] = this.#assemble(options.config)
    this.#telemetry = this.#buildTelemetry()
  }

  /** Opens everything in the order of dependency, and listens. Rejects with what stands in the way, nothing left open. */
  static async start(options: GatewayOptions): Promise<Gateway> {
    await using owned = new AsyncDisposableStack()
    const storage = owned.use(await Storage.open(options.database, { check: true }))
    let committed: (ms: number) => void = () => {}
    const ledger = owned.use(
      await SqliteLedger.open(storage, {
        onAlarm: (wrong) => reportMismatch(options.log, wrong),
        onCommit: (ms) => committed(ms),
      }),
    )
    const keys = owned.use(new Keys(storage))
    const budgets = new Budgets(storage)
    const content = owned.use(contentLog(options))
    const gateway = new Gateway(options, { storage, keys, budgets, content, ledger })
    gateway.#owned.use(owned.move())
    committed = gateway.#telemetry.committed
    try {
      gateway.#listen()
      return gateway
    } catch (error) {
      await gateway[Symbol.asyncDispose]()
      throw error
    }
  }

  get port(): number {
    return this.#server?.port ?? 0
  }

  /** The listener of the admin API. */
  get admin(): AdminServer | undefined {
    return this.#admin
  }

  /** How many exchanges are under way. */
  get inFlight(): number {
    return this.#server?.inFlight ?? 0
  }

  /** The engine that is in force, unless the config has none. */
  get engine(): Engine | undefined {
    return this.#engine
  }

  async models(): Promise<readonly ModelCard[]> {
    return this.#catalogue.list()
  }

  /**
   * Puts another config in force. Exchanges under way end as they began; those that begin now see the new one.
   * Throws, and changes nothing, if it cannot be used. Where the gateway listens stays as it was.
   */
  apply(config: Config<VendorName>): void {
    const former = this.#catalogue
    const formerEngine = this.#engine
    if (differs(config.engine, this.#engineSettings)) this.#engine = this.#buildEngine(config)
    try {
      ;[this.#current, this.#catalogue, this.#inForce] = this.#assemble(config)
    } catch (error) {
      this.#engine = formerEngine
      throw error
    }
    this.#engineSettings = config.engine
    this.#telemetry.apply(config.telemetry)
    this.content.configure(config.privacy)
    former.close()
    if (formerEngine !== this.#engine) formerEngine?.retire()
  }

  /** Takes no new exchanges and lets those under way finish, for at most `graceMs`. */
  async drain(graceMs: number): Promise<void> {
    await this.#server?.drain(graceMs)
    await this.#telemetry.flush()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#admin?.[Symbol.asyncDispose]()
    await this.#server?.[Symbol.asyncDispose]()
    this.#catalogue.close()
    await this.#engine?.[Symbol.asyncDispose]()
    await this.#owned.disposeAsync()
    await this.#telemetry[Symbol.asyncDispose]()
  }

  #listen(): void {
    const { config, log } = this.#options
    const { trustedProxies: proxies, forwardedHeader: header } = config.listen
    const trust = { proxies, header }
    this.#server = new HttpServer({
      host: config.listen.host,
      port: config.listen.port,
      trust,
      current: () => this.#current,
      protocols,
      report: (failure, requestId) => reportFailure(log, failure, requestId),
      passage: this.#telemetry.passage,
    })
    this.#admin = new AdminServer({
      ...this.#options.admin,
      host: config.listen.adminHost,
      port: config.listen.adminPort,
      publicUrl: config.listen.adminUrl,
      trust,
      administered: this.#administered(),
      report: (failure, requestId) => reportFailure(log, failure, requestId),
      tellHead: (head) => log.info({ head }, 'The audit log ends with this hash.'),
    })
    this.#catalogue.refresh()
  }

  #administered(): Administered {
    const { home, environment = {} } = this.#options.surroundings ?? {}
    return {
      storage: this.storage,
      keys: this.keys,
      budgets: this.budgets,
      content: this.content,
      health: this.#health,
      prices: () => this.#inForce.prices,
      engine: () => this.#engine,
      upstreams: () => this.#inForce.upstreams,
      models: () => servedModels({ ...this.#inForce, catalogue: this.#catalogue }),
      vendors: vendorFacts,
      trial: (tried) => trialUpstream(tried, protocols),
      config: () => this.#inForce.config,
      configOrigins: () => this.#options.originsOf?.(this.#inForce.config),
      failure: () => this.#ledger.failure,
      metrics: this.#telemetry,
      gatewayUrl: () => localUrl(this.#options.config.listen.host, this.port),
      ...(home !== undefined && { home, pulls: { folder: modelsFolder(home), environment } }),
    }
  }

  #assemble(config: Config<VendorName>): [Current, Catalogue, InForce] {
    const { discovered } = this.#options
    const { upstreams, aliases, catalogue } = offerOf(config, discovered, this.#engine)
    const prices = new Prices(config.prices)
    const costAt: RouterOptions['costAt'] = (model, inputTokens) => {
      const price = prices.of(model)
      if (price === undefined) return model.protocol === 'engine' ? 0 : Infinity
      return costOf({ input: inputTokens, output: usualAnswer }, price)
    }
    const parts: Parts = {
      keys: this.keys,
      limiter: this.#limiter,
      router: new Router({ upstreams, aliases, catalogue, health: this.#health, costAt }),
      health: this.#health,
      hedge: this.#hedge,
      catalogue,
      ledger: this.#ledger,
      content: this.content,
      prices,
      strict: config.translation.strict,
    }
    const known = knownNames({ aliases, catalogue })
    this.#limiter.follow(config.limits.total)
    return [currentOf(config, parts), catalogue, { config, upstreams, aliases, prices, known }]
  }

  #buildTelemetry(): Telemetry {
    const { config, surroundings, ...told } = this.#options
    return new Telemetry({
      ...told,
      settings: config.telemetry,
      environment: surroundings?.environment ?? {},
      known: () => this.#inForce.known,
      observed: () => ({
        server: this.#server,
        health: this.#health,
        engine: this.#engine,
        ledger: this.#ledger,
        database: this.storage.file,
      }),
      addressOf: (asked) => this.#inForce.upstreams.find(({ name }) => name === asked)?.address,
    })
  }

  #buildEngine({ engine }: Config<VendorName>): Engine | undefined {
    const { surroundings, log } = this.#options
    if (!engine.enabled) return undefined
    return buildEngine(engine, {
      ...surroundings,
      report: (message, facts) => log.warn(facts, message),
    })
  }
}

/** What a config has brought about. */
interface InForce {
  readonly config: Config<VendorName>
  readonly upstreams: readonly Upstream[]
  readonly aliases: readonly Alias[]
  readonly prices: Prices
  /** The names that are its own, and not a caller's. */
  readonly known: Known
}

interface Opened {
  readonly storage: Storage
  readonly keys: Keys
  readonly budgets: Budgets
  readonly content: ContentLog
  readonly ledger: SqliteLedger
}

function contentLog({ config, database, log }: GatewayOptions): ContentLog {
  return new ContentLog({
    database,
    settings: config.privacy,
    report: (message, facts) => log.warn(facts, message),
  })
}

/** What a config offers: its upstreams, its names, and the list of models that they make together. */
export function offerOf(
  config: Config<VendorName>,
  discovered: readonly RemoteSettings[],
  engine: Engine | undefined,
): Offer {
  const own = engine === undefined ? [] : [new EngineUpstream(engine)]
  return offered(config, { discovered, protocols, own })
}

function currentOf({ limits, messages: rules, cors }: Config<VendorName>, parts: Parts): Current {
  return {
    parts,
    bodyBytes: limits.body,
    keepAliveMs: limits.keepAlive,
    totalMs: limits.total,
    crowd: { exchanges: limits.exchanges, bodyBytes: limits.bodies },
    stalled: limits.stalled,
    version: { isRequired: rules.requireVersion, alsoAccepted: rules.versions },
    cors,
  }
}
