import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

import type { LoadOptions } from '#engine/orders.ts'
import { isObject, parseJson } from '#std/json.ts'

import { type GgufHead, readGgufHead } from './gguf-head.ts'
import { ModelFileError } from './model-file-error.ts'

/** What an operator says of a model: where its file lies, and how it is to be loaded. */
export interface NamedModel {
  readonly file?: string | undefined
  readonly load: LoadOptions
}

export interface ModelStoreOptions {
  /** The folder of the models that were fetched; without it there are none. */
  readonly folder?: string | undefined
  readonly named?: Readonly<Record<string, NamedModel>>
}

/** A model that can be loaded. */
export interface StoredModel {
  readonly name: string
  /** The file, or the first of its parts. */
  readonly file: string
  readonly origin: 'box' | 'folder' | 'config'
  readonly options: LoadOptions
}

/** What is known of a model's file without loading it. */
export interface ModelShelfMark extends StoredModel {
  readonly bytes: number
  /** Unix milliseconds. */
  readonly since: number
  readonly head: GgufHead | undefined
  readonly manifest: Manifest | undefined
}

/** Where a fetched file came from. It lies beside the file as `<file>.json`. */
export interface Manifest {
  readonly source: string
  readonly sha256: string
  readonly bytes: number
  /** When it was fetched, as an ISO time. */
  readonly fetchedAt: string
}

const box = resolve(import.meta.dir, '..', '..', '..', 'models', 'mini')
const boxedNames = ['parley-mini', 'parley-mini-embed'] as const

/** The name of the chat model that is always there. */
export const boxedChatModel = boxedNames[0]

const part = /^(?<stem>.+)-(?<index>\d{5})-of-(?<count>\d{5})$/

/** Which models there are: those in the box, those in the folder, and those that the config names. The last wins. */
export class ModelStore {
  readonly #options: ModelStoreOptions
  readonly #heads = new Map<string, { readonly key: string; readonly head: GgufHead | undefined }>()

  constructor(options: ModelStoreOptions) {
    this.#options = options
  }

  /** Where fetched models are kept. */
  get folder(): string | undefined {
    return this.#options.folder
  }

  async list(): Promise<readonly StoredModel[]> {
    const models = new Map<string, StoredModel>()
    const add = (name: string, file: string, origin: StoredModel['origin']): void =>
      void models.set(name, { name, file, origin, options: this.#optionsOf(name) })
    for (const name of boxedNames) add(name, join(box, `${name}.gguf`), 'box')
    for (const file of await this.#filesInFolder()) add(nameOf(file), file, 'folder')
    for (const [name, { file }] of Object.entries(this.#options.named ?? {}))
      if (file !== undefined) add(name, file, 'config')
    return [...models.values()]
  }

  async find(name: string): Promise<StoredModel | undefined> {
    return (await this.list()).find((model) => model.name === name)
  }

  /** The same models with what their files say. One that is gone is left out, unless the config names it. */
  async catalogue(): Promise<readonly ModelShelfMark[]> {
    const marks = await Promise.all((await this.list()).map((model) => this.#mark(model)))
    return marks.filter((mark) => mark !== undefined)
  }

  /** Removes a model's files. Throws `ModelFileError` if it is not there, or not to be removed. */
  async remove(name: string): Promise<StoredModel> {
    const model = await this.find(name)
    if (model === undefined)
      throw new ModelFileError('missing', `There is no model \`${name}\`. See parley models list.`)
    if (model.origin !== 'folder') {
      const whose =
        model.origin === 'box'
          ? 'is part of Parley'
          : `is a file of yours that the config names (${model.file})`
      throw new ModelFileError('fixed', `\`${name}\` ${whose} and is not removed.`)
    }
    for (const file of await partsOf(model.file))
      await Promise.all([rm(file, { force: true }), rm(manifestFile(file), { force: true })])
    return model
  }

  #optionsOf(name: string): LoadOptions {
    return this.#options.named?.[name]?.load ?? {}
  }

  async #filesInFolder(): Promise<string[]> {
    const { folder } = this.#options
    if (folder === undefined) return []
    const names = await readdir(folder).catch(() => [])
    return names
      .filter((name) => name.endsWith('.gguf') && !name.startsWith('mmproj') && !isLaterPart(name))
      .toSorted()
      .map((name) => join(folder, name))
  }

  async #mark(model: StoredModel): Promise<ModelShelfMark | undefined> {
    try {
      const sizes = await Promise.all((await partsOf(model.file)).map((file) => stat(file)))
      const bytes = sizes.reduce((sum, { size }) => sum + size, 0)
      const since = sizes[0]?.mtimeMs ?? 0
      const head = await this.#headOf(model.file, `${bytes} ${since}`)
      return { ...model, bytes, since, head, manifest: await readManifest(model.file) }
    } catch {
      // It is gone, or not for us to read. Whoever asks for one that the config names is told so.
      return model.origin === 'config'
        ? { ...model, bytes: 0, since: 0, head: undefined, manifest: undefined }
        : undefined
    }
  }

  /** Files are large and seldom change: each is looked into once. */
  async #headOf(file: string, key: string): Promise<GgufHead | undefined> {
    const known = this.#heads.get(file)
    if (known?.key === key) return known.head
    const head = await readGgufHead(file)
    this.#heads.set(file, { key, head })
    return head
  }
}

/** The name of a model by its file: without the ending, and without the number of a part. */
export function nameOf(file: string): string {
  const stem = basename(file).replace(/\.gguf$/i, '')
  return part.exec(stem)?.groups?.['stem'] ?? stem
}

/** All parts of a model, whose first one is given. */
export async function partsOf(file: string): Promise<string[]> {
  const groups = part.exec(file.replace(/\.gguf$/i, ''))?.groups
  if (groups === undefined) return [file]
  const { stem = '', count = '1' } = groups
  return Array.from(
    { length: Number(count) },
    (_, index) => `${stem}-${String(index + 1).padStart(5, '0')}-of-${count}.gguf`,
  )
}

/** Where the manifest of a file lies. */
export function manifestFile(file: string): string {
  return `${file}.json`
}

async function readManifest(file: string): Promise<Manifest | undefined> {
  const text = await readFile(manifestFile(file), 'utf8').catch(() => '')
  const parsed = parseJson(text)
  if (!parsed.ok || !isObject(parsed.value)) return undefined
  const { source, sha256, bytes, fetchedAt } = parsed.value
  return typeof source === 'string' &&
    typeof sha256 === 'string' &&
    typeof bytes === 'number' &&
    typeof fetchedAt === 'string'
    ? { source, sha256, bytes, fetchedAt }
    : undefined
}

function isLaterPart(name: string): boolean {
  const index = part.exec(name.replace(/\.gguf$/i, ''))?.groups?.['index']
  return index !== undefined && Number(index) > 1
}
