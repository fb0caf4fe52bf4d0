import { hash, randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { Secret } from '#std/secret.ts'
import type { Storage } from '#storage/database.ts'

import { AuditLog } from './audit.ts'

/** For so long a token can be used. */
export const tokenLivesMs = 30 * 60_000

/** The token by which the first administrator is made: one use, half an hour. A new one takes the place of the last. */
export class SetupTokens {
  readonly #storage: Storage
  readonly #now: () => number

  constructor(storage: Storage, now: () => number) {
    this.#storage = storage
    this.#now = now
  }

  /** Makes a token. Its text is known only now. */
  async issue(): Promise<Secret> {
    const text = randomBytes(32).toString('base64url')
    const row = { hash: hashOf(text), expires_at: this.#now() + tokenLivesMs }
    await this.#storage.query
      .insertInto('setup_token')
      .values({ id: 1, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute()
    return new Secret(text)
  }

  /** Whether there is one that can be used. */
  async isOpen(): Promise<boolean> {
    return (await this.#valid().executeTakeFirst()) !== undefined
  }

  async isValid(text: string): Promise<boolean> {
    const row = await this.#valid().where('hash', '=', hashOf(text)).executeTakeFirst()
    return row !== undefined
  }

  /** Uses the token up, as part of the transaction that is open. Whether it was one. */
  async use(text: string): Promise<boolean> {
    const { numDeletedRows } = await this.#storage.query
      .deleteFrom('setup_token')
      .where('hash', '=', hashOf(text))
      .where('expires_at', '>', this.#now())
      .executeTakeFirst()
    return numDeletedRows > 0n
  }

  #valid() {
    return this.#storage.query
      .selectFrom('setup_token')
      .select('id')
      .where('expires_at', '>', this.#now())
  }
}

export interface SetupOrder {
  readonly storage: Storage
  readonly home?: string | undefined
  readonly now: () => number
  /** Who lets it be made, for the audit log. */
  readonly by: string
}

/** A setup token, and the file that it was written to. */
export interface OpenSetup {
  readonly token: Secret
  readonly file?: string
}

/** Makes a token, writes down that it was made, and keeps it where only this user can read it. */
export async function openSetup({ storage, home, now, by }: SetupOrder): Promise<OpenSetup> {
  const who = { actor: by, actorName: by, requestId: '' }
  const token = await new AuditLog(storage, now).during(who, async () => ({
    result: await new SetupTokens(storage, now).issue(),
    deed: { action: 'setup-token', object: 'setup' },
  }))
  return { token, ...(home !== undefined && { file: keepSetupToken(home, token) }) }
}

/** Where the token of a home is written for its owner. */
function setupTokenFile(home: string): string {
  return join(home, 'setup-token')
}

/** Writes a token where only this user can read it. Gives the file. */
function keepSetupToken(home: string, token: Secret): string {
  const file = setupTokenFile(home)
  // A file that is there already would keep whatever rights it has.
  rmSync(file, { force: true })
  writeFileSync(file, `${token.reveal()}\n`, { mode: 0o600, flag: 'wx' })
  return file
}

/** Removes a token that was used. */
export function forgetSetupToken(home: string): void {
  rmSync(setupTokenFile(home), { force: true })
}

function hashOf(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
