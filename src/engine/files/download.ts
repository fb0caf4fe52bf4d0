import { createReadStream } from 'node:fs'
import { type FileHandle, open, readFile, rm, stat, writeFile } from 'node:fs/promises'

import { isObject, parseJson } from '#std/json.ts'

import { ask, type Asking, unreachable } from './fetch-file.ts'
import { checkRoom } from './free-room.ts'
import { ModelFileError } from './model-file-error.ts'
import type { Offer } from './source.ts'

export interface DownloadOptions extends Pick<Asking, 'token'> {
  /** Told of the bytes that are there, and of how many there will be, as far as that is known. */
  readonly onProgress: (bytes: number, total: number | undefined) => void
  /** The pause before a broken download is taken up again, in milliseconds. */
  readonly pauseMs?: number
  /** How long a server may send nothing, in milliseconds. */
  readonly silenceMs?: number
}

/** How often a download that brings nothing more is taken up again. */
const mostFruitless = 3
const usualPauseMs = 1000
const usualSilenceMs = 60_000

/** So much of a file, and its hash so far. */
interface Start {
  readonly bytes: number
  readonly hash: Bun.CryptoHasher
}

/** A download that broke off, and can go on if the server's mark of the file is still the same. */
interface Begun extends Start {
  readonly etag: string
}

/** What has been written so far. */
interface Progress {
  readonly handle: FileHandle
  readonly hash: Bun.CryptoHasher
  bytes: number
}

/**
 * Fetches a file, going on where an earlier attempt broke off if the server still has the same one. When this
 * resolves, it is whole and its checksum is right. Throws `ModelFileError`.
 */
export async function download(
  offer: Offer,
  part: string,
  options: DownloadOptions,
): Promise<Written> {
  for (let fruitless = 0; ;) {
    const before = await sizeOf(part)
    try {
      const done = await attempt(offer, part, options)
      await rm(notesOf(part), { force: true })
      return done
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error
      fruitless = (await sizeOf(part)) > before ? 0 : fruitless + 1
      if (fruitless >= mostFruitless) throw error.failure
      await Bun.sleep(options.pauseMs ?? usualPauseMs)
    }
  }
}

export interface Written {
  readonly bytes: number
  readonly sha256: string
}

/** The connection broke, and trying again may help. */
class Interrupted extends Error {
  readonly failure: ModelFileError

  constructor(failure: ModelFileError) {
    super(failure.message)
    this.failure = failure
  }
}

async function attempt(offer: Offer, part: string, options: DownloadOptions): Promise<Written> {
  // What is there is read first, which may take minutes: the silence is the server's.
  const begun = await begunWith(offer, part)
  using silence = new Silence(options.silenceMs ?? usualSilenceMs)
  const { token } = options
  const headers: Record<string, string> =
    begun === undefined ? {} : { range: `bytes=${begun.bytes}-`, 'if-range': begun.etag }
  const response = await ask(offer.url, { token, headers, signal: silence.signal })
  try {
    const start = await startOf(response, begun, part)
    const total = totalOf(response, start.bytes) ?? offer.bytes
    await checkRoom(part, total === undefined ? 0 : total - start.bytes)
    await writeFile(notesOf(part), JSON.stringify({ url: offer.url, etag: etagOf(response) }))
    const written = await writeBody(response, { part, start, total, offer, options, silence })
    const sha256 = offer.sha256 ?? linkedSha256(response)
    return await checked(written, { part, total, sha256, fileName: offer.fileName })
  } catch (error) {
    await response.body?.cancel().catch(() => undefined)
    throw error
  }
}

/** Where in the file the answer begins: at its start, or where the earlier attempt ended. */
async function startOf(response: Response, begun: Begun | undefined, part: string): Promise<Start> {
  if (response.status === 200 || begun === undefined) return { bytes: 0, hash: newHash() }
  const range = response.headers.get('content-range') ?? ''
  const isSame = etagOf(response) === begun.etag
  if (response.status === 206 && range.startsWith(`bytes ${begun.bytes}-`) && isSame) return begun
  // What lies here is no beginning of what is there.
  await forget(part)
  throw new Interrupted(
    new ModelFileError('damaged', 'The file changed on its server. Pull again.'),
  )
}

/** Ends a request in which nothing has come for a while. */
class Silence implements Disposable {
  readonly #controller = new AbortController()
  readonly #longestMs: number
  #timer: ReturnType<typeof setTimeout>

  constructor(longestMs: number) {
    this.#longestMs = longestMs
    this.#timer = this.#start()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  heard(): void {
    clearTimeout(this.#timer)
    this.#timer = this.#start()
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }

  #start(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#controller.abort(), this.#longestMs)
  }
}

interface Writing {
  readonly part: string
  readonly start: Start
  readonly total: number | undefined
  readonly offer: Offer
  readonly options: DownloadOptions
  readonly silence: Silence
}

async function writeBody(response: Response, writing: Writing): Promise<Written> {
  const { part, start, total, offer, options, silence } = writing
  const handle = await open(part, start.bytes > 0 ? 'r+' : 'w')
  try {
    const progress: Progress = { handle, hash: start.hash, bytes: start.bytes }
    await handle.truncate(start.bytes)
    for await (const bytes of bodyOf(response, offer)) {
      silence.heard()
      await append(progress, bytes)
      options.onProgress(progress.bytes, total)
    }
    await handle.sync()
    return { bytes: progress.bytes, sha256: progress.hash.digest('hex') }
  } finally {
    await handle.close()
  }
}

async function* bodyOf(response: Response, { url }: Offer): AsyncGenerator<Uint8Array> {
  try {
    for await (const bytes of response.body ?? []) yield bytes
  } catch (error) {
    throw new Interrupted(unreachable(error, new URL(url)))
  }
}

async function append(progress: Progress, bytes: Uint8Array): Promise<void> {
  try {
    await progress.handle.write(bytes, 0, bytes.length, progress.bytes)
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
    if (!isFull) throw error
    throw new ModelFileError('full', 'The disk is full. Make room and pull again: it goes on here.')
  }
  progress.hash.update(bytes)
  progress.bytes += bytes.length
}

interface Expected {
  readonly part: string
  readonly total: number | undefined
  readonly sha256: string | undefined
  readonly fileName: string
}

/** What was written, if it is what was promised. What is whole and wrong is thrown away. */
async function checked(
  written: Written,
  { part, total, sha256, fileName }: Expected,
): Promise<Written> {
  if (total !== undefined && written.bytes < total) {
    throw new Interrupted(
      new ModelFileError(
        'unreachable',
        `${fileName} broke off after ${written.bytes} of ${total} bytes. Pull again: it goes on there.`,
      ),
    )
  }
  if (sha256 !== undefined && sha256.toLowerCase() !== written.sha256) {
    await forget(part)
    throw new ModelFileError(
      'damaged',
      `${fileName} has the checksum ${written.sha256}, and ${sha256} was promised. It was not kept.`,
    )
  }
  return written
}

/** What there is of an earlier attempt at the same address. */
async function begunWith({ url }: Offer, part: string): Promise<Begun | undefined> {
  const bytes = await sizeOf(part)
  const parsed = parseJson(await readFile(notesOf(part), 'utf8').catch(() => ''))
  if (bytes === 0 || !parsed.ok || !isObject(parsed.value) || parsed.value['url'] !== url)
    return undefined
  const { etag } = parsed.value
  // Without a strong mark nobody can tell whether the file is still the same.
  if (typeof etag !== 'string' || etag.startsWith('W/')) return undefined
  return { etag, bytes, hash: await hashOf(part, bytes) }
}

/** Where it is written down of which file a part is. */
function notesOf(part: string): string {
  return `${part}.json`
}

async function forget(part: string): Promise<void> {
  await Promise.all([rm(part, { force: true }), rm(notesOf(part), { force: true })])
}

function totalOf(response: Response, start: number): number | undefined {
  const [, whole] = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? []
  if (response.status === 206 && whole !== undefined) return Number(whole)
  const length = response.headers.get('content-length')
  return length === null ? undefined : start + Number(length)
}

function etagOf(response: Response): string | undefined {
  return response.headers.get('etag') ?? undefined
}

/** The hub names the checksum of a large file as its mark. */
function linkedSha256(response: Response): string | undefined {
  const mark = response.headers.get('x-linked-etag')?.replaceAll('"', '')
  return mark !== undefined && /^[0-9a-f]{64}$/i.test(mark) ? mark : undefined
}

function newHash(): Bun.CryptoHasher {
  return new Bun.CryptoHasher('sha256')
}

async function hashOf(part: string, bytes: number): Promise<Bun.CryptoHasher> {
  const hash = newHash()
  for await (const piece of createReadStream(part, { end: bytes - 1 })) hash.update(piece)
  return hash
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}
