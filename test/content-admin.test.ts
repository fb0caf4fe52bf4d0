import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'

import { runProgram } from '#commands/program.ts'

import { adminRig, type AdminRig, type Browser, type Json } from './admin-rig.ts'
import { filesWith } from './content-rig.ts'
import { hello, servedBy } from './messages-callers.ts'
import { type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.ts'
import { until } from './until.ts'

// Who may look at what was said, what is written down of that, and that what is erased is gone.

// A machine with much else to do is slow.
setDefaultTimeout(60_000)

let upstream: ScriptedUpstream
let rig: AdminRig
let sent = 0

beforeAll(async () => {
  upstream = await startScriptedUpstream(hello.messages)
  rig = await adminRig({
    config: servedBy('messages', upstream),
    database: (home) => join(home, 'parley.db'),
  })
})

afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

interface Said {
  readonly id: string
  readonly keyId: string
  readonly marker: string
}

/** An exchange in which somebody said something that nobody else said. */
async function say(contentLogging = true): Promise<Said> {
  const marker = `a marker, number ${++sent}.`
  const { keys, content } = rig.gateway.gateway
  const { id: keyId, key } = await keys.issue({ name: 'caller', policy: { contentLogging } })
  const { kept } = content.counts
  const response = await rig.gateway.post(
    '/v1/messages',
    { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: marker }] },
    { authorization: `Bearer ${key.reveal()}` },
  )
  await response.text()
  if (contentLogging) await until(() => content.counts.kept > kept)
  return { id: response.headers.get('x-request-id') ?? '', keyId, marker }
}

const auditOf = (action: string): { object: string; actor_name: string }[] =>
  rig.storage.database
    .query<{ object: string; actor_name: string }, [string]>(
      'SELECT object, actor_name FROM audit WHERE action = ? ORDER BY seq',
    )
    .all(action)

const show = (browser: Browser, id: string): Promise<Json> =>
  browser.ask('GET', `/api/exchanges/${id}`)
const read = (browser: Browser, id: string): Promise<Json> =>
  browser.ask('GET', `/api/exchanges/${id}/content`)

/** What a command of this home prints. */
async function run(...args: string[]): Promise<string> {
  const printed: string[] = []
  await runProgram(args, {
    environment: { PARLEY_HOME: rig.home, USER: 'ann' },
    isInteractive: false,
    columns: 100,
    now: () => rig.clock.now,
    print: (text) => void printed.push(text),
    hint: () => {},
    ask: async () => '',
  })
  return printed.join('\n')
}

describe('in the admin API, what was said', () => {
  test('is noted with its exchange, for operators and not for viewers', async () => {
    const { id } = await say()
    const { content } = await show(await rig.signedIn('operator'), id)
    expect(content).toMatchObject({ isCut: false })
    expect(content.requestBytes).toBeGreaterThan(50)
    expect(await show(await rig.signedIn('viewer'), id)).not.toHaveProperty('content')
    const { id: other } = await say(false)
    expect(await show(await rig.signedIn('admin'), other)).not.toHaveProperty('content')
  })

  test('is read by operators, which is written down each time, and by no viewer', async () => {
    const { id, marker } = await say()
    const operator = await rig.signedIn('operator')
    const before = auditOf('content-read').length
    const { content } = await read(operator, id)
    expect(content.request.body.messages).toEqual([{ role: 'user', content: marker }])
    expect(content.answer.blocks).toEqual([
      { type: 'text', text: 'Hello there', name: null, id: null },
    ])
    await read(operator, id)
    expect(auditOf('content-read').slice(before)).toEqual([
      { object: `exchange:${id}`, actor_name: operator.user.name },
      { object: `exchange:${id}`, actor_name: operator.user.name },
    ])
    const viewer = await rig.signedIn('viewer')
    expect((await viewer.send('GET', `/api/exchanges/${id}/content`)).status).toBe(403)
  })

  test('is nothing where nothing was kept, and to read that is nothing', async () => {
    const { id } = await say(false)
    const before = auditOf('content-read').length
    expect(await read(await rig.signedIn('operator'), id)).toEqual({ content: null })
    expect(auditOf('content-read').length).toBe(before)
  })

  test('is not there for whoever is bound to other projects', async () => {
    const { id } = await say()
    const admin = await rig.signedIn('admin')
    const { id: another } = await admin.ask('POST', '/api/projects', { name: 'another' })
    const bound = await rig.signedIn('operator', [another])
    expect((await bound.send('GET', `/api/exchanges/${id}/content`)).status).toBe(404)
    const own = await rig.signedIn('operator', ['default'])
    expect((await read(own, id)).content).not.toBeNull()
  })

  test('is erased by admins with every trace, which is written down', async () => {
    const { id, marker } = await say()
    const operator = await rig.signedIn('operator')
    expect((await operator.send('DELETE', `/api/exchanges/${id}/content`)).status).toBe(403)
    expect(filesWith(rig.home, marker)).not.toEqual([])
    const admin = await rig.signedIn('admin')
    expect(await admin.ask('DELETE', `/api/exchanges/${id}/content`)).toEqual({ erased: 1 })
    expect(filesWith(rig.home, marker)).toEqual([])
    expect(await admin.ask('DELETE', `/api/exchanges/${id}/content`)).toEqual({ erased: 0 })
    expect(auditOf('content-erase').at(-1)?.object).toBe(`exchange:${id}`)
    expect(await show(admin, id)).toMatchObject({ id, result: 'complete' })
    expect(await read(operator, id)).toEqual({ content: null })
  })

  test('goes with what is pruned', async () => {
    const { marker } = await say()
    const admin = await rig.signedIn('admin')
    const body = { before: Date.now() + 1000, yourPassword: 'correct horse battery' }
    await admin.ask('POST', '/api/usage/prune', body)
    expect(filesWith(rig.home, marker)).toEqual([])
  })
})

describe('what was said in an exchange that began before a time and ended after it', () => {
  const startOf = (id: string) =>
    rig.storage.database
      .query<{ started_at: number }, [string]>('SELECT started_at FROM ledger WHERE id = ?')
      .get(id)?.started_at ?? 0

  test('goes when it is pruned in the console', async () => {
    const { id, marker } = await say()
    const admin = await rig.signedIn('admin')
    const body = { before: startOf(id) + 1, yourPassword: 'correct horse battery' }
    await admin.ask('POST', '/api/usage/prune', body)
    expect(filesWith(rig.home, marker)).toEqual([])
  })

  test('goes when it is pruned on the command line', async () => {
    const { id, marker } = await say()
    const before = new Date(startOf(id) + 1).toISOString()
    const written = auditOf('content-erase').length
    await run('usage', 'prune', '--before', before, '--yes')
    expect(filesWith(rig.home, marker)).toEqual([])
    expect(auditOf('content-erase').slice(written)).toEqual([
      { object: 'ledger', actor_name: 'command line (ann)' },
    ])
  })
})

describe('on the command line, what was said', () => {
  test('is shown where it is asked for, which is written down', async () => {
    const { id, marker } = await say()
    expect(await run('usage', 'show', id)).not.toContain(marker)
    const before = auditOf('content-read').length
    expect(await run('usage', 'show', id, '--content')).toContain(marker)
    const { content } = JSON.parse(await run('usage', 'show', id, '--content', '--json'))
    expect(content.answer.blocks[0].text).toBe('Hello there')
    expect(auditOf('content-read').slice(before)).toEqual([
      { object: `exchange:${id}`, actor_name: 'command line (ann)' },
      { object: `exchange:${id}`, actor_name: 'command line (ann)' },
    ])
    const { id: other } = await say(false)
    expect(await run('usage', 'show', other, '--content')).toContain('Nothing is kept')
  })

  test('is erased by exchange and by key, beside a running server', async () => {
    const [one, other] = [await say(), await say()]
    expect(await run('usage', 'erase', '--exchange', one.id)).toBe(
      'The content of 1 exchanges is deleted.',
    )
    expect(filesWith(rig.home, one.marker)).toEqual([])
    expect(filesWith(rig.home, other.marker)).not.toEqual([])
    expect(await run('usage', 'erase', '--key', other.keyId, '--json')).toBe('{"erased":1}')
    expect(filesWith(rig.home, other.marker)).toEqual([])
    expect(auditOf('content-erase').slice(-2)).toEqual([
      { object: `exchange:${one.id}`, actor_name: 'command line (ann)' },
      { object: `key:${other.keyId}`, actor_name: 'command line (ann)' },
    ])
  })

  test('stays when its key is revoked, and goes with it where that is asked for', async () => {
    const [one, other] = [await say(), await say()]
    await run('keys', 'revoke', one.keyId, '--yes')
    expect(filesWith(rig.home, one.marker)).not.toEqual([])
    await run('keys', 'revoke', other.keyId, '--erase', '--yes')
    expect(filesWith(rig.home, other.marker)).toEqual([])
    expect(filesWith(rig.home, one.marker)).not.toEqual([])
  })

  test('goes with what is pruned', async () => {
    const { marker } = await say()
    rig.clock.now = Date.now() + 2 * 86_400_000
    await run('usage', 'prune', '--before', '1d', '--yes')
    expect(filesWith(rig.home, marker)).toEqual([])
  })
})
