import { isAbsolute, resolve } from 'node:path'

import { isObject, parseJson } from '#std/json.ts'

import { ModelFileError } from './model-file-error.ts'

/** The hub that names without an address are looked up in. `HF_ENDPOINT` overrides it. */
export const defaultHub = 'https://huggingface.co'

/** What somebody wants to have. */
export type Source =
  | { readonly type: 'hub'; readonly repo: string; readonly file?: string; readonly quant?: string }
  | { readonly type: 'url'; readonly url: URL }
  | { readonly type: 'path'; readonly path: string }

/** One file of a source, and what is known of it before it is fetched. */
export interface Offer {
  /** What it is to be called. */
  readonly fileName: string
  readonly url: string
  readonly sha256?: string
  readonly bytes?: number
}

export interface Hub {
  readonly endpoint: string
  readonly token?: string | undefined
}

const hubName = /^(?:hf:)?([\w.-]+\/[\w.-]+)(?:\/([\w./-]+\.gguf))?(?::([\w.-]+))?$/

/** Reads what was typed: `hf:owner/repo[/file.gguf][:quant]`, the same without `hf:`, a URL, or a path. */
export function readSource(text: string, folder: string): Source {
  if (/^https?:\/\//i.test(text)) return { type: 'url', url: checkedUrl(text) }
  const isPath = isAbsolute(text) || /^\.{0,2}\//.test(text) || /^[^/:]+\.gguf$/i.test(text)
  if (isPath) return { type: 'path', path: resolve(folder, text) }
  const [, repo, file, quant] = hubName.exec(text) ?? []
  if (repo === undefined) {
    throw new ModelFileError(
      'unusable',
      `"${text}" is no source. Expected owner/repo, owner/repo:quant, hf:owner/repo/file.gguf, https://…/file.gguf, or a path.`,
    )
  }
  return {
    type: 'hub',
    repo,
    ...(file !== undefined && { file }),
    ...(quant !== undefined && { quant }),
  }
}

/** Other people's addresses are fetched by https alone; what is on this machine may be tried without. */
function checkedUrl(text: string): URL {
  if (!URL.canParse(text)) throw new ModelFileError('unusable', `"${text}" is no URL.`)
  const url = new URL(text)
  if (!isSafe(url)) {
    throw new ModelFileError(
      'unusable',
      `"${text}" is fetched by https only: what comes by http can be changed on its way.`,
    )
  }
  if (!/\.gguf$/i.test(url.pathname))
    throw new ModelFileError('unusable', `"${text}" does not name a .gguf file.`)
  return url
}

/** A URL as it may be written down and shown: what stands before its host and behind its path may be a secret. */
export function shownUrl(text: string): string {
  return text.replace(/[?#].*$/s, '').replace(/:\/\/[^/]*@/, '://')
}

/** Whether nobody on the way can change what is fetched. */
export function isSafe({ protocol, hostname }: URL): boolean {
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isHere)
}

/** The one file that a URL names. */
export function offerAt(url: URL, sha256: string | undefined): Offer {
  const fileName = decodeURIComponent(url.pathname.split('/').at(-1) ?? '')
  return { fileName, url: url.href, ...(sha256 !== undefined && { sha256 }) }
}

interface HubFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string | undefined
}

/** The files to fetch of a repository, by the list that the hub gave: one, or all parts of one that is split. */
export function offersIn(
  list: string,
  source: Extract<Source, { type: 'hub' }>,
  hub: Hub,
): Offer[] {
  const files = readList(list).filter(({ path }) => /\.gguf$/i.test(path))
  const chosen = choose(files, source)
  return partsWith(chosen, files).map(({ path, bytes, sha256 }) => ({
    fileName: path.split('/').at(-1) ?? path,
    url: `${hub.endpoint}/${source.repo}/resolve/main/${encodeURI(path)}`,
    bytes,
    ...(sha256 !== undefined && { sha256 }),
  }))
}

function readList(text: string): HubFile[] {
  const parsed = parseJson(text)
  const rows = parsed.ok && Array.isArray(parsed.value) ? parsed.value : []
  return rows.flatMap((row: unknown) => {
    if (!isObject(row) || row['type'] !== 'file' || typeof row['path'] !== 'string') return []
    const lfs = isObject(row['lfs']) ? row['lfs'] : {}
    const sha256 = typeof lfs['oid'] === 'string' ? lfs['oid'] : undefined
    const size = lfs['size'] ?? row['size']
    return [{ path: row['path'], bytes: typeof size === 'number' ? size : 0, sha256 }]
  })
}

/** What to take where nobody said: small enough for a laptop, good enough to be useful. */
const usualQuants = ['Q4_K_M', 'Q4_K_S', 'Q5_K_M', 'Q4_0', 'Q8_0', 'F16', 'BF16']

function choose(
  files: readonly HubFile[],
  { repo, file, quant }: Extract<Source, { type: 'hub' }>,
): HubFile {
  const models = files.filter(({ path }) => !isProjector(path) && !isLaterPart(path))
  const wanted = file ?? quant
  const found =
    file === undefined
      ? byQuant(models, quant === undefined ? usualQuants : [quant], quant === undefined)
      : files.find(({ path }) => path === file)
  if (found !== undefined) return found
  const choice = models.map(({ path }) => path).join(', ')
  throw new ModelFileError(
    'missing',
    choice === ''
      ? `${repo} has no .gguf file. Look for a repository whose name ends in GGUF.`
      : `${repo} has no ${wanted}. It has ${choice}.`,
  )
}

function byQuant(
  models: readonly HubFile[],
  quants: readonly string[],
  isAnyWelcome: boolean,
): HubFile | undefined {
  for (const quant of quants) {
    const found = models.find(({ path }) => path.toUpperCase().includes(quant.toUpperCase()))
    if (found !== undefined) return found
  }
  return isAnyWelcome ? models[0] : undefined
}

const partName = /-(\d{5})-of-(\d{5})\.gguf$/i

function partsWith(first: HubFile, files: readonly HubFile[]): HubFile[] {
  if (!partName.test(first.path)) return [first]
  const stem = first.path.replace(partName, '')
  return files
    .filter(({ path }) => partName.test(path) && path.replace(partName, '') === stem)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function isLaterPart(path: string): boolean {
  const [, index] = partName.exec(path) ?? []
  return index !== undefined && Number(index) > 1
}

/** The part of a model that sees is of no use alone. */
function isProjector(path: string): boolean {
  return /(^|\/)mmproj/i.test(path)
}
