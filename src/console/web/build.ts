import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { ConsoleFile } from '#console/api/console-files.ts'
import { consoleFolder, consoleSources, listName } from '#console/api/console-folder.ts'

import { leanStyles } from './lean-styles.ts'

/*
 * Makes what browsers are given of the console: `npm run prepare` runs it, as does `npm ci` by itself. Everything is
 * compressed here, once, and the list that is written beside it is all that the gateway serves.
 */

/** Bundles the console into a folder, in place of what is there. Throws an `AggregateError` where it does not compile. */
export async function build(folder: string): Promise<readonly ConsoleFile[]> {
  const made = await Bun.build({
    entrypoints: [join(consoleSources, 'main.tsx')],
    target: 'browser',
    format: 'esm',
    minify: true,
    splitting: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    naming: { entry: naming, chunk: naming, asset: naming },
    plugins: [leanStylesOfKit],
  })
  const beside = `${folder}.${crypto.randomUUID()}`
  await mkdir(beside, { recursive: true })
  try {
    const assets = await Promise.all(made.outputs.map((output) => assetOf(output)))
    const files = await Promise.all(
      [...assets, await indexOf(assets)].map((asset) => written(beside, asset)),
    )
    await Bun.write(join(beside, listName), JSON.stringify(files, undefined, 1))
    await rm(folder, { recursive: true, force: true })
    await mkdir(dirname(folder), { recursive: true })
    await rename(beside, folder)
    return files
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
}

const leanStylesOfKit: Bun.BunPlugin = {
  name: 'lean-styles',
  setup(builder) {
    builder.onLoad({ filter: /@radix-ui\/themes\/.+\.css$/ }, async ({ path }) => ({
      contents: leanStyles(await Bun.file(path).text()),
      loader: 'css',
    }))
  },
}

const naming = 'assets/[name]-[hash].[ext]'

interface Asset {
  readonly path: string
  readonly type: string
  readonly isEntry: boolean
  readonly bytes: Uint8Array<ArrayBuffer>
}

async function assetOf(output: Bun.BuildArtifact): Promise<Asset> {
  const path = `/${output.path.replace(/^\.?\//, '')}`
  return {
    path,
    type: typeOf(path),
    isEntry: output.kind === 'entry-point',
    bytes: new Uint8Array(await output.arrayBuffer()),
  }
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

function typeOf(path: string): string {
  const found = types[path.split('.').at(-1) ?? '']
  if (found !== undefined) return found
  throw new Error(`The console has a file of a kind that is not served: ${path}.`)
}

/** The page around the bundle: it names the script, what the script imports at once, and the styles. */
async function indexOf(assets: readonly Asset[]): Promise<Asset> {
  const page = await Bun.file(join(consoleSources, 'index.html')).text()
  const entry = assets.find(({ isEntry }) => isEntry)
  if (entry === undefined) throw new Error('The bundle of the console has no entry.')
  const styles = assets.filter(({ path }) => path.endsWith('.css'))
  const tags = [
    ...styles.map(({ path }) => `<link rel="stylesheet" href="${path}" />`),
    ...importsOf(entry).map((path) => `<link rel="modulepreload" href="${path}" />`),
    `<script type="module" src="${entry.path}"></script>`,
  ]
  return {
    path: '/index.html',
    type: 'text/html; charset=utf-8',
    isEntry: false,
    bytes: new TextEncoder().encode(page.replace('<!-- files -->', tags.join('\n    '))),
  }
}

function importsOf({ bytes }: Asset): readonly string[] {
  return new Bun.Transpiler({ loader: 'js' })
    .scanImports(bytes)
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => `/assets/${path.replace(/^\.\//, '')}`)
}

async function written(folder: string, { path, type, bytes }: Asset): Promise<ConsoleFile> {
  const packed = Bun.gzipSync(bytes, { level: 9 })
  const file = `${path.slice(1)}.gz`
  await Bun.write(join(folder, file), packed)
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 32)
  return { path, file, type, hash, bytes: bytes.length, packedBytes: packed.length }
}

if (import.meta.main) await build(consoleFolder)
