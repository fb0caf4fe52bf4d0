import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'

import fc from 'fast-check'

import { GatewayError } from '#chat/error.ts'
import { Secret } from '#std/secret.ts'
import { Storage } from '#storage/database.ts'

import { issueKey } from './key-format.ts'
import { Keys } from './keys.ts'
import { secretQueries } from './secret-finder.ts'

/** Two processes at one database: the second has its own connection, its own cache, and the same clock. */
async function twoProcesses(): Promise<AsyncDisposable & Parties> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-keys-'))
  const file = join(folder, 'parley.db')
  const clock = { time: 1_800_000_000_000 }
  const now = (): number => clock.time
  const first = await Storage.open(file)
  const second = await Storage.open(file)
  return {
    clock,
    file,
    server: new Keys(first, { now }),
    admin: new Keys(second, { now }),
    storage: first,
    async [Symbol.asyncDispose]() {
      first[Symbol.dispose]()
      second[Symbol.dispose]()
      rmSync(folder, { recursive: true })
    },
  }
}

interface Parties {
  readonly clock: { time: number }
  readonly file: string
  readonly server: Keys
  readonly admin: Keys
  readonly storage: Storage
}

let storage: Storage
let keys: Keys
beforeAll(async () => {
  storage = await Storage.open(':memory:')
  keys = new Keys(storage)
})
afterAll(() => storage[Symbol.dispose]())

/** The failure of a verification. */
function refusal(presented: readonly string[], of = keys): GatewayError {
  try {
    of.verify(presented)
  } catch (error) {
    if (error instanceof GatewayError) return error
  }
  throw new TypeError('It was accepted.')
}

/** The steps that SQLite takes for both ways to look a secret up. */
function planOf(of: Storage): string[] {
  const { byKey, byHash } = secretQueries(of)
  return [byKey, byHash].flatMap(({ sql }) =>
    of.database
      .query<{ detail: string }, [null]>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(null)
      .map(({ detail }) => detail),
  )
}

async function failureOf(work: Promise<unknown>): Promise<GatewayError> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (failure instanceof GatewayError) return failure
  throw new TypeError('It did not fail as expected.', { cause: failure })
}

describe('verify', () => {
  test('says whose a valid key is, the first time and from then on', async () => {
    const { id, key } = await keys.issue({ name: 'ci' })
    for (let time = 0; time < 3; time++)
      expect(keys.verify([key.reveal()])).toEqual({
        keyId: id,
        name: 'ci',
        projectId: 'default',
        holders: [
          { id: 'org', policy: {} },
          { id: 'project:default', policy: {} },
          { id: `key:${id}`, policy: {} },
        ],
      })
  })

  test('asks for a key where there is none, in words for both headers (A01)', () => {
    for (const presented of [[], [''], ['', '']]) {
      const failure = refusal(presented)
      expect(failure.code).toBe('key-missing')
      expect(failure.message).toContain('Authorization: Bearer')
      expect(failure.message).toContain('x-api-key')
    }
  })

  test('refuses what is no key here, and never repeats it (A02)', () => {
    for (const text of ['wrong', 'x'.repeat(19), 'sk-proj-0123456789abcdefghij', issueKey().text]) {
      const failure = refusal([text])
      expect(failure.code).toBe('key-rejected')
      expect(failure.message).not.toContain(text)
      expect(failure.message).not.toContain(text.slice(12, -4) || text)
    }
  })

  test('refuses the right id with a wrong secret', async () => {
    const { id } = await keys.issue({ name: 'guessed' })
    expect(refusal([issueKey(id).text]).message).toContain('is not known here')
  })

  test('never looks into the database for a damaged key', async () => {
    const closed = await Storage.open(':memory:')
    const blind = new Keys(closed)
    closed[Symbol.dispose]()
    fc.assert(
      fc.property(fc.base64String({ maxLength: 80 }), (rest) => {
        expect(refusal([`gk_live_${rest}`], blind).code).toBe('key-rejected')
      }),
    )
    expect(refusal([issueKey().text], blind).code).toBe('storage-unavailable')
  })

  test('takes a key with blanks that an operator chose (A05)', async () => {
    const { id } = await keys.issue({ name: 'sdk', chosen: new Secret('My API Key') })
    expect(keys.verify(['My API Key'])).toMatchObject({ keyId: id, name: 'sdk' })
    for (const other of ['My API Ke', 'my api key', 'My API Key ', 'My  API Key'])
      expect(refusal([other]).code).toBe('key-rejected')
  })

  test('is content with one valid key of several, in either place', async () => {
    const { id, key } = await keys.issue({ name: 'one of two' })
    const text = key.reveal()
    for (const presented of [
      [text, 'wrong'],
      ['wrong', text],
      [text, text],
      ['', text],
    ])
      expect(keys.verify(presented).keyId).toBe(id)
  })

  test('refuses two different valid keys, since one of them must be a mistake', async () => {
    const one = await keys.issue({ name: 'one' })
    const two = await keys.issue({ name: 'two' })
    const failure = refusal([one.key.reveal(), two.key.reveal()])
    expect([failure.code, failure.status]).toEqual(['request-invalid', 400])
  })

  test('costs the same with a million keys as with one: it goes from index to index', async () => {
    using crowded = await Storage.open(':memory:')
    const one = planOf(crowded)
    const crowd = new Keys(crowded)
    const { id, key } = await crowd.issue({ name: 'known' })
    crowded.database.run(
      `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 1000000)
        INSERT INTO keys (id, name, created_at) SELECT printf('%012d', at), 'crowd', 0 FROM n`,
    )
    crowded.database.run(
      `INSERT INTO key_secrets (hash, key_id, created_at) SELECT CAST(printf('%032d', id) AS BLOB), id, 0 FROM keys WHERE name = 'crowd'`,
    )
    expect(await crowd.isEmpty()).toBe(false)
    expect(crowd.verify([key.reveal()]).keyId).toBe(id)
    const many = planOf(crowded)
    expect(many).toEqual(one)
    expect(many).toHaveLength(8)
    for (const step of many)
      expect(step).toMatch(
        /^SEARCH \w+ USING (PRIMARY KEY|INTEGER PRIMARY KEY|INDEX key_secrets_by_key) /,
      )
  })

  test('remembers only so many keys, and all of them stay valid', async () => {
    const many = await Storage.open(':memory:')
    const crowd = new Keys(many)
    const { key } = await crowd.issue({ name: 'first' })
    const insert = many.database.prepare<unknown, [string, string]>(
      'INSERT INTO keys (id, name, created_at) VALUES (?, ?, 0)',
    )
    const secret = many.database.prepare<unknown, [Buffer, string]>(
      'INSERT INTO key_secrets (hash, key_id, created_at) VALUES (?, ?, 0)',
    )
    const texts = Array.from({ length: 10_050 }, (_, at) => `chosen-${at}`)
    many.database.transaction(() => {
      for (const text of texts) {
        insert.run(text, text)
        secret.run(new Bun.CryptoHasher('sha256').update(text).digest(), text)
      }
    })()
    crowd.verify([key.reveal()])
    for (const text of texts) expect(crowd.verify([text]).keyId).toBe(text)
    expect(crowd.verify([key.reveal()]).name).toBe('first')
    insert.finalize()
    secret.finalize()
    many[Symbol.dispose]()
  })
})

describe('a key that ends', () => {
  test('is refused from the moment at which it expires, also if it was just verified', async () => {
    await using parties = await twoProcesses()
    const { clock, server } = parties
    const { key } = await server.issue({ name: 'short', expiresAt: clock.time + 100 })
    expect(server.verify([key.reveal()]).name).toBe('short')
    clock.time += 99
    expect(server.verify([key.reveal()]).name).toBe('short')
    clock.time += 1
    expect(refusal([key.reveal()], server).message).toContain('has expired')
  })

  test('is refused at once by the process that revoked it', async () => {
    const { id, key } = await keys.issue({ name: 'revoked' })
    keys.verify([key.reveal()])
    expect(await keys.revoke(id)).toBe(true)
    expect(refusal([key.reveal()]).message).toContain('was revoked')
  })

  test('is refused within a second by every other process', async () => {
    await using parties = await twoProcesses()
    const { clock, server, admin } = parties
    const { id, key } = await admin.issue({ name: 'leaked' })
    expect(server.verify([key.reveal()]).keyId).toBe(id)
    await admin.revoke(id)
    clock.time += 1000
    expect(refusal([key.reveal()], server).code).toBe('key-rejected')
  })

  test('is refused by every other process even if the clock was set back', async () => {
    await using parties = await twoProcesses()
    const { clock, server, admin } = parties
    const { id, key } = await admin.issue({ name: 'leaked' })
    server.verify([key.reveal()])
    await admin.revoke(id)
    clock.time -= 86_400_000
    expect(refusal([key.reveal()], server).code).toBe('key-rejected')
  })

  test('stays as it ended when it is revoked again, and an unknown one is not there to revoke', async () => {
    await using parties = await twoProcesses()
    const { clock, server } = parties
    const { id } = await server.issue({ name: 'twice' })
    await server.revoke(id)
    const revokedAt = clock.time
    clock.time += 5000
    expect(await server.revoke(id)).toBe(true)
    expect((await server.find(id))?.revokedAt).toBe(revokedAt)
    expect(await server.revoke('nobody')).toBe(false)
  })
})

describe('a key that is rotated', () => {
  test('keeps its id, and both texts are valid until the overlap ends', async () => {
    await using parties = await twoProcesses()
    const { clock, server, admin } = parties
    const old = await admin.issue({ name: 'rotated' })
    server.verify([old.key.reveal()])
    const fresh = await admin.rotate(old.id, 10_000)
    expect(fresh.id).toBe(old.id)
    expect(fresh.key.reveal()).not.toBe(old.key.reveal())
    clock.time += 9_999
    for (const { key } of [old, fresh]) expect(server.verify([key.reveal()]).keyId).toBe(old.id)
    expect(server.verify([old.key.reveal(), fresh.key.reveal()]).keyId).toBe(old.id)
    clock.time += 1
    expect(refusal([old.key.reveal()], server).message).toContain('has expired')
    expect(server.verify([fresh.key.reveal()]).keyId).toBe(old.id)
  })

  test('never has an old text live longer than the rotation before it said', async () => {
    await using parties = await twoProcesses()
    const { clock, server } = parties
    const old = await server.issue({ name: 'rotated twice' })
    await server.rotate(old.id, 1000)
    await server.rotate(old.id, 60_000)
    clock.time += 1000
    expect(refusal([old.key.reveal()], server).code).toBe('key-rejected')
  })

  test('has to be active', async () => {
    const { id } = await keys.issue({ name: 'gone' })
    await keys.revoke(id)
    expect((await failureOf(keys.rotate(id, 0))).message).toContain('it is revoked')
    expect((await failureOf(keys.rotate('nobody', 0))).code).toBe('request-invalid')
  })
})

describe('issue', () => {
  test('refuses names and texts that could not be used', async () => {
    for (const name of ['', '   ', 'a\nb', 'x'.repeat(101)])
      expect((await failureOf(keys.issue({ name }))).param).toBe('name')
    for (const text of ['', ' x', 'x ', 'a\tb', 'schlüssel', 'gk_live_mine', 'x'.repeat(513)])
      expect((await failureOf(keys.issue({ name: 'n', chosen: new Secret(text) }))).param).toBe(
        'key',
      )
  })

  test('refuses a text that is taken, and leaves no key behind', async () => {
    await keys.issue({ name: 'first', chosen: new Secret('shared text') })
    const before = (await keys.list()).length
    const failure = await failureOf(
      keys.issue({ name: 'second', chosen: new Secret('shared text') }),
    )
    expect(failure.code).toBe('request-invalid')
    expect(await keys.list()).toHaveLength(before)
    expect(keys.verify(['shared text']).name).toBe('first')
  })

  test('shows the key once: it is printed nowhere and stored nowhere', async () => {
    await using parties = await twoProcesses()
    const { file, server, storage: opened } = parties
    const issued = await server.issue({ name: 'canary' })
    const text = issued.key.reveal()
    for (const shown of [JSON.stringify(issued), inspect(issued), String(issued.key)]) {
      expect(shown).toContain('[secret]')
      expect(shown).not.toContain(text)
    }
    opened.database.run('PRAGMA wal_checkpoint(FULL)')
    const stored =
      readFileSync(file).toString('latin1') + readFileSync(`${file}-wal`).toString('latin1')
    expect(stored).toContain(issued.id)
    expect(stored).not.toContain(text.slice(21, 64))
  })

  test('lists keys with what may be known of them, the newest first', async () => {
    await using parties = await twoProcesses()
    const { clock, server } = parties
    const first = await server.issue({ name: 'first', expiresAt: clock.time + 5 })
    clock.time += 10
    const second = await server.issue({ name: 'second' })
    const place = { projectId: 'default', projectName: 'default', policy: {} }
    expect(await server.list()).toEqual([
      { id: second.id, name: 'second', status: 'active', createdAt: clock.time, ...place },
      {
        ...place,
        id: first.id,
        name: 'first',
        status: 'expired',
        createdAt: clock.time - 10,
        expiresAt: clock.time - 5,
      },
    ])
  })
})

describe('what is known of a caller', () => {
  test('are its project and the policies of the organisation, the project and the key', async () => {
    await using parties = await twoProcesses()
    const { server } = parties
    const project = await server.projects.create({ name: 'search', policy: { models: ['gpt-*'] } })
    await server.projects.updateOrganisation({ policy: { concurrency: 9 } })
    const { id, key } = await server.issue({
      name: 'ci',
      projectId: project.id,
      policy: { models: ['gpt-6'], rates: { requestsPerMinute: 5 } },
    })
    expect(server.verify([key.reveal()])).toEqual({
      keyId: id,
      name: 'ci',
      projectId: project.id,
      holders: [
        { id: 'org', policy: { concurrency: 9 } },
        { id: `project:${project.id}`, policy: { models: ['gpt-*'] } },
        { id: `key:${id}`, policy: { models: ['gpt-6'], rates: { requestsPerMinute: 5 } } },
      ],
    })
  })

  test('is a second old at most, whoever of the three was changed, by another process too', async () => {
    await using parties = await twoProcesses()
    const { clock, server, admin } = parties
    const project = await admin.projects.create({ name: 'search' })
    const { id, key } = await admin.issue({ name: 'ci', projectId: project.id })
    const policies = () => server.verify([key.reveal()]).holders.map(({ policy }) => policy)
    expect(policies()).toEqual([{}, {}, {}])
    const policy = { maxTokens: 5 }
    await admin.projects.updateOrganisation({ policy })
    clock.time += 1000
    expect(policies()).toEqual([policy, {}, {}])
    await admin.projects.update(project.id, { policy })
    clock.time += 1000
    expect(policies()).toEqual([policy, policy, {}])
    await admin.update(id, { policy })
    clock.time += 1000
    expect(policies()).toEqual([policy, policy, policy])
    await admin.projects.archive(project.id)
    clock.time += 1000
    expect(refusal([key.reveal()], server).message).toContain('was archived')
  })

  test('is the same object for as long as nobody changes it, so that what is made of it is kept', async () => {
    await using parties = await twoProcesses()
    const { clock, server } = parties
    const { key } = await server.issue({ name: 'ci', policy: { models: ['a'] } })
    const before = server.verify([key.reveal()]).holders[2].policy
    clock.time += 5000
    expect(server.verify([key.reveal()]).holders[2].policy).toBe(before)
  })

  test('cannot be known if its policy cannot be read: then it is refused', async () => {
    await using parties = await twoProcesses()
    const { server, storage: opened } = parties
    const { key } = await server.issue({ name: 'ci' })
    opened.database.run(`UPDATE organisation SET policy = '{"from":"elsewhere"}'`)
    expect(refusal([key.reveal()], server).code).toBe('storage-unavailable')
  })
})

describe('a key that is not valid yet', () => {
  test('is refused until the moment at which it begins, with that moment', async () => {
    await using parties = await twoProcesses()
    const { clock, server } = parties
    const notBefore = clock.time + 5000
    const { id, key } = await server.issue({ name: 'soon', notBefore, expiresAt: notBefore + 10 })
    const failure = refusal([key.reveal()], server)
    expect(failure.code).toBe('key-rejected')
    expect(failure.message).toContain(`not valid before ${new Date(notBefore).toISOString()}`)
    expect((await server.find(id))?.status).toBe('early')
    clock.time = notBefore - 1
    expect(refusal([key.reveal()], server).code).toBe('key-rejected')
    clock.time = notBefore
    expect(server.verify([key.reveal()]).keyId).toBe(id)
    expect((await server.find(id))?.status).toBe('active')
  })

  test.each([
    ['an end in the past', { expiresAt: -1 }, 'expiresAt'],
    ['an end right now', { expiresAt: 0 }, 'expiresAt'],
    ['a beginning at its end', { notBefore: 5000, expiresAt: 5000 }, 'notBefore'],
    ['a beginning after its end', { notBefore: 5001, expiresAt: 5000 }, 'notBefore'],
    ['an end that is no number', { expiresAt: Number.NaN }, 'expiresAt'],
    ['a beginning that never comes', { notBefore: Number.POSITIVE_INFINITY }, 'notBefore'],
    ['an end beyond all calendars', { expiresAt: 1e18 }, 'expiresAt'],
  ])('cannot have %s', async (_name, times, param) => {
    await using parties = await twoProcesses()
    const { clock, server } = parties
    const absolute = Object.fromEntries(
      Object.entries(times).map(([name, time]) => [name, clock.time + time]),
    )
    const failure = await failureOf(server.issue({ name: 'n', ...absolute }))
    expect([failure.code, failure.param]).toEqual(['request-invalid', param])
    expect(await server.list()).toEqual([])
    const { id } = await server.issue({ name: 'n' })
    expect((await failureOf(server.update(id, absolute))).param).toBe(param)
    expect(await server.find(id)).not.toHaveProperty(param)
  })
})

describe('when a key was last used', () => {
  test('is written down for each secret, a minute apart at least, and is known to every process', async () => {
    await using parties = await twoProcesses()
    const { clock, server, admin, storage: opened } = parties
    const old = await admin.issue({ name: 'ci' })
    const lastUse = async () => (await admin.find(old.id))?.lastUsedAt
    expect(await lastUse()).toBeUndefined()
    const first = clock.time
    server.verify([old.key.reveal()])
    expect(await lastUse()).toBeUndefined()
    server.flushLastUse()
    expect(await lastUse()).toBe(first)

    clock.time += 59_999
    server.verify([old.key.reveal()])
    server.flushLastUse()
    expect(await lastUse()).toBe(first)

    clock.time += 1001
    const fresh = await admin.rotate(old.id, 60_000)
    server.verify([fresh.key.reveal()])
    server.flushLastUse()
    expect(await lastUse()).toBe(clock.time)
    const perSecret = opened.database
      .query('SELECT last_used_at FROM key_secrets ORDER BY 1')
      .values()
    expect(perSecret).toEqual([[first], [clock.time]])
  })

  test('is never waited for: where the database is locked it is kept for later, where it is gone it is forgotten', async () => {
    await using parties = await twoProcesses()
    const { server, admin, storage: opened, file } = parties
    const { id, key } = await admin.issue({ name: 'ci' })
    server.verify([key.reveal()])
    const other = await Storage.open(file)
    other.database.run('BEGIN IMMEDIATE')
    server.flushLastUse()
    other.database.run('ROLLBACK')
    other[Symbol.dispose]()
    expect((await admin.find(id))?.lastUsedAt).toBeUndefined()
    for (const [setting, value] of [
      ['synchronous', 2],
      ['busy_timeout', 2000],
    ] as const)
      expect(Object.values(opened.database.query(`PRAGMA ${setting}`).get() ?? {})).toEqual([value])
    server.flushLastUse()
    expect((await admin.find(id))?.lastUsedAt).toBeNumber()
    opened[Symbol.dispose]()
    server[Symbol.dispose]()
  })

  test('is written at the latest when the keys are closed', async () => {
    await using parties = await twoProcesses()
    const { clock, server, admin } = parties
    const { id, key } = await admin.issue({ name: 'ci' })
    server.verify([key.reveal()])
    server[Symbol.dispose]()
    expect((await admin.find(id))?.lastUsedAt).toBe(clock.time)
  })
})

describe('a key is made within its project and the organisation', () => {
  async function family() {
    const parties = await twoProcesses()
    await parties.admin.projects.updateOrganisation({ policy: { maxTokens: 1000 } })
    const project = await parties.admin.projects.create({
      name: 'search',
      policy: { models: ['gpt-*'] },
    })
    return { parties, keys: parties.admin, projectId: project.id }
  }

  test.each([
    ['its project', { models: ['claude-*'] }, 'models', 'the project search'],
    ['the organisation', { maxTokens: 1001 }, 'maxTokens', 'the organisation'],
  ])('or not at all: never beyond %s', async (_name, policy, param, called) => {
    const { parties, keys: admin, projectId } = await family()
    await using _parties = parties
    const failure = await failureOf(admin.issue({ name: 'n', projectId, policy }))
    expect([failure.code, failure.param]).toEqual(['request-invalid', param])
    expect(failure.message).toContain(called)
    expect(await admin.list()).toEqual([])
    const { id } = await admin.issue({ name: 'n', projectId, policy: { models: ['gpt-6'] } })
    expect((await failureOf(admin.update(id, { name: 'other', policy }))).param).toBe(param)
    expect(await admin.find(id)).toMatchObject({ name: 'n', policy: { models: ['gpt-6'] } })
  })

  test('and not in a project that is unknown or archived', async () => {
    const { parties, keys: admin, projectId } = await family()
    await using _parties = parties
    for (const projectId of ['x', 'search'])
      expect((await failureOf(admin.issue({ name: 'n', projectId }))).param).toBe('project')
    await admin.projects.archive(projectId)
    expect((await failureOf(admin.issue({ name: 'n', projectId }))).message).toContain('archived')
    expect(await admin.list()).toEqual([])
  })

  test('and not if what it needs first cannot be had, such as a budget', async () => {
    const { parties, keys: admin, projectId } = await family()
    await using _parties = parties
    const seen: string[] = []
    const endow = async (id: string): Promise<void> => {
      seen.push(id, String((await admin.find(id))?.status))
      throw new GatewayError('request-invalid', 'Too little.')
    }
    const chosen = new Secret('known to many')
    const failure = await failureOf(admin.issue({ name: 'n', projectId, chosen }, endow))
    expect(failure.message).toBe('Too little.')
    expect(seen[1]).toBe('active')
    expect(await admin.list()).toEqual([])
    expect(refusal(['known to many'], admin).message).toContain('is not known here')
  })

  test('and cannot be changed once it is revoked', async () => {
    const { parties, keys: admin } = await family()
    await using _parties = parties
    const { id } = await admin.issue({ name: 'n' })
    await admin.revoke(id)
    expect((await failureOf(admin.update(id, { name: 'm' }))).message).toContain('revoked')
    expect((await failureOf(admin.update('nobody', {}))).message).toContain('There is no key')
  })
})

describe('whoever guesses', () => {
  const from = (address: string) => () => address
  const codeOf = (work: () => unknown): string => {
    try {
      work()
    } catch (error) {
      if (error instanceof GatewayError) return error.code
      throw error
    }
    return 'let in'
  }

  test('is stopped, and keeps nobody out who has a key', async () => {
    using storage = await Storage.open(':memory:')
    using keys = new Keys(storage)
    const ours = await keys.issue({ name: 'ours' })
    const chosen = await keys.issue({ name: 'chosen', chosen: new Secret('team-secret') })
    const used = await keys.issue({ name: 'used', chosen: new Secret('in-use-already') })
    keys.verify([used.key.reveal()], from('10.0.0.1'))
    for (let at = 0; at < 20; at++)
      expect(codeOf(() => keys.verify([`guess-${at}`], from('10.0.0.1')))).toBe('key-rejected')
    expect(codeOf(() => keys.verify(['guess-20'], from('10.0.0.1')))).toBe('rate-exceeded')
    expect(codeOf(() => keys.verify([chosen.key.reveal()], from('10.0.0.1')))).toBe('rate-exceeded')
    expect(codeOf(() => keys.verify([chosen.key.reveal()], from('10.0.0.2')))).toBe('let in')
    expect(codeOf(() => keys.verify([ours.key.reveal()], from('10.0.0.1')))).toBe('let in')
    expect(codeOf(() => keys.verify([used.key.reveal()], from('10.0.0.1')))).toBe('let in')
  })

  test('is not helped by a key of his own beside the guess', async () => {
    using storage = await Storage.open(':memory:')
    using keys = new Keys(storage)
    const own = (await keys.issue({ name: 'own' })).key.reveal()
    const chosen = await keys.issue({ name: 'chosen', chosen: new Secret('team-secret') })
    const beside = (guess: string) => codeOf(() => keys.verify([guess, own], from('10.0.0.1')))
    for (let at = 0; at < 20; at++) expect(beside(`guess-${at}`)).toBe('let in')
    expect(beside(chosen.key.reveal())).toBe('let in')
    expect(codeOf(() => keys.verify(['guess-20'], from('10.0.0.1')))).toBe('rate-exceeded')
  })

  test('is not whoever always sends the same wrong key beside a good one', async () => {
    using storage = await Storage.open(':memory:')
    using keys = new Keys(storage)
    const own = (await keys.issue({ name: 'own' })).key.reveal()
    for (let at = 0; at < 100; at++)
      expect(codeOf(() => keys.verify(['not-used', own], from('10.0.0.1')))).toBe('let in')
    expect(codeOf(() => keys.verify(['typo'], from('10.0.0.1')))).toBe('key-rejected')
  })
})
