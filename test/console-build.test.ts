import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Glob } from 'bun'

import type { ConsoleFile } from '#console/api/console-files.ts'
import { consoleSources, listName } from '#console/api/console-folder.ts'
import { consoleState } from '#console/api/console-state.ts'
import { build } from '#console/web/build.ts'
import { unusedWidths } from '#console/web/lean-styles.ts'

// What browsers are given, built as `npm run prepare` builds it.

/** All scripts together, compressed: what somebody who looks at every page has to fetch. */
const mostScriptBytes = 350_000

/** What the first page takes before anything is drawn. */
const mostFirstBytes = 300_000

let folder: string
let files: readonly ConsoleFile[]
beforeAll(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'parley-console-')), 'console')
  files = await build(folder)
})
afterAll(() => rmSync(join(folder, '..'), { recursive: true }))

const textOf = async (path: string) => {
  const file = files.find((one) => one.path === path)
  const packed = await Bun.file(join(folder, file?.file ?? 'none')).bytes()
  return new TextDecoder().decode(Bun.gunzipSync(packed))
}

const bytesOf = (some: readonly ConsoleFile[]) =>
  some.reduce((sum, { packedBytes }) => sum + packedBytes, 0)

test('all scripts together stay within their limit', () => {
  const scripts = files.filter(({ path }) => path.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(10)
  expect(bytesOf(scripts)).toBeLessThanOrEqual(mostScriptBytes)
})

test('what the first page takes at once is little, and all of it is there', async () => {
  const page = await textOf('/index.html')
  const named = [...page.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThanOrEqual(2)
  const found = files.filter(({ path }) => named.includes(path))
  expect(new Set(found.map(({ path }) => path))).toEqual(new Set(named))
  expect(bytesOf(found)).toBeLessThanOrEqual(mostFirstBytes)
})

test('the page has no script and no style of its own, and names no other origin', async () => {
  const page = await textOf('/index.html')
  expect(page).not.toMatch(/<script(?![^>]* src="\/)/)
  expect(page).not.toMatch(/<style|style=|\son\w+=/)
  expect(page).not.toContain('//')
})

test('no page asks for a width whose styles are left out', async () => {
  const width = new RegExp(String.raw`\b(?:${Object.keys(unusedWidths).join('|')}): ['"{]`)
  for (const file of new Glob('**/*.tsx').scanSync(consoleSources))
    expect([file, width.test(await Bun.file(join(consoleSources, file)).text())]).toEqual([
      file,
      false,
    ])
  for (const { path } of files.filter((file) => file.path.endsWith('.css'))) {
    const text = await textOf(path)
    expect(text).toContain(String.raw`.sm\:`)
    expect(text).not.toContain(String.raw`.lg\:`)
  }
})

test('no style loads anything from elsewhere', async () => {
  for (const { path } of files.filter((file) => file.path.endsWith('.css')))
    expect((await textOf(path)).match(/@import|url\((?!["']?data:)/g) ?? []).toEqual([])
})

test('nothing that runs in the gateway is in it, and no development build of a library', async () => {
  for (const { path } of files.filter((file) => file.path.endsWith('.js'))) {
    const text = await textOf(path)
    for (const word of ['bun:sqlite', 'node:crypto', 'CREATE TABLE', 'react.development'])
      expect({ path, word, has: text.includes(word) }).toEqual({ path, word, has: false })
  }
})

test('the same sources make the same files', async () => {
  const again = await build(`${folder}-again`)
  const hashes = (some: readonly ConsoleFile[]) =>
    new Map(some.map(({ path, hash }) => [path, hash]))
  expect(hashes(again)).toEqual(hashes(files))
})

test('whether there is a console, and that of these sources, is seen', async () => {
  expect(await consoleState(folder)).toBe('built')
  expect(await consoleState(`${folder}-none`)).toBe('missing')
  utimesSync(join(folder, listName), 1, 1)
  expect(await consoleState(folder)).toBe('stale')
})
