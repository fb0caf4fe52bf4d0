import { describe, expect, test } from 'bun:test'
import { request as httpRequest } from 'node:http'

import { Secret } from '#std/secret.ts'

import { adminOf, adminRig, goodPassword } from './admin-rig.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// From where a request comes when a proxy stands in front: the tests are the proxy, on loopback.

type Sent = Readonly<Record<string, string>>

const office = '192.0.2.7'
const elsewhere = '203.0.113.9'
const trusting = { listen: { trustedProxies: ['127.0.0.0/8'] } }

/** A key that may be used from the office alone, and what a request under it is answered. */
async function officeKey(gateway: TestGateway, addresses = ['192.0.2.0/24']) {
  const { key } = await gateway.gateway.keys.issue({ name: 'office', policy: { addresses } })
  return async (headers: Sent = {}): Promise<number> => {
    const authorization = `Bearer ${key.reveal()}`
    const response = await fetch(`${gateway.url}/v1/models`, {
      headers: { authorization, ...headers },
    })
    await response.text()
    return response.status
  }
}

describe('a key for one network', () => {
  test('is used from there through a proxy that is believed, and from nowhere else', async () => {
    await using gateway = await startGateway(trusting)
    const statusWith = await officeKey(gateway)
    const said = (value: string) => statusWith({ 'x-forwarded-for': value })
    expect(await said(office)).toBe(200)
    expect(await said(`${elsewhere}, ${office}:4711`)).toBe(200)
    expect(await said(`${office}, 127.0.0.5`)).toBe(200)
    for (const value of [
      elsewhere,
      `${office}, ${elsewhere}`,
      `${office}, unknown`,
      `${office},`,
      `[${office}]`,
      'x'.repeat(8000),
      `${'127.0.0.5, '.repeat(500)}${elsewhere}`,
    ])
      expect([value, await said(value)]).toEqual([value, 403])
    expect(await statusWith()).toBe(403)
    expect(await statusWith({ forwarded: `for=${office}` })).toBe(403)
    expect(await statusWith({ 'x-real-ip': office })).toBe(403)
  })

  test('is believed in the header of RFC 7239 where that is the one', async () => {
    const listen = { ...trusting.listen, forwardedHeader: 'forwarded' }
    await using gateway = await startGateway({ listen })
    const statusWith = await officeKey(gateway, ['2001:db8::/32'])
    expect(await statusWith({ forwarded: 'for="[2001:db8::7]:4711";proto=https' })).toBe(200)
    expect(await statusWith({ forwarded: `for="[2001:db8::7]", for=${elsewhere}` })).toBe(403)
    expect(await statusWith({ forwarded: 'for=_hidden' })).toBe(403)
    expect(await statusWith({ 'x-forwarded-for': '2001:db8::7' })).toBe(403)
  })

  test('goes by the connection where no proxy is named', async () => {
    await using gateway = await startGateway({})
    const fromOffice = await officeKey(gateway)
    expect(await fromOffice({ 'x-forwarded-for': office })).toBe(403)
    const fromHere = await officeKey(gateway, ['127.0.0.1'])
    expect(await fromHere({ 'x-forwarded-for': elsewhere })).toBe(200)
  })

  test('is not used from the proxy itself by those who come through it', async () => {
    await using gateway = await startGateway(trusting)
    const fromHere = await officeKey(gateway, ['127.0.0.1'])
    expect(await fromHere()).toBe(200)
    expect(await fromHere({ 'x-forwarded-for': elsewhere })).toBe(403)
    expect(await fromHere({ 'x-forwarded-for': `127.0.0.1, ${elsewhere}` })).toBe(403)
  })
})

test('who guesses keys is stopped by the address that the proxy wrote, whatever it wrote itself', async () => {
  await using gateway = await startGateway(trusting)
  await gateway.gateway.keys.issue({ name: 'chosen', chosen: new Secret('team-secret') })
  const guess = async (text: string, value: string): Promise<number> => {
    const headers = { authorization: `Bearer ${text}`, 'x-forwarded-for': value }
    return (await fetch(`${gateway.url}/v1/models`, { headers })).status
  }
  for (let at = 0; at < 20; at++)
    expect(await guess(`guess-${at}`, `198.51.100.${at}, ${elsewhere}`)).toBe(401)
  expect(await guess('guess-20', `198.51.100.99, ${elsewhere}`)).toBe(429)
  expect(await guess('team-secret', office)).toBe(200)
})

describe('the admin listener', () => {
  const setUp = async (headers: Sent, listen: object = {}) => {
    await using rig = await adminRig({ config: { listen } })
    await adminOf(rig.gateway.gateway).openSetup()
    const body = { token: rig.setupToken(), name: 'ada', password: goodPassword }
    return (await rig.browser().send('POST', '/api/setup', body, headers)).status
  }

  test('takes nobody who came through a proxy for somebody on this machine', async () => {
    expect(await setUp({})).toBe(201)
    for (const headers of [
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-for': elsewhere },
      { forwarded: 'for=127.0.0.1' },
      { 'x-real-ip': '127.0.0.1' },
      { via: '1.1 proxy' },
    ]) {
      expect([headers, await setUp(headers)]).toEqual([headers, 403])
      expect([headers, await setUp(headers, trusting.listen)]).toEqual([headers, 403])
    }
  })

  test('writes down the address that a proxy tells, if it is believed', async () => {
    const host = 'parley.example.com'
    for (const [trust, address] of [
      [trusting.listen, elsewhere],
      [{}, '127.0.0.1'],
    ] as const) {
      const listen = { ...trust, adminUrl: `https://${host}` }
      await using rig = await adminRig({ config: { listen } })
      const admin = await rig.signedIn('admin')
      const headers = {
        host,
        origin: `https://${host}`,
        cookie: admin.cookie.replace('parley_session', '__Host-parley'),
        'content-type': 'application/json',
        'x-parley-csrf': '1',
        'x-forwarded-for': `10.0.0.1, ${elsewhere}`,
      }
      expect(await posted(`${rig.url}/api/keys`, headers, '{"name":"n"}')).toBe(201)
      const { rows } = await admin.ask('GET', '/api/audit')
      expect(rows[0]).toMatchObject({ address })
    }
  })
})

/** The status of a request to any `Host`, which fetch does not let one choose. */
function posted(url: string, headers: Sent, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
