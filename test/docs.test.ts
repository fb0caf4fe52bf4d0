import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { Glob } from 'bun'

import type { UpstreamModel } from '#chat/names.ts'
import { parseConfig } from '#config/load.ts'
import { boxedChatModel } from '#engine/files/model-store.ts'
import { Prices } from '#prices/prices.ts'
import { vendorPrices } from '#prices/vendor-prices.ts'
import { brandAs } from '#std/brand.ts'
import { vendorNames } from '#upstreams/vendors/vendors.ts'

import packageJson from '../package.json' with { type: 'json' }

/** What of a package the lock file has that is looked at here. */
interface Locked {
  readonly integrity?: string
  readonly hasInstallScript?: boolean
}

const documents = ['*.md', 'docs/**/*.md']
  .flatMap((glob) => [...new Glob(glob).scanSync('.')])
  .toSorted()
const textOf = (file: string) => Bun.file(file).text()
const readme = await textOf('README.md')

/** The blocks of a language in a document. */
const blocksOf = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    (match) => match[1] ?? '',
  )

describe('what the documents say is true:', () => {
  test.each(documents)('every file that %s names is there', async (file) => {
    const text = await textOf(file)
    const folder = file.includes('/') ? `${file.slice(0, file.lastIndexOf('/'))}/` : ''
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
      (match) => `${folder}${match[1]}`,
    )
    const named = [...text.matchAll(/`((?:src|test|bench|docs|bin)\/[\w./-]+)`/g)].map(
      (match) => match[1] ?? '',
    )
    expect([...links, ...named].filter((path) => !existsSync(path))).toEqual([])
  })

  test('a file of the threat model that is named alone lies beside the one before it', async () => {
    const rows = (await textOf('docs/threat-model.md')).split('\n').map((row) => row.split(' | '))
    const places = rows.map((cells) => cells.at(-1) ?? '').filter((cell) => cell.includes('`src/'))
    expect(places.length).toBeGreaterThan(20)
    const files = places.flatMap((cell) => {
      let folder = ''
      return [...cell.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) => {
        if (name.includes('/')) folder = dirname(name)
        return join(folder, basename(name))
      })
    })
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  })

  test('the vendors of the README are those that there are', () => {
    const list = readme.slice(
      readme.indexOf('- `vendor` is one of'),
      readme.indexOf('Anything else is'),
    )
    const named = [...list.matchAll(/`([\w]+)`/g)].map((match) => match[1] ?? '').slice(1)
    expect(named.toSorted()).toEqual([...vendorNames].toSorted())
  })

  test('the config of the README can be used', () => {
    const environment = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' }
    const [example = ''] = blocksOf(readme, 'yaml')
    const config = parseConfig(example, 'README.md', { vendors: vendorNames, environment })
    expect(Object.keys(config.upstreams)).toEqual(['openai', 'anthropic', 'gpu-box'])
    expect(Object.keys(config.models)).toEqual(['fast', 'smart'])
  })

  test('the first calls of the README need nothing but the box and the first key', () => {
    const [shell = ''] = blocksOf(readme, 'sh').filter((block) => block.includes('curl'))
    const [program = ''] = blocksOf(readme, 'ts')
    const asked = [shell, program].map((block) =>
      [...block.matchAll(/\bmodel"?: ?["']([^"']+)/g)].map((match) => match[1]),
    )
    expect(asked).toEqual([Array(2).fill(boxedChatModel), Array(2).fill(boxedChatModel)])
    // A variable that the shell keeps to itself is not in the environment of what it starts.
    const read = [...program.matchAll(/process\.env\.(\w+)/g)].map((match) => match[1])
    expect(read.length).toBeGreaterThan(0)
    for (const name of read) expect(shell).toContain(`export ${name}=`)
  })

  test('every target of a vendor that has prices costs something in the configs', async () => {
    const texts = await Promise.all(documents.map(textOf))
    const priced = new RegExp(`\\b(${[...vendorPrices.keys()].join('|')})/([\\w.-]+)`, 'g')
    const targets = texts
      .flatMap((text) => blocksOf(text, 'yaml'))
      .flatMap((block) => [...block.matchAll(priced)])
      .map(([, vendor = '', model = '']) => ({
        vendor,
        upstream: vendor,
        model: brandAs<UpstreamModel>(model),
      }))
    expect(targets.length).toBeGreaterThan(0)
    const prices = new Prices()
    expect(targets.filter((target) => prices.of(target) === undefined)).toEqual([])
  })

  test('every npm command that is named is there', async () => {
    const texts = await Promise.all(documents.map(textOf))
    const named = texts.flatMap((text) =>
      [...text.matchAll(/(?:npm run |npm (?=start|test))([a-z:]*[a-z])/g)].map(
        (match) => match[1] ?? '',
      ),
    )
    const scripts = Object.keys(packageJson.scripts)
    expect([...new Set(named)].filter((name) => !scripts.includes(name))).toEqual([])
  })

  test('every dependency is pinned and has its line where it belongs', async () => {
    const { dependencies, devDependencies } = packageJson
    const text = await textOf('docs/dependencies.md')
    const [, runs = '', tests = ''] = text.split(/^## .*$/m)
    const missing = (of: object, part: string) =>
      Object.keys(of).filter((name) => !part.includes(`\`${name}\``))
    expect(missing(dependencies, runs)).toEqual([])
    expect(missing(devDependencies, tests)).toEqual([])
    const all = { ...dependencies, ...devDependencies }
    expect(Object.values(all).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })

  test('every package is pinned to its content, and only those have install scripts that are said to', async () => {
    const { packages }: { packages: Readonly<Record<string, Locked>> } =
      await Bun.file('package-lock.json').json()
    const installed = Object.entries(packages).filter(([place]) => place !== '')
    expect(installed.length).toBeGreaterThan(100)
    expect(installed.filter(([, { integrity }]) => integrity === undefined)).toEqual([])
    const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true)
    const names = scripted.map(([place]) => place.replace(/^.*node_modules\//, ''))
    const said = /of all packages (.*?) alone have install scripts/.exec(
      await textOf('docs/threat-model.md'),
    )
    expect(said?.[1]).toBe(names.map((name) => `\`${name}\``).join(' and '))
  })

  test('the decisions are numbered without gaps', () => {
    const numbers = documents
      .filter((file) => file.startsWith('docs/decisions/'))
      .map((file) => Number(/(\d{4})-/.exec(file)?.[1]))
    expect(numbers.length).toBeGreaterThan(3)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })
})
