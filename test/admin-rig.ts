import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Passwords } from '#console/access/passwords.ts'
import type { Role } from '#console/access/role.ts'
import { Sessions } from '#console/access/sessions.ts'
import { type UserRecord, Users } from '#console/access/users.ts'
import type { Gateway } from '#gateway.ts'
import type { Storage } from '#storage/database.ts'

import { startGateway, type TestConfig, type TestGateway } from './start-gateway.ts'

/** As cheap as scrypt goes: what a password costs is measured where passwords are tested. */
const costLog2 = 4

export const goodPassword = 'correct horse battery'

/** A gateway with its admin API open, on a clock of ours. */
export interface AdminRig extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly url: string
  readonly home: string
  readonly storage: Storage
  readonly clock: { now: number }
  /** The setup token, as it was written to its file. */
  readonly setupToken: () => string
  /** A browser that nobody is signed in with. */
  readonly browser: () => Browser
  /** Somebody signed in, without going through the door. */
  readonly signedIn: (
    role: Role,
    projects?: readonly string[],
  ) => Promise<Browser & { readonly user: UserRecord }>
}

/** Sends what a page of our own would send. */
export interface Browser {
  cookie: string
  readonly send: (method: string, path: string, body?: unknown, headers?: Sent) => Promise<Response>
  /** The same for what has to be answered well; gives the JSON. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<Json>
}

type Sent = Readonly<Record<string, string | undefined>>

// Tests look into answers as they please.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

export interface AdminRigOptions {
  readonly config?: TestConfig
  readonly database?: (home: string) => string
  readonly passwordCostLog2?: number
  /** Where a console was built; without one there is none. */
  readonly consoleFolder?: string
}

let started = 0

export async function adminRig({
  config = {},
  database,
  passwordCostLog2 = costLog2,
  consoleFolder,
}: AdminRigOptions = {}): Promise<AdminRig> {
  const home = mkdtempSync(join(tmpdir(), 'parley-admin-'))
  const clock = { now: Date.UTC(2026, 0, 15) }
  const gateway = await startGateway(config, database?.(home) ?? ':memory:', undefined, {
    home,
    admin: {
      now: () => clock.now,
      passwordCostLog2,
      liveEveryMs: 5,
      // Whether somebody has built one in this checkout is nothing that a test depends on.
      consoleFolder: consoleFolder ?? join(home, 'no-console'),
    },
  })
  const url = `http://127.0.0.1:${adminOf(gateway.gateway).port}`
  const storage = gateway.gateway.storage
  const kept = await new Passwords({ costLog2 }).keep(goodPassword)
  const browser = (cookie = ''): Browser => {
    const self: Browser = {
      cookie,
      async send(method, path, body, headers = {}) {
        const isChange = method !== 'GET' && method !== 'HEAD'
        const usual: Sent = {
          'sec-fetch-site': 'same-origin',
          ...(isChange && {
            'x-parley-csrf': '1',
            'content-type': 'application/json',
            origin: url,
          }),
          ...(self.cookie !== '' && { cookie: self.cookie }),
          ...headers,
        }
        const sent = Object.entries(usual).filter(
          (header): header is [string, string] => header[1] !== undefined,
        )
        const response = await fetch(`${url}${path}`, {
          method,
          headers: sent,
          redirect: 'manual',
          ...(body !== undefined && {
            body: typeof body === 'string' ? body : JSON.stringify(body),
          }),
        })
        const set = response.headers.get('set-cookie')
        if (set !== null) self.cookie = set.split(';')[0] ?? ''
        return response
      },
      async ask(method, path, body) {
        const response = await self.send(method, path, body)
        const text = await response.text()
        if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
        return JSON.parse(text)
      },
    }
    return self
  }
  return {
    gateway,
    url,
    home,
    storage,
    clock,
    browser: () => browser(),
    setupToken: () => readFileSync(join(home, 'setup-token'), 'utf8').trim(),
    async signedIn(role, projects) {
      const now = () => clock.now
      const order = { name: `${role} ${++started}`, role, projects: projects ?? null }
      const user = await new Users(storage, now).create(order, kept)
      const session = await new Sessions(storage, now).begin(user.id, {})
      return Object.assign(browser(`parley_session=${session.shown.reveal()}`), { user })
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

export function adminOf(gateway: Gateway) {
  const { admin } = gateway
  if (admin === undefined) throw new Error('The gateway has no admin listener.')
  return admin
}
