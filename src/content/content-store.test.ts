import { Database } from 'bun:sqlite'
import { afterEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import fc from 'fast-check'

import { filesWith } from '#test/content-rig.ts'

import { contentFile, type ContentRow, ContentStore } from './content-store.ts'

const homes: string[] = []
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true })
})

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'parley-content-store-'))
  homes.push(home)
  return home
}

function openIn(home: string): ContentStore {
  return ContentStore.open(contentFile(join(home, 'parley.db')) ?? '')
}

function row(exchangeId: string, content: string, more: Partial<ContentRow> = {}): ContentRow {
  const sizes = { requestBytes: 1, answerBytes: 2, isCut: false }
  return { exchangeId, keyId: 'k', projectId: 'p', keptAt: 100, ...sizes, content, ...more }
}

describe('the file of content', () => {
  test('is a file of its own, which nobody else may read, and there is none in memory', () => {
    const home = newHome()
    using store = openIn(home)
    store.add([row('a', '{}')])
    expect(contentFile(':memory:')).toBeUndefined()
    for (const file of readdirSync(home)) expect(statSync(join(home, file)).mode & 0o077).toBe(0)
  })

  test('has what was added, once for each exchange', () => {
    using store = openIn(newHome())
    store.add([row('a', '{"a":1}', { isCut: true }), row('b', '{"b":1}')])
    store.add([row('a', '{"a":2}')])
    expect(store.read('a')).toBe('{"a":1}')
    expect(store.note('a')).toEqual({ keptAt: 100, requestBytes: 1, answerBytes: 2, isCut: true })
    expect([store.read('c'), store.note('c')]).toEqual([undefined, undefined])
  })

  test('loses what an exchange, a key or an age has, and nothing else', () => {
    using store = openIn(newHome())
    store.add([
      row('a', '{}'),
      row('b', '{}', { keyId: 'other' }),
      row('c', '{}', { keptAt: 99 }),
      row('d', '{}', { keyId: 'other', keptAt: 50 }),
    ])
    expect(store.count({ keyId: 'other' })).toBe(2)
    expect(store.erase({ before: 100 })).toBe(2)
    expect(store.erase({ exchangeId: 'a' })).toBe(1)
    expect(store.erase({ exchangeId: 'a' })).toBe(0)
    expect(store.read('b')).toBe('{}')
    expect(store.erase({ keyId: 'other' })).toBe(1)
    store.add([row('e', '{}'), row('f', '{}'), row('g', '{}', { keptAt: 50 })])
    expect(store.erase({ before: 100, exchangeIds: ['e', 'z'] })).toBe(2)
    expect(store.read('f')).toBe('{}')
  })

  test('of a newer version is not touched', () => {
    const home = newHome()
    const file = join(home, 'content.db')
    openIn(home)[Symbol.dispose]()
    const database = new Database(file)
    database.run('PRAGMA user_version = 2')
    database.close()
    expect(() => openIn(home)).toThrow('newer version')
  })

  test('has what was said only on pages that SQLite never moves', () => {
    const home = newHome()
    using store = openIn(home)
    const mark = 'what was said. '
    for (const size of [1, 40, 90, 300])
      for (let at = 0; at < 20; at++) store.add([row(`${size}-${at}`, mark.repeat(size))])
    store.emptyLog()
    const bytes = readFileSync(join(home, 'content.db'))
    const pages = Array.from({ length: bytes.length / 1024 }, (_, at) =>
      bytes.subarray(at * 1024, (at + 1) * 1024),
    )
    // The first byte of a page of rows or of an index says so; other pages begin with the number of the next one.
    const ofTrees = pages.filter((page, at) => at === 0 || [2, 5, 10, 13].includes(page[0] ?? 0))
    expect(ofTrees.length).toBeGreaterThan(10)
    expect(ofTrees.filter((page) => page.includes(mark))).toEqual([])
    expect(pages.filter((page) => page.includes(mark)).length).toBeGreaterThan(80)
  })

  test('has no trace of what was deleted, however rows of all sizes came and went', () => {
    const sizes = fc.constantFrom(10, 200, 900, 1100, 2500, 5000, 20_000)
    const steps = fc.array(fc.tuple(fc.boolean(), sizes, fc.nat()), {
      minLength: 40,
      maxLength: 80,
    })
    fc.assert(
      fc.property(steps, (all) => {
        const home = newHome()
        const there = new Map<string, string>()
        const gone: string[] = []
        {
          using store = openIn(home)
          for (const [at, [isNew, size, pick]] of all.entries()) {
            if (isNew || there.size === 0) {
              const mark = `<mark ${at}>`
              there.set(`${at}`, mark)
              store.add([row(`${at}`, mark.repeat(Math.ceil(size / mark.length)))])
              continue
            }
            const [id = '', mark = ''] = [...there][pick % there.size] ?? []
            store.erase({ exchangeId: id })
            there.delete(id)
            gone.push(mark)
          }
          expect(gone.filter((mark) => filesWith(home, mark).length > 0)).toEqual([])
          for (const mark of there.values()) expect(filesWith(home, mark)).not.toEqual([])
        }
        rmSync(home, { recursive: true, force: true })
      }),
      { numRuns: 8, endOnFailure: true },
    )
  }, 60_000)
})
