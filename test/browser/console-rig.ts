import { expect } from 'bun:test'

import type { Browser } from 'playwright-core'

import type { Role } from '#console/access/role.ts'
import { newPerson, type Person, type Serving } from '#test/run-parley.ts'

import { AdminClient } from './admin-client.ts'
import { launchChromium } from './chromium.ts'
import { Profile } from './profile.ts'
import { Visitor } from './visitor.ts'

export const password = 'correct horse battery'

/** No file of these tests takes longer: what is left then is ended. */
const longestMs = 600_000

export interface ConsoleRigOptions {
  /** The text of `parley.yaml`. */
  readonly config?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** The real server with a home of its own, and a browser in front of its console. */
export class ConsoleRig implements AsyncDisposable {
  readonly browser: Browser
  readonly person: Person
  readonly #environment: Readonly<Record<string, string>>
  /** Profiles that nobody has at the moment. */
  readonly #free: Profile[] = []
  #serving: Serving

  private constructor(
    browser: Browser,
    person: Person,
    serving: Serving,
    environment: Environment,
  ) {
    this.browser = browser
    this.person = person
    this.#serving = serving
    this.#environment = environment
  }

  static async start({ config, environment = {} }: ConsoleRigOptions = {}): Promise<ConsoleRig> {
    const browser = await launchChromium()
    const person = newPerson(longestMs)
    if (config !== undefined) person.write('parley.yaml', config)
    const serving = await person.serve([], environment).catch(async (error: unknown) => {
      const { error: why } = await person.run(['check'])
      throw new Error(`The gateway did not start: ${why}`, { cause: error })
    })
    return new ConsoleRig(browser, person, serving, environment)
  }

  get serving(): Serving {
    return this.#serving
  }

  /** Where the console is. */
  get url(): string {
    return this.#serving.adminUrl
  }

  /** Starts the server again at the addresses that it had. */
  async serveAgain(): Promise<void> {
    const { port, adminUrl } = this.#serving
    const words = ['--port', `${port}`, '--admin-port', new URL(adminUrl).port]
    this.#serving = await this.person.serve(words, this.#environment)
  }

  /** Makes the first administrator without a browser, and gives a client that is signed in as such. */
  async administrator(name = 'ada'): Promise<AdminClient> {
    const client = new AdminClient(this.url)
    const token = new URL(this.#serving.setupUrl ?? '').hash.slice(1)
    await client.ask('POST', '/api/setup', { token, name, password })
    return client
  }

  /** Makes a user, by an administrator, and gives a client that is signed in as that user. */
  async user(by: AdminClient, order: UserOrder): Promise<AdminClient> {
    await by.ask('POST', '/api/users', { ...order, password, yourPassword: password })
    return this.client(order.name)
  }

  /** A client that has just signed in. */
  async client(name: string): Promise<AdminClient> {
    const client = new AdminClient(this.url)
    await client.ask('POST', '/api/login', { name, password })
    return client
  }

  /**
   * Lets somebody do something in front of the console, with the session of a client if there is one. Fails where
   * anything happened meanwhile that should not; then a picture of the page is kept.
   */
  async visit(visiting: Visiting, doing: (visitor: Visitor) => Promise<void>): Promise<void> {
    await using visitor = await this.arrive(visiting)
    await observed(visitor, doing)
  }

  /** Somebody in front of the console, for as long as the caller likes. */
  async arrive({ as, hasEmptyCache = false }: Visiting): Promise<Visitor> {
    const known = hasEmptyCache ? undefined : this.#free.pop()
    const profile = known ?? (await Profile.open(this.browser, this.url))
    return Visitor.arrive(profile, as?.cookie, () => this.#free.push(profile))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close()
    await this.person[Symbol.asyncDispose]()
  }
}

/** Does something in front of the console. Fails where that does, or anything happens meanwhile that should not. */
export async function observed(
  visitor: Visitor,
  doing: (visitor: Visitor) => Promise<void>,
): Promise<void> {
  try {
    await doing(visitor)
    expect(visitor.troubles).toEqual([])
  } catch (error) {
    await visitor.picture(`failed-${Bun.randomUUIDv7().slice(-6)}`)
    if (visitor.troubles.length > 0) console.log(visitor.troubles.join('\n'))
    throw error
  }
}

export interface Visiting {
  /** Whose session the browser has; nobody's unless said. */
  readonly as?: AdminClient | undefined
  /** Whether the browser has never seen the console. */
  readonly hasEmptyCache?: boolean
}

type Environment = Readonly<Record<string, string>>

interface UserOrder {
  readonly name: string
  readonly role: Role
  readonly projects?: readonly string[]
}
