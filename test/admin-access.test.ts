import { describe, expect, test } from 'bun:test'
import { existsSync, statSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'

import { Passwords } from '#console/access/passwords.ts'
import { type RouteName, routes } from '#console/api/route-table.ts'
import type { Route } from '#console/api/route.ts'

import {
  adminOf,
  adminRig,
  type AdminRig,
  type Browser,
  goodPassword,
  type Json,
} from './admin-rig.ts'

const minute = 60_000

const setUp = async (rig: AdminRig, browser = rig.browser(), name = 'ada'): Promise<Browser> => {
  await adminOf(rig.gateway.gateway).openSetup()
  const body = { token: rig.setupToken(), name, password: goodPassword }
  await browser.ask('POST', '/api/setup', body)
  return browser
}

const codeOf = async (response: Response): Promise<[number, string]> => {
  const { error } = (await response.json()) as Json
  return [response.status, error.code]
}

describe('the first run', () => {
  test('makes the first administrator by a token that lies in a file of this user alone', async () => {
    await using rig = await adminRig()
    expect(await rig.browser().ask('GET', '/api/setup')).toEqual({ isOpen: false })
    const setup = await adminOf(rig.gateway.gateway).openSetup()
    const file = join(rig.home, 'setup-token')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(setup?.token.reveal()).toBe(rig.setupToken())
    expect(await rig.browser().ask('GET', '/api/setup')).toEqual({ isOpen: true })
    const browser = rig.browser()
    const body = { token: rig.setupToken(), name: 'ada', password: goodPassword }
    const response = await browser.send('POST', '/api/setup', body)
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ name: 'ada', role: 'admin', projects: null })
    expect(await browser.ask('GET', '/api/me')).toMatchObject({ name: 'ada' })
    expect(existsSync(file)).toBe(false)
    expect(
      await codeOf(await rig.browser().send('POST', '/api/setup', { ...body, name: 'eve' })),
    ).toEqual([401, 'setup-rejected'])
    expect(await adminOf(rig.gateway.gateway).openSetup()).toBeUndefined()
  })

  test('lets one of two in who come with the same token at once', async () => {
    await using rig = await adminRig()
    await adminOf(rig.gateway.gateway).openSetup()
    const token = rig.setupToken()
    const come = (name: string) =>
      rig.browser().send('POST', '/api/setup', { token, name, password: goodPassword })
    const statuses = (await Promise.all([come('ada'), come('eve')])).map(({ status }) => status)
    expect(statuses.toSorted((one, other) => one - other)).toEqual([201, 401])
  })

  test('is over after half an hour', async () => {
    await using rig = await adminRig()
    await adminOf(rig.gateway.gateway).openSetup()
    rig.clock.now += 30 * minute
    const body = { token: rig.setupToken(), name: 'ada', password: goodPassword }
    expect(await codeOf(await rig.browser().send('POST', '/api/setup', body))).toEqual([
      401,
      'setup-rejected',
    ])
  })

  test('takes no short password, no wrong token, and keeps the token then', async () => {
    await using rig = await adminRig()
    await adminOf(rig.gateway.gateway).openSetup()
    const body = { token: rig.setupToken(), name: 'ada', password: 'eleven char' }
    expect(await codeOf(await rig.browser().send('POST', '/api/setup', body))).toEqual([
      400,
      'request-invalid',
    ])
    const wrong = { ...body, token: 'x'.repeat(43), password: goodPassword }
    expect((await rig.browser().send('POST', '/api/setup', wrong)).status).toBe(401)
    const right = { ...body, password: goodPassword }
    expect((await rig.browser().send('POST', '/api/setup', right)).status).toBe(201)
  })
})

describe('signing in', () => {
  test('gives a session of 256 bit in a strict cookie, another one each time', async () => {
    await using rig = await adminRig()
    await setUp(rig)
    const seen = new Set<string>()
    for (let times = 0; times < 2; times++) {
      const body = { name: 'ADA', password: goodPassword }
      const response = await rig.browser().send('POST', '/api/login', body)
      const cookie = response.headers.get('set-cookie') ?? ''
      expect(cookie).toMatch(/^parley_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
      seen.add(cookie)
    }
    expect(seen.size).toBe(2)
    const rows = rig.storage.database.query('SELECT * FROM sessions').all()
    for (const cookie of seen)
      expect(JSON.stringify(rows)).not.toContain(cookie.slice('parley_session='.length, 58))
  })

  test('says the same of a wrong name and a wrong password, and hashes for both', async () => {
    await using rig = await adminRig()
    await setUp(rig)
    const answers = []
    for (const name of ['ada', 'nobody']) {
      const body = { name, password: 'a wrong password' }
      const response = await rig.browser().send('POST', '/api/login', body)
      const { error } = (await response.json()) as Json
      answers.push([response.status, error.code, error.message])
    }
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]?.[0]).toBe(401)
  })

  test('is refused for a while after five wrong passwords, even with the right one', async () => {
    await using rig = await adminRig()
    await setUp(rig)
    const signIn = (name: string, password: string) =>
      rig.browser().send('POST', '/api/login', { name, password })
    for (const name of ['ada', 'nobody']) {
      for (let times = 0; times < 5; times++)
        expect((await signIn(name, 'a wrong password')).status).toBe(401)
      const locked = await signIn(name, goodPassword)
      expect(Number(locked.headers.get('retry-after'))).toBeWithin(1, 901)
      expect(await codeOf(locked)).toEqual([429, 'try-later'])
    }
    rig.clock.now += 15 * minute
    expect((await signIn('ada', goodPassword)).status).toBe(200)
  })

  test('counts attempts that are made at once', async () => {
    await using rig = await adminRig()
    await setUp(rig)
    const wrong = { name: 'ada', password: 'a wrong password' }
    const all = await Promise.all(
      Array.from({ length: 12 }, () => rig.browser().send('POST', '/api/login', wrong)),
    )
    expect(all.filter(({ status }) => status === 401)).toHaveLength(5)
  })

  test('is not for a disabled user, whose sessions end at once', async () => {
    await using rig = await adminRig()
    const admin = await setUp(rig)
    const user = await rig.signedIn('viewer')
    const change = { isDisabled: true, yourPassword: goodPassword }
    await admin.ask('PATCH', `/api/users/${user.user.id}`, change)
    expect((await user.send('GET', '/api/me')).status).toBe(401)
    const body = { name: user.user.name, password: goodPassword }
    expect((await rig.browser().send('POST', '/api/login', body)).status).toBe(401)
  })

  test('costs what scrypt with 2^17 costs, unless a test says otherwise', async () => {
    const kept = await new Passwords().keep(goodPassword)
    expect(kept).toStartWith('scrypt$17$')
    expect(await new Passwords({ costLog2: 4 }).isRight(goodPassword, kept)).toBe(true)
    expect(await new Passwords({ costLog2: 4 }).isRight(`${goodPassword}!`, kept)).toBe(false)
    expect(await new Passwords({ costLog2: 4 }).isRight(goodPassword, undefined)).toBe(false)
  })
})

describe('a session', () => {
  test('is not kept alive by what an open page asks for while nobody touches it', async () => {
    await using rig = await adminRig()
    const browser = await rig.signedIn('viewer')
    const unattended = { 'x-parley-unattended': '1' }
    rig.clock.now += 20 * minute
    expect((await browser.send('GET', '/api/me', undefined, unattended)).status).toBe(200)
    rig.clock.now += 11 * minute
    expect((await browser.send('GET', '/api/me', undefined, unattended)).status).toBe(401)
  })

  test('ends after half an hour without a word, and lives as long as it is used', async () => {
    await using rig = await adminRig()
    const browser = await rig.signedIn('viewer')
    for (let times = 0; times < 3; times++) {
      rig.clock.now += 29 * minute
      expect((await browser.send('GET', '/api/me')).status).toBe(200)
    }
    rig.clock.now += 30 * minute
    expect(await codeOf(await browser.send('GET', '/api/me'))).toEqual([401, 'session-missing'])
  })

  test('ends after twelve hours whatever happens', async () => {
    await using rig = await adminRig()
    const browser = await rig.signedIn('viewer')
    for (let halves = 1; halves < 36; halves++) {
      rig.clock.now += 20 * minute
      expect((await browser.send('GET', '/api/me')).status).toBe(200)
    }
    rig.clock.now += 20 * minute
    expect((await browser.send('GET', '/api/me')).status).toBe(401)
  })

  test('is listed and ended by its user, and by nobody else but an admin', async () => {
    await using rig = await adminRig()
    const [one, other, admin] = [
      await rig.signedIn('viewer'),
      await rig.signedIn('operator'),
      await rig.signedIn('admin'),
    ]
    const { sessionId } = await one.ask('GET', '/api/me')
    expect((await one.ask('GET', '/api/me/sessions')).sessions).toHaveLength(1)
    expect((await other.send('DELETE', `/api/me/sessions/${sessionId}`)).status).toBe(404)
    expect((await one.send('GET', '/api/me')).status).toBe(200)
    expect((await admin.send('DELETE', `/api/sessions/${sessionId}`)).status).toBe(200)
    expect((await one.send('GET', '/api/me')).status).toBe(401)
  })

  test('ends with signing out, on both sides', async () => {
    await using rig = await adminRig()
    const browser = await rig.signedIn('viewer')
    const { cookie } = browser
    const response = await browser.send('POST', '/api/logout')
    expect(response.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await rig.browser().send('GET', '/api/me', undefined, { cookie })).status).toBe(401)
  })

  test('is another one after a change of password, and every other one has ended', async () => {
    await using rig = await adminRig()
    const browser = await setUp(rig)
    const elsewhere = rig.browser()
    await elsewhere.ask('POST', '/api/login', { name: 'ada', password: goodPassword })
    const before = browser.cookie
    const body = { yourPassword: goodPassword, password: 'another good password' }
    await browser.ask('PUT', '/api/me/password', body)
    expect(browser.cookie).not.toBe(before)
    expect((await browser.send('GET', '/api/me')).status).toBe(200)
    expect((await elsewhere.send('GET', '/api/me')).status).toBe(401)
    expect((await rig.browser().send('GET', '/api/me', undefined, { cookie: before })).status).toBe(
      401,
    )
  })

  test('ends when its user may do other things from now on', async () => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('admin')
    const user = await rig.signedIn('operator')
    const change = { role: 'viewer', yourPassword: goodPassword }
    await admin.ask('PATCH', `/api/users/${user.user.id}`, change)
    expect((await user.send('GET', '/api/me')).status).toBe(401)
  })

  test('is closed to whoever shows a cookie that is none', async () => {
    await using rig = await adminRig()
    for (const cookie of [
      'parley_session=',
      `parley_session=${'x'.repeat(43)}`,
      "parley_session=' OR 1=1 --",
    ])
      expect((await rig.browser().send('GET', '/api/me', undefined, { cookie })).status).toBe(401)
  })
})

describe('users', () => {
  test('are made and changed with the password of the admin only', async () => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('admin')
    const order = { name: 'bob', role: 'admin', password: 'a good long password' }
    expect((await admin.send('POST', '/api/users', order)).status).toBe(400)
    const wrong = { ...order, yourPassword: 'not the password' }
    expect(await codeOf(await admin.send('POST', '/api/users', wrong))).toEqual([
      403,
      'password-wrong',
    ])
    const right = { ...order, yourPassword: goodPassword }
    expect((await admin.send('POST', '/api/users', right)).status).toBe(201)
    expect(await codeOf(await admin.send('POST', '/api/users', { ...right, name: 'BOB' }))).toEqual(
      [409, 'conflict'],
    )
  })

  test('keep one admin, who is not bound to projects', async () => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('admin')
    const change = (body: object) =>
      admin.send('PATCH', `/api/users/${admin.user.id}`, { yourPassword: goodPassword, ...body })
    expect((await change({ role: 'viewer' })).status).toBe(409)
    expect((await change({ isDisabled: true })).status).toBe(409)
    expect((await change({ projects: ['default'] })).status).toBe(400)
    expect((await admin.send('DELETE', `/api/users/${admin.user.id}`)).status).toBe(409)
    expect(await admin.ask('GET', '/api/me')).toMatchObject({ role: 'admin' })
  })
})

describe('requests that a page of another origin causes', () => {
  const change = ['POST', '/api/keys', { name: 'forged' }] as const

  test.each([
    ['cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of the same machine', { 'sec-fetch-site': 'same-site' }],
    ['typed in', { 'sec-fetch-site': 'none' }],
    ['a foreign origin', { 'sec-fetch-site': undefined, origin: 'https://evil.example' }],
    [
      'the public API of this machine',
      { 'sec-fetch-site': undefined, origin: 'http://127.0.0.1:8700' },
    ],
    ['no origin at all', { origin: 'null' }],
    ['a foreign origin that lies about the site', { origin: 'https://evil.example' }],
    ['no header of ours', { 'x-parley-csrf': undefined }],
    ['the wrong value of it', { 'x-parley-csrf': '0' }],
  ])('change nothing: %s', async (_, headers) => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('admin')
    expect(await codeOf(await admin.send(...change, headers))).toEqual([403, 'request-forged'])
    expect(await admin.ask('GET', '/api/keys?search=forged')).toEqual({ keys: [], next: null })
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    undefined,
    'application/jsonx',
  ])('change nothing: JSON as %p', async (type) => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('admin')
    const body = new TextEncoder().encode(JSON.stringify({ name: 'forged' }))
    const headers = {
      'x-parley-csrf': '1',
      cookie: admin.cookie,
      ...(type !== undefined && { 'content-type': type }),
    }
    const response = await fetch(`${rig.url}/api/keys`, { method: 'POST', headers, body })
    expect(await codeOf(response)).toEqual([415, 'media-unsupported'])
  })

  test('read nothing either', async () => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('admin')
    for (const site of ['cross-site', 'same-site']) {
      const response = await admin.send('GET', '/api/keys', undefined, { 'sec-fetch-site': site })
      expect(await codeOf(response)).toEqual([403, 'request-forged'])
    }
    const asked = { origin: 'https://evil.example', 'access-control-request-method': 'GET' }
    const preflight = await admin.send('OPTIONS', '/api/keys', undefined, {
      ...asked,
      'x-parley-csrf': undefined,
    })
    expect(preflight.ok).toBe(false)
    expect(
      [...preflight.headers.keys()].filter((name) => name.startsWith('access-control')),
    ).toEqual([])
  })

  test('of our own page, and of a program that sends our header, are answered', async () => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('admin')
    expect((await admin.send('POST', '/api/keys', { name: 'one' })).status).toBe(201)
    const old = { 'sec-fetch-site': undefined }
    expect((await admin.send('POST', '/api/keys', { name: 'two' }, old)).status).toBe(201)
    const program = { 'sec-fetch-site': undefined, origin: undefined }
    expect((await admin.send('POST', '/api/keys', { name: 'three' }, program)).status).toBe(201)
  })
})

/** Any `Host`, which fetch does not let one choose. */
function statusWith(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${url}/healthz`, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('the name that a request is sent to', () => {
  test('has to be ours: a foreign name that was pointed at this machine is refused', async () => {
    await using rig = await adminRig()
    const port = new URL(rig.url).port
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      '[::1]',
      'localhost',
      '127.0.0.1',
    ])
      expect([host, await statusWith(rig.url, { host })]).toEqual([host, 200])
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      'evil.localhost',
      '10.0.0.1',
      'localhost@evil.example',
    ])
      expect([host, (await statusWith(rig.url, { host })) >= 400]).toEqual([host, true])
  })

  test('may be that of the https in front, whose cookie is another and secure', async () => {
    const listen = { adminUrl: 'https://parley.example.com' }
    await using rig = await adminRig({ config: { listen } })
    expect(await statusWith(rig.url, { host: 'parley.example.com' })).toBe(200)
    expect(await statusWith(rig.url, { host: 'other.example.com' })).toBe(403)
    await setUp(rig)
    const body = JSON.stringify({ name: 'ada', password: goodPassword })
    const cookie = await new Promise<string>((resolve, reject) => {
      const headers = {
        host: 'parley.example.com',
        origin: 'https://parley.example.com',
        'content-type': 'application/json',
        'content-length': String(body.length),
        'x-parley-csrf': '1',
      }
      const sent = httpRequest(`${rig.url}/api/login`, { method: 'POST', headers }, (response) => {
        response.resume()
        resolve(String(response.headers['set-cookie']))
      })
      sent.on('error', reject)
      sent.end(body)
    })
    expect(cookie).toMatch(/^__Host-parley=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
  })
})

describe('every answer', () => {
  test('carries the headers that keep a page in, and is kept by nobody', async () => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('admin')
    for (const path of ['/api/keys', '/api/nothing', '/healthz', '/api/me']) {
      const { headers } = await admin.send('GET', path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      })
    }
  })
})

describe('fields that nobody may set', () => {
  const protectedFields = [
    'id',
    'createdAt',
    'disabledAt',
    'revokedAt',
    'archivedAt',
    'lastUsedAt',
    'status',
    'hash',
    'kept',
    'userId',
    'sessionId',
    'actor',
    'isAdmin',
    'used',
    'held',
    'left',
    'seq',
    'corrected',
    '__proto__',
    'constructor',
    'toString',
  ]
  const bodies: Readonly<Partial<Record<RouteName, [string, object]>>> = {
    'change-password': ['/api/me/password', { yourPassword: goodPassword, password: goodPassword }],
    'users-create': [
      '/api/users',
      { yourPassword: goodPassword, name: 'm', role: 'viewer', password: goodPassword },
    ],
    'users-update': ['/api/users/x', { yourPassword: goodPassword, name: 'm' }],
    'users-set-password': [
      '/api/users/x/password',
      { yourPassword: goodPassword, password: goodPassword },
    ],
    'keys-create': ['/api/keys', { name: 'm' }],
    'keys-update': ['/api/keys/x', { name: 'm' }],
    'keys-rotate': ['/api/keys/x/rotate', {}],
    'projects-create': ['/api/projects', { name: 'm' }],
    'projects-update': ['/api/projects/x', { name: 'm' }],
    'organisation-update': ['/api/organisation', { name: 'm' }],
    'budgets-set': ['/api/budgets/org/day', { amount: 1 }],
    'exchanges-correct': ['/api/exchanges/x/corrections', { cost: 1, reason: 'm' }],
    'usage-repair': ['/api/usage/repair', { yourPassword: goodPassword }],
    'usage-prune': ['/api/usage/prune', { yourPassword: goodPassword, before: 1 }],
    'usage-export': ['/api/usage/export', { yourPassword: goodPassword, since: 1 }],
    'engine-pull': ['/api/engine/pulls', { source: 'a/b' }],
    'upstreams-try': ['/api/upstream-trials', { name: 'm', vendor: 'openai' }],
    'playground-chat-completions': [
      '/api/playground/chat-completions',
      { request: { model: 'm' } },
    ],
    'playground-messages': ['/api/playground/messages', { request: { model: 'm' } }],
    'sign-in': ['/api/login', { name: 'm', password: 'm' }],
    setup: ['/api/setup', { token: 'm', name: 'm', password: 'm' }],
  }

  test('are refused by every route that takes a body, whatever else it says (mass assignment)', async () => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('admin')
    const rows: readonly (readonly [string, Route])[] = Object.entries(routes)
    const writes = rows.filter(
      ([, { body, reauthenticates }]) => body !== undefined || reauthenticates,
    )
    expect(Object.keys(bodies).toSorted()).toEqual(writes.map(([name]) => name).toSorted())
    for (const [name, { method, body: schema }] of writes) {
      const [path, body] = bodies[name as RouteName] ?? ['', {}]
      const known = Object.keys((schema as Json)?.shape ?? {})
      for (const field of protectedFields.filter((one) => !known.includes(one))) {
        const text = JSON.stringify(body).replace(
          /\}$/,
          `${body && Object.keys(body).length > 0 ? ',' : ''}"${field}":1}`,
        )
        const response = await admin.send(method, path, text)
        expect([name, field, ...(await codeOf(response))]).toEqual([
          name,
          field,
          400,
          'request-invalid',
        ])
      }
    }
    const before = await admin.ask('GET', '/api/me')
    expect(before.role).toBe('admin')
  }, 60_000)

  test('are refused inside of policies too, and where no body is expected', async () => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('admin')
    for (const policy of [
      '{"admin":true}',
      '{"rates":{"perSecond":1}}',
      '{"__proto__":{"a":1}}',
      '{"tags":{"__proto__":"x"}}',
    ])
      expect(
        (await admin.send('POST', '/api/keys', `{"name":"x","policy":${policy}}`)).status,
      ).toBe(400)
    expect((await admin.send('POST', '/api/logout', { all: true })).status).toBe(400)
    expect((await admin.send('GET', '/api/keys?limit=1&limit=2')).status).toBe(400)
    expect((await admin.send('GET', '/api/keys?admin=1')).status).toBe(400)
  })
})

describe('words that are no words', () => {
  const words = [
    "' OR '1'='1",
    "'; DROP TABLE keys; --",
    '1 UNION SELECT password FROM users',
    '%',
    '_',
    '\\',
    '%00',
    '"',
    '`',
    '${7*7}',
    "admin'--",
    '0x31',
    'NULL',
    '); DELETE FROM audit; --',
    '\u202e',
    '🦜'.repeat(10),
  ]

  test('are text in every search, filter, path and name, and nothing more (SQL injection)', async () => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('admin')
    const { id } = await admin.ask('POST', '/api/keys', { name: 'only key' })
    for (const word of words) {
      const said = encodeURIComponent(word)
      for (const path of [
        `/api/keys?search=${said}`,
        `/api/keys?projectId=${said}`,
        `/api/keys?after=${said}`,
        `/api/keys/${said}`,
        `/api/projects/${said}`,
        `/api/budgets?holder=${said}`,
        `/api/budgets?after=${said}`,
        `/api/exchanges/${said}`,
        `/api/exchanges?search=${said}`,
        `/api/exchanges?model=${said}`,
        `/api/exchanges?before=${said}`,
        `/api/usage?by=${said}`,
        `/api/usage?model=${said}&keyId=${said}&result=${said}`,
        `/api/users/${said}`,
        `/api/audit?action=${said}&actor=${said}&object=${said}`,
        `/api/usage?by=tag:${said}`,
      ]) {
        const response = await admin.send('GET', path)
        expect([path, response.status < 500]).toEqual([path, true])
        expect(await response.text()).not.toContain('scrypt$')
      }
      await admin.send('POST', '/api/keys', { name: word, owner: word })
      await admin.send('POST', '/api/projects', { name: word })
      await rig.browser().send('POST', '/api/login', { name: word, password: word })
    }
    expect((await admin.ask('GET', `/api/keys/${id}`)).key.name).toBe('only key')
    const found = await admin.ask('GET', `/api/keys?search=${encodeURIComponent('%')}`)
    expect(found.keys.map(({ name }: Json) => name).toSorted()).toEqual(['%', '%00'])
    expect((await admin.ask('GET', '/api/audit/verify')).broken).toBeUndefined()
  }, 60_000)
})
