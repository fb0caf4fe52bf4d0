import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readGgufHead } from './gguf-head.ts'
import { ModelFileError } from './model-file-error.ts'
import { ModelStore, type NamedModel } from './model-store.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-store-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const put = (name: string, bytes: Uint8Array | string = 'x'): void =>
  writeFileSync(join(folder, name), bytes)

function storeWith(named: Readonly<Record<string, NamedModel>> = {}): ModelStore {
  return new ModelStore({ folder, named })
}

describe('the models that there are', () => {
  test('are those in the box, where there is no folder', async () => {
    const marks = await new ModelStore({}).catalogue()
    expect(marks.map(({ name }) => name)).toEqual(['parley-mini', 'parley-mini-embed'])
    expect(marks[0]).toMatchObject({ origin: 'box', head: { architecture: 'llama' } })
    expect(marks[0]?.head?.contextSize).toBeGreaterThan(1000)
    expect(marks[0]?.bytes).toBeGreaterThan(1_000_000)
    expect(marks[1]?.head?.isPooled).toBe(true)
  })

  test('and those in the folder: parts are one model, and what is unfinished or no model is none', async () => {
    put('b.gguf')
    put('a-00001-of-00002.gguf')
    put('a-00002-of-00002.gguf')
    for (const name of ['c.gguf.part', 'mmproj-b.gguf', 'notes.txt']) put(name)
    const models = await storeWith().list()
    expect(models.slice(2)).toMatchObject([
      { name: 'a', file: join(folder, 'a-00001-of-00002.gguf'), origin: 'folder' },
      { name: 'b', file: join(folder, 'b.gguf'), origin: 'folder' },
    ])
    const [a] = (await storeWith().catalogue()).slice(2)
    expect(a?.bytes).toBe(2)
  })

  test('and those that the config names, with what it says of any of them', async () => {
    const load = { contextSize: 512 }
    const store = storeWith({
      own: { file: '/nonesuch.gguf', load: {} },
      'parley-mini': { load },
    })
    expect(await store.find('own')).toMatchObject({ file: '/nonesuch.gguf', origin: 'config' })
    expect(await store.find('parley-mini')).toMatchObject({ origin: 'box', options: load })
    expect(await store.find('other')).toBeUndefined()
    // What the config names stays on the list: whoever asks for it is told what is wrong with it.
    expect((await store.catalogue()).map(({ name }) => name)).toContain('own')
  })

  test('carry their manifest', async () => {
    put('a.gguf')
    const manifest = { source: 'x/a', sha256: 'ab', bytes: 1, fetchedAt: '2026-01-01' }
    put('a.gguf.json', JSON.stringify(manifest))
    const marks = await storeWith().catalogue()
    expect(marks.find(({ name }) => name === 'a')?.manifest).toEqual(manifest)
  })

  test('are removed with all that belongs to them, and those in the box are not', async () => {
    for (const index of [1, 2]) {
      put(`a-0000${index}-of-00002.gguf`)
      put(`a-0000${index}-of-00002.gguf.json`)
    }
    put('b.gguf')
    const store = storeWith({ own: { file: join(folder, 'b.gguf'), load: {} } })
    await store.remove('a')
    expect(readdirSync(folder)).toEqual(['b.gguf'])
    const problemOf = (name: string): Promise<unknown> =>
      store.remove(name).catch((error: unknown) => error instanceof ModelFileError && error.problem)
    expect(await problemOf('a')).toBe('missing')
    expect(await problemOf('parley-mini')).toBe('fixed')
    expect(await problemOf('own')).toBe('fixed')
  })
})

describe('the head of a model file', () => {
  const text = (value: string): Buffer => {
    const length = Buffer.alloc(8)
    length.writeBigUInt64LE(BigInt(value.length))
    return Buffer.concat([length, Buffer.from(value)])
  }
  const number = (value: number, size = 4): Buffer => {
    const bytes = Buffer.alloc(size)
    bytes.writeUIntLE(value, 0, Math.min(6, size))
    return bytes
  }
  const head = (count: number, ...members: readonly Buffer[]): Buffer =>
    Buffer.concat([Buffer.from('GGUF'), number(3), number(0, 8), number(count, 8), ...members])
  const said = async (bytes: Uint8Array) => {
    put('x.gguf', bytes)
    return readGgufHead(join(folder, 'x.gguf'))
  }

  test('is read past values of every kind', async () => {
    const list = Buffer.concat([number(9), number(8), number(2, 8), text('one'), text('two')])
    const kinds = [
      [0, 1],
      [1, 1],
      [2, 2],
      [3, 2],
      [5, 4],
      [6, 4],
      [7, 1],
      [10, 8],
      [11, 8],
      [12, 8],
    ] as const
    const others = kinds.flatMap(([kind, size]) => [text('k'), number(kind), number(1, size)])
    const bytes = head(
      kinds.length + 3,
      ...others,
      Buffer.concat([text('list'), list]),
      Buffer.concat([text('general.architecture'), number(8), text('llama')]),
      Buffer.concat([text('llama.context_length'), number(4), number(4096)]),
    )
    expect(await said(bytes)).toEqual({
      architecture: 'llama',
      contextSize: 4096,
      isPooled: false,
    })
  })

  test('is what was read, where the file breaks off or says nonsense', async () => {
    const name = Buffer.concat([text('general.architecture'), number(8), text('llama')])
    expect(await said(head(9, name))).toEqual({ architecture: 'llama', isPooled: false })
    expect(await said(head(9, name, text('k'), number(77)))).toMatchObject({
      architecture: 'llama',
    })
    expect(await said(head(9, name, number(2 ** 40, 8)))).toMatchObject({ architecture: 'llama' })
    const endless = Buffer.concat([text('k'), number(9), number(6), number(2 ** 47, 8)])
    expect(await said(head(9, name, endless))).toMatchObject({ architecture: 'llama' })
  })

  test('is nothing for another kind of file, or an empty one', async () => {
    expect(await said(Buffer.from('<html>'.repeat(10)))).toBeUndefined()
    expect(await said(Buffer.alloc(0))).toBeUndefined()
  })
})
