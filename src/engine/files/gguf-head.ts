import { type FileHandle, open } from 'node:fs/promises'

/** What the first kilobytes of a model file say of it. */
export interface GgufHead {
  readonly architecture?: string
  readonly title?: string
  /** Tokens that it was trained to look back on. */
  readonly contextSize?: number
  /** Width of its hidden states, which is that of the vectors of an embedding model. */
  readonly width?: number
  /** Whether it makes one vector of a whole text. */
  readonly isPooled: boolean
  /** What it says of its attention, in the names of the format and below `attention.` as they are nested there. */
  readonly attention?: Readonly<Record<string, unknown>>
}

const magic = 0x46_55_47_47
/** Tables of tokens come after everything that is looked for here, so that no more need be read. */
const mostBytes = 256 * 1024

/**
 * Reads the beginning of a model file, without its tokens or weights. Gives undefined for what is no GGUF file of
 * version 2 or later, and what it has found for one that breaks off.
 */
export async function readGgufHead(file: string): Promise<GgufHead | undefined> {
  const handle = await open(file)
  try {
    return parseHead(await beginningOf(handle))
  } finally {
    await handle.close()
  }
}

async function beginningOf(handle: FileHandle): Promise<Buffer> {
  const buffer = Buffer.alloc(mostBytes)
  const { bytesRead } = await handle.read(buffer, 0, mostBytes, 0)
  return buffer.subarray(0, bytesRead)
}

function parseHead(bytes: Buffer): GgufHead | undefined {
  if (bytes.length < 24 || bytes.readUInt32LE(0) !== magic || bytes.readUInt32LE(4) < 2)
    return undefined
  const found = new Map<string, unknown>()
  try {
    readMembers(bytes, found)
  } catch (error) {
    // The tables of tokens are longer than what was read.
    if (!(error instanceof RangeError)) throw error
  }
  return headOf(found)
}

function headOf(found: ReadonlyMap<string, unknown>): GgufHead {
  const architecture = textAt(found, 'general.architecture')
  const title = textAt(found, 'general.name')
  const contextSize = countAt(found, `${architecture}.context_length`)
  const width = countAt(found, `${architecture}.embedding_length`)
  return {
    isPooled: (countAt(found, `${architecture}.pooling_type`) ?? 0) > 0,
    ...(architecture !== undefined && { architecture }),
    ...(title !== undefined && { title }),
    ...(contextSize !== undefined && { contextSize }),
    ...(width !== undefined && { width }),
    ...(found.has(`${architecture}.block_count`) && {
      attention: attentionOf(found, `${architecture}.`),
    }),
  }
}

/** What the memory of a context goes by. Lists are not read: of a model whose layers differ the widest layer is told. */
function attentionOf(
  found: ReadonlyMap<string, unknown>,
  prefix: string,
): Readonly<Record<string, unknown>> {
  const under = (start: string, names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = countAt(found, `${start}${name}`)
        return value === undefined ? [] : [[name, value]]
      }),
    )
  const isRecurrent = [...found.keys()].some((key) => key.startsWith(`${prefix}ssm.`))
  return {
    ...under(prefix, ['block_count', 'embedding_length']),
    attention: under(`${prefix}attention.`, attentionNames),
    ...(isRecurrent && { ssm: {} }),
  }
}

const attentionNames = [
  'head_count',
  'head_count_kv',
  'key_length',
  'value_length',
  'sliding_window',
  'kv_lora_rank',
]

function textAt(found: ReadonlyMap<string, unknown>, key: string): string | undefined {
  const value = found.get(key)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function countAt(found: ReadonlyMap<string, unknown>, key: string): number | undefined {
  const value = found.get(key)
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}

/** Where the reading stands. */
interface Cursor {
  readonly bytes: Buffer
  at: number
}

function readMembers(bytes: Buffer, found: Map<string, unknown>): void {
  const cursor: Cursor = { bytes, at: 16 }
  const count = readLength(cursor)
  for (let index = 0; index < count; index++) {
    const key = readText(cursor)
    found.set(key, readValue(cursor, readNumber(cursor, 4)))
  }
}

/** The kinds of value, by their numbers in the format. */
const textKind = 8
const listKind = 9
const scalars: Readonly<Record<number, (cursor: Cursor) => number>> = {
  0: (cursor) => readNumber(cursor, 1),
  1: (cursor) => readNumber(cursor, 1),
  2: (cursor) => readNumber(cursor, 2),
  3: (cursor) => readNumber(cursor, 2),
  4: (cursor) => readNumber(cursor, 4),
  5: (cursor) => readNumber(cursor, 4),
  6: (cursor) => skipped(cursor, 4),
  7: (cursor) => readNumber(cursor, 1),
  10: readLength,
  11: readLength,
  12: (cursor) => skipped(cursor, 8),
}

/** A text or a number; of a list nothing. */
function readValue(cursor: Cursor, kind: number): unknown {
  if (kind === textKind) return readText(cursor)
  if (kind === listKind) return readList(cursor)
  const read = scalars[kind]
  if (read === undefined) throw new RangeError(`A value of the unknown kind ${kind}.`)
  return read(cursor)
}

function readList(cursor: Cursor): undefined {
  const kind = readNumber(cursor, 4)
  const count = readLength(cursor)
  for (let index = 0; index < count; index++) readValue(cursor, kind)
}

function readText(cursor: Cursor): string {
  const length = readLength(cursor)
  const end = cursor.at + length
  if (end > cursor.bytes.length) throw new RangeError('The text is longer than the file.')
  const text = cursor.bytes.toString('utf8', cursor.at, end)
  cursor.at = end
  return text
}

/** A whole number of eight bytes. */
function readLength(cursor: Cursor): number {
  const value = Number(cursor.bytes.readBigUInt64LE(cursor.at))
  cursor.at += 8
  return value
}

function readNumber(cursor: Cursor, size: number): number {
  const value = cursor.bytes.readUIntLE(cursor.at, size)
  cursor.at += size
  return value
}

/** Fractions are of no use here. */
function skipped(cursor: Cursor, size: number): number {
  cursor.at += size
  if (cursor.at > cursor.bytes.length) throw new RangeError('The value is longer than the file.')
  return Number.NaN
}
