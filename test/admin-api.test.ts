import type { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'

import { AuditLog } from '#console/access/audit.ts'
import { routes } from '#console/api/route-table.ts'
import type { Route } from '#console/api/route.ts'
import { SseReader } from '#std/sse.ts'
import { Storage } from '#storage/database.ts'

import { adminRig, type Browser, goodPassword, type Json } from './admin-rig.ts'
import { cannedUpstream } from './admin-upstream.ts'
import { newPerson } from './run-parley.ts'

const rows: readonly (readonly [string, Route])[] = Object.entries(routes)

describe('the audit log', () => {
  test('has a row for every change, with who, from where, and hashes of before and after', async () => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('admin')
    const { id } = await admin.ask('POST', '/api/keys', { name: 'ci' })
    await admin.ask('PATCH', `/api/keys/${id}`, { name: 'ci 2' })
    await admin.ask('PUT', `/api/budgets/key:${id}/day`, { amount: 5_000_000 })
    await admin.ask('POST', `/api/keys/${id}/revoke`)
    const log = await admin.ask('GET', '/api/audit')
    const ours = log.rows.filter(({ object }: Json) => object === `key:${id}`)
    expect(ours.map(({ action }: Json) => action)).toEqual([
      'key-revoke',
      'budget-set',
      'key-update',
      'key-create',
    ])
    expect(ours[2]).toMatchObject({
      actor: admin.user.id,
      actorName: admin.user.name,
      address: '127.0.0.1',
      at: rig.clock.now,
      details: { name: 'ci 2', changed: ['name'] },
      beforeHash: ours[3].afterHash,
    })
    expect(ours[0].afterHash).not.toBe(ours[0].beforeHash)
    expect(await admin.ask('GET', '/api/audit/verify')).toEqual({ rows: 4, head: log.rows[0].hash })
  })

  test('has no row for a change that was refused, and no change where the row cannot be written', async () => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('admin')
    const body = { name: 'x', budgets: [{ period: 'day', amount: 1 }], projectId: 'none' }
    expect((await admin.send('POST', '/api/keys', body)).status).toBe(400)
    expect(await admin.ask('GET', '/api/audit')).toEqual({ rows: [], next: null })
    const { keys: before } = await admin.ask('GET', '/api/keys')
    rig.storage.database.run(
      `CREATE TRIGGER no_audit BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no'); END`,
    )
    const changes = [
      ['POST', '/api/keys', { name: 'x', budgets: [{ period: 'day', amount: 1_000_000 }] }],
      ['POST', `/api/keys/${before[0].id}/revoke`],
      ['PATCH', `/api/keys/${before[0].id}`, { name: 'other' }],
      ['PUT', '/api/budgets/org/day', { amount: 1_000_000 }],
      ['POST', '/api/projects', { name: 'p' }],
      ['PATCH', '/api/organisation', { name: 'p' }],
      [
        'POST',
        '/api/users',
        { name: 'u', role: 'viewer', password: goodPassword, yourPassword: goodPassword },
      ],
      ['POST', '/api/login', { name: admin.user.name, password: goodPassword }],
    ] as const
    for (const [method, path, body] of changes)
      expect((await admin.send(method, path, body)).status).toBe(503)
    rig.storage.database.run('DROP TRIGGER no_audit')
    expect((await admin.ask('GET', '/api/keys')).keys).toEqual(before)
    expect((await admin.ask('GET', '/api/budgets')).budgets).toEqual([])
    expect((await admin.ask('GET', '/api/projects')).projects).toHaveLength(1)
    expect((await admin.ask('GET', '/api/organisation')).organisation.name).toBe('organisation')
    expect((await admin.ask('GET', '/api/users')).users).toHaveLength(1)
    expect((await admin.ask('GET', '/api/me/sessions')).sessions).toHaveLength(1)
  })

  test('writes down who was refused at the door', async () => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('admin')
    await rig.browser().send('POST', '/api/login', { name: 'eve', password: 'a wrong password' })
    const { rows: log } = await admin.ask('GET', '/api/audit?action=sign-in-refused')
    expect(log).toMatchObject([{ actor: 'nobody', details: { name: 'eve' } }])
    expect(JSON.stringify(log)).not.toContain('a wrong password')
  })

  const harms: readonly (readonly [string, string, number])[] = [
    ['a changed name', `UPDATE audit SET actor_name = 'nobody' WHERE seq = 3`, 3],
    ['a changed time', 'UPDATE audit SET at = at + 1 WHERE seq = 1', 1],
    ['changed details', `UPDATE audit SET details = '{}' WHERE seq = 4`, 4],
    ['a changed hash', 'UPDATE audit SET hash = zeroblob(32) WHERE seq = 2', 2],
    ['a row that is gone', 'DELETE FROM audit WHERE seq = 3', 4],
    ['the first row gone', 'DELETE FROM audit WHERE seq = 1', 2],
    ['the last row gone', 'DELETE FROM audit WHERE seq = 5', 5],
    ['all rows gone', 'DELETE FROM audit', 1],
    [
      'two rows in each other’s place',
      'UPDATE audit SET seq = CASE seq WHEN 2 THEN -3 WHEN 3 THEN -2 ELSE seq END; UPDATE audit SET seq = abs(seq)',
      2,
    ],
    [
      'a row that was put in',
      `INSERT INTO audit SELECT 6, at, actor, actor_name, address, action, object, details, before_hash, after_hash, request_id, hash FROM audit WHERE seq = 5`,
      6,
    ],
  ]

  test.each(harms)('shows %s', async (_, harm, seq) => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('admin')
    for (const name of ['a', 'b', 'c', 'd', 'e']) await admin.ask('POST', '/api/keys', { name })
    const well = await admin.ask('GET', '/api/audit/verify')
    expect(well).toMatchObject({ rows: 5 })
    expect(well.broken).toBeUndefined()
    run(rig.storage.database, harm)
    expect((await admin.ask('GET', '/api/audit/verify')).broken?.seq).toBe(seq)
  })

  test('shows that a whole chain was written anew, to whoever kept an earlier head', async () => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('admin')
    await admin.ask('POST', '/api/keys', { name: 'a' })
    const { head } = await admin.ask('GET', '/api/audit/verify')
    await admin.ask('POST', '/api/keys', { name: 'b' })
    expect((await admin.ask('GET', `/api/audit/verify?head=${head}`)).broken).toBeUndefined()
    run(
      rig.storage.database,
      'DELETE FROM audit; UPDATE audit_head SET seq = 0, hash = zeroblob(32)',
    )
    await new AuditLog(rig.storage).note(
      { actor: 'x', actorName: 'x', requestId: 'x' },
      { action: 'x', object: 'x' },
    )
    expect((await admin.ask('GET', '/api/audit/verify')).broken).toBeUndefined()
    expect((await admin.ask('GET', `/api/audit/verify?head=${head}`)).broken).toBeDefined()
  })
})

function run(database: Database, statements: string): void {
  for (const statement of statements.split('; ')) database.run(statement)
}

describe('what the command line can do, the API can:', () => {
  test('keys are issued, shown once, changed, rotated and revoked, at once in force', async () => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('operator')
    const statusOf = async (key: string) =>
      (await fetch(`${rig.gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } }))
        .status
    const { id, key } = await admin.ask('POST', '/api/keys', {
      name: 'ci',
      policy: { endpoints: ['models', 'messages'] },
    })
    expect(await statusOf(key)).toBe(200)
    expect(JSON.stringify(await admin.ask('GET', `/api/keys/${id}`))).not.toContain(key)
    await admin.ask('PATCH', `/api/keys/${id}`, { policy: { endpoints: ['messages'] } })
    expect(await statusOf(key)).toBe(403)
    await admin.ask('PATCH', `/api/keys/${id}`, { policy: { endpoints: null } })
    const rotated = await admin.ask('POST', `/api/keys/${id}/rotate`, { overlapMs: 0 })
    expect([await statusOf(key), await statusOf(rotated.key)]).toEqual([401, 200])
    await admin.ask('POST', `/api/keys/${id}/revoke`)
    expect(await statusOf(rotated.key)).toBe(401)
  })

  test('lists of keys come in pages, each key once, the newest first', async () => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('viewer')
    for (let index = 0; index < 6; index++)
      await rig.gateway.gateway.keys.issue({ name: `key ${index}` })
    const seen: string[] = []
    let after: string | null = ''
    while (after !== null) {
      const from = after === '' ? '' : `&after=${after}`
      const page: Json = await admin.ask('GET', `/api/keys?limit=2${from}`)
      seen.push(...page.keys.map(({ id }: Json) => id))
      after = page.next
    }
    expect(seen).toHaveLength(7)
    expect(new Set(seen).size).toBe(7)
  })

  test('exchanges are listed in pages, searched, shown, corrected, exported and added up', async () => {
    await using upstream = cannedUpstream()
    await using rig = await adminRig({
      config: {
        upstreams: {
          up: { protocol: 'chat-completions', url: `${upstream.url}/v1`, serves: ['m'] },
        },
        prices: { 'up/*': { input: 1, output: 2 } },
      },
    })
    const chat = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
    for (let times = 0; times < 3; times++)
      await (await rig.gateway.post('/v1/chat/completions', chat)).text()
    const admin = await rig.signedIn('admin')
    const first = await admin.ask('GET', '/api/exchanges?since=0&limit=2')
    const second = await admin.ask('GET', `/api/exchanges?since=0&limit=2&before=${first.next}`)
    expect([first.exchanges.length, second.exchanges.length, second.next]).toEqual([2, 1, null])
    const [{ id, cost, target }] = first.exchanges
    expect(target).toBe('up/m')
    const searched = await admin.ask('GET', `/api/exchanges?since=0&search=${id.slice(4, 20)}`)
    expect(searched.exchanges).toHaveLength(1)
    const shown = await admin.ask('GET', `/api/exchanges/${id}`)
    expect(shown).toMatchObject({ type: 'ended', id, price: { source: 'config' } })
    const correction = { cost: cost + 7, reason: 'it was dearer' }
    await admin.ask('POST', `/api/exchanges/${id}/corrections`, correction)
    expect(await admin.ask('GET', `/api/exchanges/${id}`)).toMatchObject({
      corrected: 7,
      corrections: [{ amount: 7, actor: admin.user.name }],
    })
    const { usage } = await admin.ask('GET', '/api/usage?since=0&by=target')
    expect(usage).toMatchObject([{ by: { target: 'up/m' }, exchanges: 3, cost: 3 * cost + 7 }])
    expect((await admin.ask('GET', '/api/usage/verify')).wrong).toEqual([])
    const whole = { since: 0, yourPassword: goodPassword }
    const lines = await (await admin.send('POST', '/api/usage/export', whole)).text()
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).seq),
    ).toEqual([1, 2, 3])
    const csv = await admin.send('POST', '/api/usage/export', { ...whole, format: 'csv' })
    expect((await csv.text()).trim().split('\r\n')).toHaveLength(4)
    const pruned = await admin.ask('POST', '/api/usage/prune', {
      before: Date.now() + 1,
      yourPassword: goodPassword,
    })
    // The last row stays, so that its place in the ledger is never given twice.
    expect(pruned).toMatchObject({ exchanges: 2 })
  })

  test('an upstream is tested, and its failure told', async () => {
    await using rig = await adminRig({
      config: {
        upstreams: { dead: { protocol: 'chat-completions', url: 'http://127.0.0.1:9/v1' } },
      },
    })
    const admin = await rig.signedIn('operator')
    expect(await admin.ask('GET', '/api/upstreams')).toEqual({
      upstreams: [{ name: 'dead', vendor: null, protocol: 'chat-completions', targets: [] }],
    })
    const tested = await admin.ask('POST', '/api/upstreams/dead/test')
    expect(tested).toMatchObject({ isWell: false, models: null })
    expect((await admin.send('POST', '/api/upstreams/other/test')).status).toBe(404)
  })

  test('the config in force is shown without a secret', async () => {
    const upstream = {
      protocol: 'messages',
      url: 'https://user:canary-url@example.com',
      key: 'canary-key',
      headers: { 'x-auth': 'canary-header' },
      query: { code: 'canary-query' },
    }
    await using rig = await adminRig({ config: { upstreams: { up: upstream } } }).catch(() =>
      adminRig({ config: { upstreams: { up: { ...upstream, url: 'https://example.com' } } } }),
    )
    const admin = await rig.signedIn('admin')
    const response = await admin.send('GET', '/api/config')
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(text).not.toContain('canary')
    expect(JSON.parse(text).config.upstreams.up).toMatchObject({
      key: '[secret]',
      headers: { 'x-auth': '[secret]' },
      query: { code: '[secret]' },
    })
  })

  test('a budget of a period that there is not is refused, and nothing goes wrong', async () => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('admin')
    for (const [method, body] of [['PUT', { amount: 1 }], ['DELETE']] as const) {
      const response = await admin.send(method, '/api/budgets/org/year', body)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        error: { code: 'request-invalid', param: 'period' },
      })
    }
  })

  test('no path of this machine is read by a pull, and no secret of a URL is written down', async () => {
    await using rig = await adminRig({ config: { engine: { enabled: true } } })
    const admin = await rig.signedIn('admin')
    for (const source of [
      '/etc/passwd',
      './x.gguf',
      '../x.gguf',
      'x.gguf',
      'file:///x.gguf',
      'http://x/y.gguf',
    ])
      expect([source, (await admin.send('POST', '/api/engine/pulls', { source })).status]).toEqual([
        source,
        400,
      ])
    const source = 'http://me:word@x/y.gguf?token=secret'
    expect((await admin.send('POST', '/api/engine/pulls', { source })).status).toBe(400)
    const audit = JSON.stringify(await admin.ask('GET', '/api/audit'))
    expect(audit).toContain('http://x/y.gguf')
    expect(audit).not.toMatch(/me:word|token=/)
    const shelf = await admin.ask('GET', '/api/engine/models')
    expect(shelf.models.map(({ name }: Json) => name)).toContain('parley-mini')
    expect(await admin.ask('GET', '/api/engine')).toMatchObject({ isOn: true, models: [] })
    expect((await admin.send('DELETE', '/api/engine/models/parley-mini')).status).toBe(409)
  })

  test('what models may still take is less by what is loaded', async () => {
    const memory = 64 * 1024 ** 2
    await using rig = await adminRig({ config: { engine: { enabled: true, memory } } })
    const admin = await rig.signedIn('admin')
    expect(await admin.ask('GET', '/api/engine')).toMatchObject({ freeBytes: memory })
    const { facts } = await admin.ask('POST', '/api/engine/models/parley-mini-embed/load')
    const freeBytes = memory - facts.memoryBytes
    expect(await admin.ask('GET', '/api/engine')).toMatchObject({ freeBytes })
  })
})

describe('a database on disk', () => {
  test('is read in a thread beside, and says the same', async () => {
    await using rig = await adminRig({ database: (home) => join(home, 'parley.db') })
    const admin = await rig.signedIn('admin')
    await admin.ask('POST', '/api/keys', { name: 'ci' })
    const both = await Promise.all([
      admin.ask('GET', '/api/usage/verify'),
      admin.ask('GET', '/api/audit/verify'),
      admin.ask('GET', '/api/exchanges?since=0'),
      admin.ask('GET', '/api/usage?since=0'),
    ])
    expect(both).toMatchObject([{ wrong: [] }, { rows: 1 }, { exchanges: [] }, { usage: [] }])
    expect((await admin.send('GET', '/api/exchanges/none')).status).toBe(404)
  })
})

describe('live data', () => {
  test('tells counters, and exchanges as they end, of the projects that one may see', async () => {
    await using upstream = cannedUpstream()
    await using rig = await adminRig({
      config: {
        upstreams: {
          up: { protocol: 'chat-completions', url: `${upstream.url}/v1`, serves: ['m'] },
        },
      },
    })
    const watching = await eventsOf(await rig.signedIn('viewer'))
    const elsewhere = await eventsOf(await rig.signedIn('viewer', []))
    expect(await watching.next('counters')).toMatchObject({ exchanges: 0, inFlight: 0 })
    await elsewhere.next('counters')
    const chat = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
    await (await rig.gateway.post('/v1/chat/completions', chat)).text()
    const told = await watching.next('exchanges')
    expect(told).toMatchObject({ skipped: 0, exchanges: [{ target: 'up/m', result: 'complete' }] })
    for (let times = 0; times < 3; times++)
      expect(await elsewhere.next()).toMatchObject({ exchanges: 0, targets: [], health: [] })
    await watching.leave()
    await elsewhere.leave()
  })

  test('ends when the session does, though nobody asks for anything', async () => {
    await using rig = await adminRig()
    const viewer = await rig.signedIn('viewer')
    const watching = await eventsOf(viewer)
    await watching.next('counters')
    rig.clock.now += 31 * 60_000
    await watching.next('signed-out')
    expect(await watching.isOver()).toBe(true)
  })
})

test('no more than 32 watch at once, and who leaves makes room', async () => {
  await using rig = await adminRig()
  const viewer = await rig.signedIn('viewer')
  const all = []
  for (let index = 0; index < 32; index++) all.push(await eventsOf(viewer))
  for (const one of all) await one.next('counters')
  expect((await viewer.send('GET', '/api/live')).status).toBe(429)
  for (const one of all) await one.leave()
  let status = 429
  while (status === 429) {
    const response = await viewer.send('GET', '/api/live')
    ;({ status } = response)
    await response.body?.cancel()
  }
  expect(status).toBe(200)
})

/** A live stream, read event by event. */
async function eventsOf(browser: Browser) {
  const response = await browser.send('GET', '/api/live')
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const frames = new SseReader()
  const waiting: { event: string; data: string }[] = []
  const next = async (event?: string): Promise<Json> => {
    for (;;) {
      const frame = waiting.shift()
      if (frame !== undefined && (event === undefined || frame.event === event))
        return JSON.parse(frame.data)
      if (frame !== undefined) continue
      const { value, done } = await reader.read()
      if (done) throw new Error('The stream has ended.')
      waiting.push(...frames.push(value))
    }
  }
  return {
    next,
    leave: () => reader.cancel(),
    isOver: async () => (await reader.read()).done,
  }
}

describe('the OpenAPI document', () => {
  test('has every route with its method and name, and every reference leads somewhere', async () => {
    await using rig = await adminRig()
    const viewer = await rig.signedIn('viewer')
    const document = await viewer.ask('GET', '/api/openapi.json')
    expect(document.openapi).toBe('3.1.0')
    const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, { operationId }]) => ({
        name: operationId,
        method: method.toUpperCase(),
        path,
      })),
    )
    const table = rows.map(([name, { method, path }]) => ({ name, method, path }))
    const byName = (one: { name: string }, other: { name: string }) =>
      one.name.localeCompare(other.name)
    expect(operations.toSorted(byName)).toEqual(table.toSorted(byName))
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)]
    expect(references.length).toBeGreaterThan(20)
    for (const [, reference = ''] of references) {
      const found = reference
        .replace(/^#\//, '')
        .split('/')
        .reduce<Json>((value, part) => value?.[part], document)
      expect([reference, typeof found]).toEqual([reference, 'object'])
    }
    for (const [path, methods] of Object.entries<Json>(document.paths))
      for (const { parameters, responses } of Object.values<Json>(methods)) {
        const inPath = parameters
          .filter((one: Json) => one.in === 'path')
          .map((one: Json) => one.name)
        expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))
        expect(Object.keys(responses)).toContain('default')
      }
  })

  test('closes every body, and names no field that nobody may set', async () => {
    await using rig = await adminRig()
    const viewer = await rig.signedIn('viewer')
    const { paths } = await viewer.ask('GET', '/api/openapi.json')
    const bodies = Object.values<Json>(paths).flatMap((methods) =>
      Object.values<Json>(methods).flatMap(({ requestBody }) => requestBody ?? []),
    )
    expect(bodies.length).toBeGreaterThan(15)
    for (const { content } of bodies)
      expect(content['application/json'].schema).toMatchObject({
        type: 'object',
        additionalProperties: false,
      })
  })
})

describe('the route table', () => {
  test('writes down every change, and lets nobody change without a session but at the door', () => {
    for (const [name, { method, manner, action, role }] of rows) {
      expect([name, method === 'GET']).toEqual([name, manner === 'reads'])
      expect([name, action === '']).toEqual([name, manner === 'reads'])
      if (role === 'anyone' && method !== 'GET') expect(['setup', 'sign-in']).toContain(name)
    }
  })
})

describe('beside a running server', () => {
  test('the first start prints where the first administrator is made; the log is verified', async () => {
    await using person = newPerson()
    const config = person.write('parley.yaml', 'engine: { enabled: false }\n')
    const running = await person.serve(['--config', config])
    const [origin, token] = String((running as Json).setupUrl).split('/setup#')
    const headers = { 'content-type': 'application/json', 'x-parley-csrf': '1' }
    const body = JSON.stringify({ token, name: 'ada', password: goodPassword })
    const made = await fetch(`${origin}/api/setup`, { method: 'POST', headers, body })
    expect(made.status).toBe(201)
    expect(await Bun.file(join(person.home, 'setup-token')).exists()).toBe(false)
    const verified = await person.run(['audit', 'verify', '--json'])
    expect(JSON.parse(verified.out)).toMatchObject({ rows: 2 })
    const { out } = await person.run(['admin', 'setup-token', '--json'])
    const again = JSON.stringify({
      token: JSON.parse(out).token,
      name: 'eve',
      password: goodPassword,
    })
    const back = await fetch(`${origin}/api/setup`, { method: 'POST', headers, body: again })
    expect(back.status).toBe(201)
    using storage = await Storage.open(join(person.home, 'parley.db'))
    storage.database.run('DELETE FROM audit WHERE seq = 2')
    const broken = await person.run(['audit', 'verify'])
    expect(broken.exitCode).toBe(65)
    expect(broken.error).toContain('broken at row 3')
  }, 30_000)

  test('a port that is taken is told of, with what to do', async () => {
    await using person = newPerson()
    const config = person.write('parley.yaml', 'engine: { enabled: false }\n')
    using taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    const words = ['serve', '--config', config, '--port', '0', '--admin-port', String(taken.port)]
    const { exitCode, error } = await person.run(words)
    expect(exitCode).toBe(69)
    expect(error).toContain('--admin-port')
    expect(error).toContain(String(taken.port))
  }, 30_000)
})
