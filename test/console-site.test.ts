import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { ConsoleFile } from '#console/api/console-files.ts'
import { build } from '#console/web/build.ts'

import { adminRig, type AdminRig } from './admin-rig.ts'
import { say, speakRaw } from './faults/raw-client.ts'

// What the admin listener serves of the console, over real sockets.

let folder: string
let files: readonly ConsoleFile[]
let rig: AdminRig
beforeAll(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'parley-site-')), 'console')
  files = await build(folder)
  rig = await adminRig({ consoleFolder: folder })
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  rmSync(join(folder, '..'), { recursive: true })
})

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${rig.url}${path}`, { headers, redirect: 'manual' })

/** As it is sent: `fetch` would tidy up the path. */
async function getAsIs(path: string): Promise<string> {
  return (await spoken(path)).toString('latin1')
}

async function spoken(path: string, headers = ''): Promise<Buffer> {
  const { port, host } = new URL(rig.url)
  const words = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}Connection: close\r\n\r\n`
  const { bytes } = await speakRaw(Number(port), [say(words)])
  return bytes
}

const hashOf = (bytes: Uint8Array) =>
  new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 32)

describe('every file of the console', () => {
  test('is served as it was built, with its type and every protecting header', async () => {
    for (const { path, type, hash } of files) {
      const response = await get(path)
      expect([path, response.status]).toEqual([path, 200])
      expect(hashOf(new Uint8Array(await response.arrayBuffer()))).toBe(hash)
      const policy = response.headers.get('content-security-policy') ?? ''
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ])
        expect(policy.split('; ')).toContain(rule)
      expect(policy).not.toContain('unsafe')
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        vary: 'accept-encoding',
      })
    }
  })

  test('is kept by browsers for good where its name has its hash, and asked for again where not', async () => {
    for (const { path } of files) {
      const { headers } = await get(path)
      expect([path, headers.get('cache-control')]).toEqual([
        path,
        path === '/index.html' ? 'no-cache' : 'public, max-age=31536000, immutable',
      ])
    }
  })

  test('is compressed for those who take that, and plain for others', async () => {
    for (const { path, hash } of files) {
      const packed = await spoken(path, 'Accept-Encoding: gzip\r\n')
      const end = packed.indexOf('\r\n\r\n')
      expect(packed.toString('latin1', 0, end).toLowerCase()).toContain('content-encoding: gzip')
      expect(hashOf(Bun.gunzipSync(new Uint8Array(packed.subarray(end + 4))))).toBe(hash)
      const plain = await get(path, { 'accept-encoding': 'identity' })
      expect(plain.headers.get('content-encoding')).toBeNull()
      expect(hashOf(new Uint8Array(await plain.arrayBuffer()))).toBe(hash)
    }
  })

  test('is not sent again to whoever has it', async () => {
    for (const { path } of files) {
      const tag = (await get(path)).headers.get('etag') ?? ''
      expect(tag).not.toBe('')
      const again = await get(path, { 'if-none-match': tag })
      expect([path, again.status, await again.text()]).toEqual([path, 304, ''])
      expect((await get(path, { 'if-none-match': 'W/"other"' })).status).toBe(200)
    }
  })
})

describe('the addresses of pages', () => {
  test('are all answered with the one page', async () => {
    const index = await (await get('/index.html')).text()
    for (const path of [
      '/',
      '/keys',
      '/keys/abc',
      '/models/engine%2Fqwen2.5-0.5b',
      '/setup',
      '/login?next=%2Fkeys',
    ])
      expect([path, await (await get(path)).text()]).toEqual([path, index])
  })

  test('may be linked to from anywhere, which calls of the API may not', async () => {
    const from = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    expect((await get('/keys', from)).status).toBe(200)
    expect((await get('/api/setup', from)).status).toBe(403)
  })

  test('are answered to a HEAD without a body', async () => {
    const head = await fetch(`${rig.url}/keys`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('content-type')).toContain('text/html')
  })

  test('are served under a name of ours alone', async () => {
    const { status } = await get('/', { host: 'evil.example' })
    expect(status).toBe(403)
  })

  test('take nothing: any other method is a matter of the API, which has no such path', async () => {
    for (const path of ['/', '/keys', files[0]?.path ?? '']) {
      const sent = await fetch(`${rig.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-parley-csrf': '1' },
        body: '{}',
      })
      expect([path, sent.status]).toEqual([path, 404])
    }
  })
})

describe('what is not there', () => {
  test('is a 404 in JSON, under the API and among the files', async () => {
    for (const path of [
      '/api',
      '/api/nothing',
      '/api/keys/x/y/z',
      '/assets/',
      '/assets/none.js',
      '/favicon.ico',
      '/.env',
      '/files.json',
      '/package.json',
    ]) {
      const response = await get(path)
      expect([path, response.status]).toEqual([path, 404])
      expect(await response.json()).toMatchObject({ error: { code: 'not-found' } })
    }
  })

  test('is not found by any way out of the folder', async () => {
    for (const path of [
      '/../package.json',
      '/assets/../files.json',
      '/assets/../../../package.json',
      '/assets/%2e%2e/files.json',
      '/assets/..%2ffiles.json',
      '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
      '/assets/..\\..\\package.json',
      '/assets//index.html',
      '/assets/index.html.gz',
      '/keys/../../package.json',
      '//etc/passwd',
      '/%00',
    ]) {
      const answer = await getAsIs(path)
      expect([path, answer.split('\r\n')[0]]).toEqual([path, 'HTTP/1.1 404 Not Found'])
      for (const secret of ['packedBytes', '"dependencies"', 'root:'])
        expect(answer).not.toContain(secret)
    }
    // What is left when the dots are worked out may be the address of a page: then it is the page, and no file.
    const astray = await getAsIs(`/assets/${'../'.repeat(20)}etc/passwd`)
    expect(astray).toContain('<div id="console">')
  })
})

describe('a gateway whose console was not built', () => {
  test('says on a plain page how to build it, serves the API, and finds it once it is there', async () => {
    const later = join(folder, '..', 'later')
    await using bare = await adminRig({ consoleFolder: later })
    const page = await fetch(`${bare.url}/keys`)
    expect(page.status).toBe(503)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(await page.text()).toContain('npm run prepare')
    expect((await fetch(`${bare.url}/assets/main.js`)).status).toBe(404)
    expect((await fetch(`${bare.url}/api/setup`)).status).toBe(200)
    await build(later)
    expect((await fetch(`${bare.url}/keys`)).status).toBe(200)
  })

  test('goes on with the one that it has read when another one is built in its place', async () => {
    const place = join(folder, '..', 'place')
    await build(place)
    await using served = await adminRig({ consoleFolder: place })
    const before = await (await fetch(`${served.url}/`)).text()
    rmSync(place, { recursive: true })
    expect(await (await fetch(`${served.url}/`)).text()).toBe(before)
  })
})
