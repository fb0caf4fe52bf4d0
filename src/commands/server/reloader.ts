import type { Logger } from 'pino'

import { changedSections } from '#config/changed-sections.ts'
import { ConfigError } from '#config/problem.ts'
import type { Config } from '#config/schema.ts'
import { watchFile } from '#config/watch.ts'
import type { Gateway } from '#gateway.ts'
import type { VendorName } from '#upstreams/vendors/vendors.ts'

export interface ReloaderOptions {
  /** The file of the config. It need not be there yet. */
  readonly path: string
  /** The config that is in force. */
  readonly config: Config<VendorName>
  readonly read: () => Promise<Config<VendorName>>
  readonly gateway: Pick<Gateway, 'apply'>
  readonly log: Logger
}

/** Puts the config in force whenever its file changes, and keeps the former one where the new one cannot be used. */
export class Reloader implements Disposable {
  readonly #options: ReloaderOptions
  readonly #ending = new AbortController()
  #config: Config<VendorName>
  #reloading = Promise.resolve()

  private constructor(options: ReloaderOptions) {
    this.#options = options
    this.#config = options.config
  }

  /** Begins to watch the file. */
  static async start(options: ReloaderOptions): Promise<Reloader> {
    const reloader = new Reloader(options)
    await watchFile(options.path, () => reloader.reload(), { signal: reloader.#ending.signal })
    return reloader
  }

  /** Reads the file again. One reload comes after the other, so that the last one read is the one in force. */
  reload(): void {
    this.#reloading = this.#reloading.then(() => this.#reload())
  }

  [Symbol.dispose](): void {
    this.#ending.abort()
  }

  async #reload(): Promise<void> {
    const { read, gateway, log } = this.#options
    try {
      const config = await read()
      if (this.#ending.signal.aborted) return
      const changed = changedSections(this.#config, config)
      if (changed.length === 0) return log.info('The config was read again and says the same.')
      gateway.apply(config)
      this.#config = config
      log.level = config.log.level
      this.#tell(changed)
    } catch (error) {
      const why = reasonOf(error)
      log.error(`The config cannot be used, and the former one stays in force. ${why}`)
    }
  }

  #tell(changed: readonly string[]): void {
    const { log } = this.#options
    const now = changed.filter((section) => section !== 'listen')
    if (now.length > 0) log.info({ changed: now }, 'The config has changed and is in force.')
    if (now.length < changed.length)
      log.warn('What `listen` says has changed. That takes effect at the next start.')
  }
}

/** On one line, whatever there is to say. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error instanceof ConfigError)) return error.message
  const [source, ...problems] = error.message.split('\n').map((line) => line.trim())
  return `${source} ${problems.join('; ')}`
}
