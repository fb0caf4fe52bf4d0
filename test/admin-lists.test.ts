import { describe, expect, test } from 'bun:test'

import { adminRig, goodPassword, type Json } from './admin-rig.ts'
import { newPerson } from './run-parley.ts'

describe('a list of keys', () => {
  test('can be of one status, which is the one that its keys are shown with', async () => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('operator')
    const soon = Date.now() + 600_000
    const project = (await admin.ask('POST', '/api/projects', { name: 'over' })).id
    const made = async (body: object) =>
      (await admin.ask('POST', '/api/keys', { name: 'key', ...body })).id
    const ids = {
      active: await made({ expiresAt: soon + 600_000 }),
      expired: await made({ expiresAt: soon }),
      early: await made({ notBefore: soon + 600_000 }),
      archived: await made({ projectId: project }),
      revoked: await made({ expiresAt: soon }),
    }
    await admin.ask('POST', `/api/keys/${ids.revoked}/revoke`)
    const owner = await rig.signedIn('admin')
    await owner.ask('POST', `/api/projects/${project}/archive`)
    rig.clock.now = soon
    const later = await rig.signedIn('viewer')
    for (const [status, id] of Object.entries(ids)) {
      const { keys } = await later.ask('GET', `/api/keys?status=${status}`)
      expect(keys.every((key: Json) => key.status === status)).toBe(true)
      expect(keys.some((key: Json) => key.id === id)).toBe(true)
    }
    expect((await later.send('GET', '/api/keys?status=gone')).status).toBe(400)
  })

  test('says until when the text is valid that a rotation replaced', async () => {
    await using rig = await adminRig()
    const admin = await rig.signedIn('operator')
    const { id } = await admin.ask('POST', '/api/keys', { name: 'ci' })
    const formerUntil = async (by = admin) =>
      (await by.ask('GET', `/api/keys?search=${id}`)).keys[0].formerUntil
    expect(await formerUntil()).toBeUndefined()
    const asked = Date.now()
    await admin.ask('POST', `/api/keys/${id}/rotate`, { overlapMs: 60_000 })
    const until = await formerUntil()
    expect(until).toBeGreaterThanOrEqual(asked + 60_000)
    expect(until).toBeLessThanOrEqual(Date.now() + 60_000)
    rig.clock.now = until
    expect(await formerUntil(await rig.signedIn('operator'))).toBeUndefined()
  })
})

test('the audit log can be looked at from one time to another', async () => {
  await using rig = await adminRig()
  const admin = await rig.signedIn('admin')
  const start = rig.clock.now
  for (let second = 0; second < 3; second++) {
    rig.clock.now = start + second * 1000
    await admin.ask('POST', '/api/keys', { name: `key ${second}` })
  }
  const told = async (query: string) =>
    (await admin.ask('GET', `/api/audit?${query}`)).rows.map(({ details }: Json) => details.name)
  expect(await told(`since=${start + 1000}`)).toEqual(['key 2', 'key 1'])
  expect(await told(`until=${start + 2000}`)).toEqual(['key 1', 'key 0'])
  expect(await told(`since=${start + 1000}&until=${start + 2000}`)).toEqual(['key 1'])
})

test('the config in force is shown with who said what: the file, the environment or the command line', async () => {
  await using person = newPerson()
  const upstream = '{ protocol: messages, url: "http://127.0.0.1:9", key: "${UP_KEY}" }'
  const config = person.write(
    'parley.yaml',
    `engine: { enabled: false }\nlisten: { adminHost: 127.0.0.1 }\nupstreams: { up: ${upstream} }\n`,
  )
  const flags = ['--config', config, '--host', '127.0.0.1']
  const running = await person.serve(flags, { UP_KEY: 'canary-key' })
  const [origin, token] = String((running as Json).setupUrl).split('/setup#')
  const headers = { 'content-type': 'application/json', 'x-parley-csrf': '1' }
  const body = JSON.stringify({ token, name: 'ada', password: goodPassword })
  const made = await fetch(`${origin}/api/setup`, { method: 'POST', headers, body })
  const cookie = made.headers.get('set-cookie')?.split(';')[0] ?? ''
  const response = await fetch(`${origin}/api/config`, { headers: { cookie } })
  const { file, origins }: Json = await response.json()
  expect(file).toBe(config)
  expect(origins.map(({ path, from }: Json) => `${path.join('.')}: ${from}`).toSorted()).toEqual([
    'engine.enabled: file',
    'listen.adminHost: file',
    'listen.adminPort: environment',
    'listen.host: command-line',
    'listen.port: environment',
    'upstreams.up.key: environment',
    'upstreams.up.protocol: file',
    'upstreams.up.url: file',
  ])
  expect(JSON.stringify(origins)).not.toContain('canary')
}, 30_000)
