import { copyFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { download, type DownloadOptions } from './download.ts'
import { ask, unreachable } from './fetch-file.ts'
import { checkRoom } from './free-room.ts'
import { readGgufHead } from './gguf-head.ts'
import { ModelFileError } from './model-file-error.ts'
import { type Manifest, manifestFile, nameOf } from './model-store.ts'
import {
  defaultHub,
  type Hub,
  type Offer,
  offerAt,
  offersIn,
  readSource,
  shownUrl,
  type Source,
} from './source.ts'

export interface PullOptions {
  /** Where models are kept. It is made if it is not there. */
  readonly folder: string
  /** What a path is relative to. */
  readonly workingFolder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** What the file's checksum has to be. */
  readonly sha256?: string | undefined
  /** Told of the file that is being fetched, and of how far it is. */
  readonly onProgress: (file: string, bytes: number, total: number | undefined) => void
  readonly pauseMs?: number
  /** How long the hub may take to list a repository's files, in milliseconds. */
  readonly listMs?: number
}

const usualListMs = 60_000

export interface Pulled {
  /** The name by which the model is asked for. */
  readonly model: string
  readonly files: readonly string[]
  readonly bytes: number
  /** Of the only file, or of the first part. */
  readonly sha256: string
}

/** Brings a model's file into the folder. Throws `ModelFileError` with what is wrong and what to do. */
export async function pull(text: string, options: PullOptions): Promise<Pulled> {
  const { folder, sha256 } = options
  const source = readSource(text, options.workingFolder)
  await mkdir(folder, { recursive: true })
  const fetched: Fetched[] = []
  if (source.type === 'path') fetched.push(await copied(source.path, options))
  else {
    const hub = hubOf(options.environment)
    const offers = await offersOf(source, hub, options)
    if (sha256 !== undefined && offers.length > 1)
      throw new ModelFileError(
        'unusable',
        'A checksum is for one file, and this model has several.',
      )
    for (const offer of offers)
      fetched.push(
        await downloaded({ ...offer, ...(sha256 !== undefined && { sha256 }) }, hub, options),
      )
  }
  const shown = source.type === 'url' ? shownUrl(text) : text
  const fetchedAt = new Date().toISOString()
  for (const { file, bytes, sha256: sum } of fetched) {
    const manifest: Manifest = { source: shown, sha256: sum, bytes, fetchedAt }
    await writeFile(manifestFile(file), `${JSON.stringify(manifest, null, 2)}\n`)
  }
  return summary(fetched)
}

interface Fetched {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

function summary(fetched: readonly Fetched[]): Pulled {
  const [first] = fetched
  if (first === undefined) throw new ModelFileError('missing', 'There is nothing to fetch.')
  return {
    model: nameOf(first.file),
    files: fetched.map(({ file }) => file),
    bytes: fetched.reduce((sum, { bytes }) => sum + bytes, 0),
    sha256: first.sha256,
  }
}

function hubOf(environment: PullOptions['environment']): Hub {
  const endpoint = environment['HF_ENDPOINT']?.trim() || defaultHub
  return {
    endpoint: endpoint.replace(/\/+$/, ''),
    token: environment['HF_TOKEN']?.trim() || undefined,
  }
}

async function offersOf(
  source: Exclude<Source, { type: 'path' }>,
  hub: Hub,
  { sha256, listMs = usualListMs }: PullOptions,
): Promise<readonly Offer[]> {
  if (source.type === 'url') return [offerAt(source.url, sha256)]
  const url = `${hub.endpoint}/api/models/${source.repo}/tree/main?recursive=true`
  const list = await ask(url, { token: hub.token, signal: AbortSignal.timeout(listMs) })
  const text = await list.text().catch((error: unknown) => {
    throw unreachable(error, new URL(url))
  })
  return offersIn(text, source, hub)
}

async function downloaded(offer: Offer, hub: Hub, options: PullOptions): Promise<Fetched> {
  const { folder, onProgress, pauseMs } = options
  const file = join(folder, safeName(offer.fileName))
  const known = await unchanged(file, offer)
  if (known !== undefined) return known
  const isHub = offer.url.startsWith(`${hub.endpoint}/`)
  const settings: DownloadOptions = {
    // The token is the hub's: no other address is shown it.
    token: isHub ? hub.token : undefined,
    onProgress: (bytes, total) => onProgress(offer.fileName, bytes, total),
    ...(pauseMs !== undefined && { pauseMs }),
  }
  const part = `${file}.part`
  const { bytes, sha256 } = await download(offer, part, settings)
  await kept(part, file)
  return { file, bytes, sha256 }
}

/** The file is there already, with the checksum that is promised. */
async function unchanged(file: string, { sha256 }: Offer): Promise<Fetched | undefined> {
  const bytes = await stat(file).then(
    ({ size }) => size,
    () => undefined,
  )
  if (bytes === undefined || sha256 === undefined) return undefined
  const found = await checksumOf(file)
  return found === sha256.toLowerCase() ? { file, bytes, sha256: found } : undefined
}

async function copied(path: string, { folder, sha256, onProgress }: PullOptions): Promise<Fetched> {
  const bytes = await stat(path).then(
    ({ size }) => size,
    () => undefined,
  )
  if (bytes === undefined) throw new ModelFileError('missing', `There is no file ${path}.`)
  const file = join(folder, safeName(basename(path)))
  const part = `${file}.part`
  await checkRoom(part, bytes)
  await copyFile(path, part)
  onProgress(path, bytes, bytes)
  const found = await checksumOf(part)
  if (sha256 !== undefined && found !== sha256.toLowerCase()) {
    await rm(part)
    throw new ModelFileError('damaged', `${path} has the checksum ${found}, and not ${sha256}.`)
  }
  await kept(part, file)
  return { file, bytes, sha256: found }
}

/** Gives a file its name if it is a model. Otherwise it goes. */
async function kept(part: string, file: string): Promise<void> {
  if ((await readGgufHead(part)) !== undefined) return rename(part, file)
  await rm(part)
  throw new ModelFileError('damaged', `${basename(file)} is no GGUF file. It was not kept.`)
}

/** A file's own name, which comes from elsewhere and must not lead out of the folder. */
function safeName(name: string): string {
  if (/^[\w][\w.+ -]*\.gguf$/i.test(name)) return name.replace(/\.gguf$/i, '.gguf')
  throw new ModelFileError('unusable', `"${name}" is no name for a model's file.`)
}

async function checksumOf(file: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const bytes of Bun.file(file).stream()) hash.update(bytes)
  return hash.digest('hex')
}
