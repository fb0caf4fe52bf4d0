import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'

import { Glob } from 'bun'

import { parseConfig } from '#config/load.ts'
import { vendorNames } from '#upstreams/vendors/vendors.ts'

import packageJson from '../package.json' with { type: 'json' }

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

  test('every dependency is pinned and has its line', async () => {
    const all = { ...packageJson.dependencies, ...packageJson.devDependencies }
    const text = await textOf('docs/dependencies.md')
    expect(Object.keys(all).filter((name) => !text.includes(`\`${name}\``))).toEqual([])
    expect(Object.values(all).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })

  test('the decisions are numbered without gaps', () => {
    const numbers = documents
      .filter((file) => file.startsWith('docs/decisions/'))
      .map((file) => Number(/(\d{4})-/.exec(file)?.[1]))
    expect(numbers.length).toBeGreaterThan(3)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })
})
