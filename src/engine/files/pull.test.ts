import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { pull, type PullOptions } from './pull.ts'

/** A model file of some size: the magic of its kind, its version, and nothing that anybody could run. */
const model = Buffer.alloc(300_000, 7)
model.write('GGUF', 0)
model.writeUInt32LE(3, 4)
model.fill(0, 8, 24)
const sum = new Bun.CryptoHasher('sha256').update(model).digest('hex')

/** What a server does with a request: it writes bytes, and may cut the connection. */
type Turn = (request: string, socket: Socket) => void
const servers: Server[] = []

/** A server of bytes: each connection is given to the next turn, and the last turn is used for all further ones. */
async function serve(...turns: readonly Turn[]) {
  const requests: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (bytes) => {
      const turn = turns[Math.min(requests.length, turns.length - 1)]
      requests.push(bytes.toString())
      turn?.(bytes.toString(), socket)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { url: `http://127.0.0.1:${port}`, requests }
}

const head = (status: string, headers: Readonly<Record<string, string | number>>): string =>
  `HTTP/1.1 ${status}\r\n${Object.entries({ connection: 'close', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

const whole =
  (etag = '"one"', bytes = model): Turn =>
  (_, socket) => {
    socket.write(head('200 OK', { etag, 'content-length': bytes.length }))
    socket.end(bytes)
  }

/** Sends so much of the file, and cuts the connection. */
const cutAfter =
  (count: number, etag = '"one"'): Turn =>
  (_, socket) => {
    socket.write(head('200 OK', { etag, 'content-length': model.length }))
    socket.write(model.subarray(0, count), () => setTimeout(() => socket.resetAndDestroy(), 20))
  }

/** Goes on where it is asked to, as long as the mark is that of the file. */
const ranged =
  (etag = '"one"'): Turn =>
  (request, socket) => {
    const [, from] = /range: bytes=(\d+)-/i.exec(request) ?? []
    const [, mark] = /if-range: (\S+)/i.exec(request) ?? []
    if (from === undefined || mark !== etag) return whole(etag)(request, socket)
    const rest = model.subarray(Number(from))
    const range = `bytes ${from}-${model.length - 1}/${model.length}`
    const headers = { etag, 'content-length': rest.length, 'content-range': range }
    socket.write(head('206 Partial Content', headers))
    socket.end(rest)
  }

const says =
  (status: string, body = '', headers: Readonly<Record<string, string>> = {}): Turn =>
  (_, socket) =>
    void socket.end(head(status, { 'content-length': body.length, ...headers }) + body)

let folder = ''
let progress: number[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-pull-'))
  progress = []
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})
afterAll(() => {
  for (const server of servers) server.close()
})

function fetching(source: string, options: Partial<PullOptions> = {}) {
  return pull(source, {
    folder: join(folder, 'models'),
    workingFolder: folder,
    environment: {},
    onProgress: (_, bytes) => progress.push(bytes),
    pauseMs: 1,
    ...options,
  })
}

const inFolder = (): string[] => readdirSync(join(folder, 'models')).toSorted()
const fetched = (): Buffer => readFileSync(join(folder, 'models', 'a.gguf'))

async function failureOf(work: Promise<unknown>): Promise<{ problem?: string; message: string }> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof Error) return error
  throw new Error('It did not fail.')
}

describe('a model by its URL', () => {
  test('is fetched, checked, named, and has a manifest beside it', async () => {
    const { url } = await serve(whole())
    const pulled = await fetching(`${url}/x/a.gguf`, { sha256: sum.toUpperCase() })
    expect(pulled).toMatchObject({ model: 'a', bytes: model.length, sha256: sum })
    expect(fetched().equals(model)).toBe(true)
    expect(inFolder()).toEqual(['a.gguf', 'a.gguf.json'])
    expect(JSON.parse(readFileSync(join(folder, 'models', 'a.gguf.json'), 'utf8'))).toMatchObject({
      source: `${url}/x/a.gguf`,
      sha256: sum,
      bytes: model.length,
    })
    expect(progress.at(-1)).toBe(model.length)
  })

  test('leaves what may be a secret of its URL out of the manifest', async () => {
    const { url } = await serve(whole())
    await fetching(`${url.replace('//', '//me:word@')}/x/a.gguf?token=secret#more`)
    expect(JSON.parse(readFileSync(join(folder, 'models', 'a.gguf.json'), 'utf8'))).toMatchObject({
      source: `${url}/x/a.gguf`,
    })
  })

  test('goes on where the connection was cut, and is the same to the byte', async () => {
    const { url, requests } = await serve(cutAfter(100_000), ranged())
    await fetching(`${url}/a.gguf`, { sha256: sum })
    expect(fetched().equals(model)).toBe(true)
    expect(requests).toHaveLength(2)
    expect(requests[1]).toMatch(/range: bytes=\d+-/i)
    expect(requests[1]).toMatch(/if-range: "one"/i)
    expect(progress.toSorted((a, b) => a - b)).toEqual(progress)
  })

  test('goes on in a later attempt, when the server was gone for good', async () => {
    const first = await serve(cutAfter(50_000), says('503 Busy'))
    expect((await failureOf(fetching(`${first.url}/a.gguf`))).message).toContain('503')
    expect(inFolder()).toEqual(['a.gguf.part', 'a.gguf.part.json'])
    const second = await serve(ranged())
    const notes = join(folder, 'models', 'a.gguf.part.json')
    writeFileSync(notes, readFileSync(notes, 'utf8').replace(first.url, second.url))
    await fetching(`${second.url}/a.gguf`)
    expect(fetched().equals(model)).toBe(true)
    expect(second.requests[0]).toMatch(/range: bytes=[1-9]\d{0,4}-/i)
  })

  test('is read as far as it is there before the server is asked, which does not wait for that', async () => {
    const part = join(folder, 'models', 'a.gguf.part')
    const goesOn: Turn = (request, socket) => {
      // Whoever read it only now would find something else in it.
      const { size } = statSync(part)
      writeFileSync(part, Buffer.concat([model.subarray(0, 24), Buffer.alloc(size - 24)]))
      ranged()(request, socket)
    }
    const { url, requests } = await serve(cutAfter(100_000), goesOn)
    expect(await fetching(`${url}/a.gguf`, { sha256: sum })).toMatchObject({ sha256: sum })
    expect(requests).toHaveLength(2)
  })

  test('begins again where the server knows no ranges', async () => {
    const { url } = await serve(cutAfter(100_000), whole())
    await fetching(`${url}/a.gguf`, { sha256: sum })
    expect(fetched().equals(model)).toBe(true)
  })

  test('begins again where the file has changed in the meantime', async () => {
    const { url, requests } = await serve(cutAfter(100_000, '"old"'), ranged('"new"'))
    await fetching(`${url}/a.gguf`, { sha256: sum })
    expect(fetched().equals(model)).toBe(true)
    expect(requests).toHaveLength(2)
  })

  test('begins again where the server goes on with another file than it began', async () => {
    const goesOn: Turn = (request, socket) =>
      ranged('"new"')(request.replace('"old"', '"new"'), socket)
    const { url, requests } = await serve(cutAfter(100_000, '"old"'), goesOn)
    await fetching(`${url}/a.gguf`, { sha256: sum })
    expect(fetched().equals(model)).toBe(true)
    expect(requests).toHaveLength(3)
  })

  test('is not kept with another checksum than was promised', async () => {
    const { url } = await serve(whole())
    const failure = await failureOf(fetching(`${url}/a.gguf`, { sha256: 'ab'.repeat(32) }))
    expect(failure).toMatchObject({ problem: 'damaged' })
    expect(failure.message).toContain(sum)
    expect(inFolder()).toEqual([])
  })

  test('is not kept if it is no GGUF file', async () => {
    const { url } = await serve(says('200 OK', '<html>Sign in</html>'))
    expect(await failureOf(fetching(`${url}/a.gguf`))).toMatchObject({ problem: 'damaged' })
    expect(inFolder()).toEqual([])
  })

  test('is refused ahead where the disk has no room, and nothing is written', async () => {
    const huge: Turn = (_, socket) =>
      void socket.write(head('200 OK', { etag: '"one"', 'content-length': 2 ** 52 }))
    const { url } = await serve(huge)
    const failure = await failureOf(fetching(`${url}/a.gguf`))
    expect(failure).toMatchObject({ problem: 'full' })
    expect(failure.message).toMatch(/4194304.00 GiB are needed.*free/)
    expect(inFolder()).toEqual([])
  })

  test('of a server that breaks off again and again is given up, with what is there kept', async () => {
    const { url, requests } = await serve(cutAfter(100_000))
    const failure = await failureOf(fetching(`${url}/a.gguf`))
    expect(failure).toMatchObject({ problem: 'unreachable' })
    expect(requests.length).toBe(4)
    expect(inFolder()).toEqual(['a.gguf.part', 'a.gguf.part.json'])
  })

  const refusals: readonly [status: string, problem: string, words: string][] = [
    ['401 Unauthorized', 'denied', 'HF_TOKEN'],
    ['403 Forbidden', 'denied', 'terms'],
    ['404 Not Found', 'missing', 'has no /a.gguf'],
    ['500 Oops', 'unreachable', 'status 500'],
  ]
  test.each(refusals)('that is answered with %s says so', async (status, problem, words) => {
    const { url } = await serve(says(status))
    const failure = await failureOf(fetching(`${url}/a.gguf`))
    expect(failure).toMatchObject({ problem })
    expect(failure.message).toContain(words)
  })

  test('without a network is one line that says so', async () => {
    const failure = await failureOf(fetching('http://127.0.0.1:9/a.gguf'))
    expect(failure).toMatchObject({ problem: 'unreachable' })
    expect(failure.message).toStartWith('127.0.0.1:9 cannot be reached from here')
    expect(failure.message).not.toContain('\n')
  })

  test('is fetched by https only, unless it is on this machine, and is named like a model', async () => {
    for (const source of ['http://example.com/a.gguf', 'https://example.com/a.zip', 'x y'])
      expect(await failureOf(fetching(source))).toMatchObject({ problem: 'unusable' })
    const { url } = await serve(whole())
    const outside = await failureOf(fetching(`${url}/..%2f..%2fa.gguf`))
    expect(outside).toMatchObject({ problem: 'unusable' })
    expect(existsSync(join(folder, '..', 'a.gguf'))).toBe(false)
  })
})

describe('a model of the hub', () => {
  const listed = (...files: readonly (readonly [path: string, sha256?: string])[]): Turn =>
    says(
      '200 OK',
      JSON.stringify(
        files.map(([path, oid]) => ({
          type: 'file',
          path,
          size: 135,
          lfs: { oid: oid ?? sum, size: model.length },
        })),
      ),
    )

  test('is looked up, and the usual one of several is taken, with the token', async () => {
    const list = listed(['README.md'], ['mmproj-a.gguf'], ['a-Q8_0.gguf'], ['a-Q4_K_M.gguf'])
    const { url, requests } = await serve(list, whole())
    const environment = { HF_ENDPOINT: `${url}/`, HF_TOKEN: 'hf_canary' }
    const pulled = await fetching('owner/repo', { environment })
    expect(pulled).toMatchObject({ model: 'a-Q4_K_M', sha256: sum })
    expect(requests.map((request) => request.split(' ')[1])).toEqual([
      '/api/models/owner/repo/tree/main?recursive=true',
      '/owner/repo/resolve/main/a-Q4_K_M.gguf',
    ])
    for (const request of requests) expect(request).toContain('Bearer hf_canary')
  })

  test('is given up where the hub does not say what there is', async () => {
    const silent = await serve(() => undefined)
    const begun: Turn = (_, socket) => void socket.write(head('200 OK', {}) + '[')
    for (const { url } of [silent, await serve(begun)]) {
      const environment = { HF_ENDPOINT: url }
      const failure = await failureOf(fetching('owner/repo', { environment, listMs: 50 }))
      expect(failure).toMatchObject({ problem: 'unreachable' })
      expect(failure.message).toContain('cannot be reached from here (no answer)')
    }
  })

  test('is another one by its quantisation, or by its name', async () => {
    const list = listed(['q/a-Q8_0.gguf'], ['a-Q4_K_M.gguf'])
    for (const source of ['owner/repo:q8_0', 'hf:owner/repo/q/a-Q8_0.gguf']) {
      const { url } = await serve(list, whole())
      const { model: name } = await fetching(source, { environment: { HF_ENDPOINT: url } })
      expect(name).toBe('a-Q8_0')
      rmSync(join(folder, 'models'), { recursive: true })
    }
  })

  test('comes with all of its parts', async () => {
    const names = ['1', '2'].map((index) => `a-0000${index}-of-00002.gguf`)
    const { url } = await serve(listed([names[1] ?? ''], [names[0] ?? '']), whole())
    const pulled = await fetching('owner/repo', { environment: { HF_ENDPOINT: url } })
    expect(pulled.model).toBe('a')
    expect(inFolder()).toEqual(names.flatMap((name) => [name, `${name}.json`]))
  })

  test('that is not there is told with those that are', async () => {
    const { url } = await serve(listed(['a-Q8_0.gguf']))
    const environment = { HF_ENDPOINT: url }
    const failure = await failureOf(fetching('owner/repo:Q2_K', { environment }))
    expect(failure.message).toBe('owner/repo has no Q2_K. It has a-Q8_0.gguf.')
    const none = await serve(listed(['model.safetensors']))
    const other = await failureOf(
      fetching('owner/repo', { environment: { HF_ENDPOINT: none.url } }),
    )
    expect(other.message).toContain('no .gguf file')
  })

  test('is not fetched again if it is there with the same checksum', async () => {
    const { url, requests } = await serve(listed(['a.gguf']), whole(), listed(['a.gguf']))
    const environment = { HF_ENDPOINT: url }
    await fetching('owner/repo', { environment })
    await fetching('owner/repo', { environment })
    expect(requests).toHaveLength(3)
  })

  test('is fetched from another host if it redirects there, which is not told the token', async () => {
    const elsewhere = await serve(whole())
    // The same machine by another name is another host.
    const other = elsewhere.url.replace('127.0.0.1', 'localhost')
    const moved = says('302 Found', '', {
      location: `${other}/blob`,
      'x-linked-etag': `"${sum}"`,
    })
    const { url } = await serve(listed(['a.gguf']), moved)
    const environment = { HF_ENDPOINT: url, HF_TOKEN: 'hf_canary' }
    await fetching('owner/repo', { environment })
    expect(fetched().equals(model)).toBe(true)
    expect(elsewhere.requests).toHaveLength(1)
    expect(elsewhere.requests[0]).not.toContain('hf_canary')
  })

  test('is checked against the mark of the first host where no list tells the checksum', async () => {
    const elsewhere = await serve(whole())
    const headers = { location: `${elsewhere.url}/blob`, 'x-linked-etag': `"${'ab'.repeat(32)}"` }
    const { url } = await serve(says('302 Found', '', headers))
    expect(await failureOf(fetching(`${url}/a.gguf`))).toMatchObject({ problem: 'damaged' })
  })

  test('is not fetched where the way leads over an unsafe host', async () => {
    const { url } = await serve(says('302 Found', '', { location: 'http://example.com/a.gguf' }))
    expect(await failureOf(fetching(`${url}/a.gguf`))).toMatchObject({ problem: 'unusable' })
  })
})

describe('a model by its path', () => {
  test('is copied and checked', async () => {
    writeFileSync(join(folder, 'a.gguf'), model)
    expect(await fetching('./a.gguf', { sha256: sum })).toMatchObject({ model: 'a', sha256: sum })
    expect(inFolder()).toEqual(['a.gguf', 'a.gguf.json'])
    expect(await failureOf(fetching('a.gguf', { sha256: 'ab' }))).toMatchObject({
      problem: 'damaged',
    })
    expect(await failureOf(fetching('/nonesuch.gguf'))).toMatchObject({ problem: 'missing' })
  })
})
