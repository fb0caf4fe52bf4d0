import { expect, test } from 'bun:test'

import { Glob } from 'bun'

/** Which folder may import which. Read top to bottom: each line may use only the lines above it. */
const mayImport: Record<string, readonly string[]> = {
  std: [],
  addresses: ['std'],
  chat: ['std'],
  redaction: ['std'],
  config: ['std', 'addresses', 'chat', 'redaction'],
  storage: ['std', 'chat'],
  engine: ['std', 'chat'],
  protocols: ['std', 'chat'],
  telemetry: ['std', 'chat'],
  content: ['std', 'chat', 'storage', 'protocols', 'redaction'],
  prices: ['std', 'chat'],
  budgets: ['std', 'chat', 'storage', 'prices'],
  ledger: ['std', 'chat', 'storage', 'prices', 'budgets'],
  usage: ['std', 'chat', 'storage', 'prices', 'budgets', 'ledger'],
  keys: ['std', 'addresses', 'chat', 'storage'],
  limits: ['std', 'chat', 'keys'],
  upstreams: ['std', 'addresses', 'chat', 'protocols', 'engine'],
  routing: ['std', 'chat', 'upstreams'],
  'exchange.ts': ['std', 'chat', 'protocols', 'content', 'keys', 'limits', 'routing', 'usage'],
  http: ['std', 'addresses', 'chat', 'protocols', 'exchange.ts'],
  console: [
    'std',
    'addresses',
    'chat',
    'storage',
    'content',
    'keys',
    'prices',
    'budgets',
    'ledger',
    'usage',
    'routing',
    'engine',
  ],
  commands: [
    'std',
    'addresses',
    'chat',
    'config',
    'storage',
    'engine',
    'content',
    'prices',
    'budgets',
    'ledger',
    'usage',
    'keys',
    'limits',
    'upstreams',
    'routing',
    'console',
    'gateway.ts',
  ],
  'gateway.ts': [
    'std',
    'addresses',
    'chat',
    'config',
    'storage',
    'engine',
    'protocols',
    'content',
    'prices',
    'budgets',
    'ledger',
    'usage',
    'keys',
    'limits',
    'upstreams',
    'routing',
    'exchange.ts',
    'http',
    'telemetry',
    'console',
  ],
  'main.ts': ['std', 'chat', 'config', 'commands', 'gateway.ts'],
}

const files = [...new Glob('**/*.{ts,tsx}').scanSync('src')].toSorted()
const sources = await Promise.all(
  files.map(async (file) => ({ file, text: await Bun.file(`src/${file}`).text() })),
)

const folderOf = (path: string) => path.split('/')[0] ?? path
const isTest = (file: string) => file.endsWith('.test.ts')

test.each(sources)('$file imports only what its folder may', ({ file, text }) => {
  const folder = folderOf(file)
  const allowed = mayImport[folder]
  expect(allowed, `${folder} is not in the table of folders`).toBeDefined()
  const imported = [...text.matchAll(/(?:from|import\() ?'#([^']+)'/g)].map(
    (match) => match[1] ?? '',
  )
  const outside = imported.map(folderOf).filter((other) => other !== folder && other !== 'test')
  expect(outside.filter((other) => !allowed?.includes(other))).toEqual([])
  if (!isTest(file)) expect(imported.filter((path) => folderOf(path) === 'test')).toEqual([])
  expect(text).not.toMatch(/from '\.\.\//)
})

/**
 * Within a folder that has parts: which part may import which. What lies in the folder itself may be imported by all. On
 * the gateway's side of the engine nothing reaches into its child's.
 */
const within: Record<string, Record<string, readonly string[]>> = {
  engine: {
    files: [],
    templates: [],
    grammars: ['templates'],
    llama: ['templates', 'grammars'],
    '': ['files'],
  },
  upstreams: {
    network: [],
    vendors: ['network'],
    answers: ['network'],
    '': ['network', 'vendors', 'answers'],
  },
}

test.each(sources.filter(({ file }) => folderOf(file) in within))(
  '$file imports only what its part of the folder may',
  ({ file, text }) => {
    const folder = folderOf(file)
    const partOf = (path: string) => (path.split('/').length > 2 ? path.split('/')[1] : '') ?? ''
    const part = partOf(file)
    const imported = [...text.matchAll(/from '#([^']+)'/g)].map(([, path = '']) => path)
    const own = imported.filter((path) => folderOf(path) === folder).map(partOf)
    const outside = own.filter((other) => other !== part && other !== '')
    expect(outside.filter((other) => !within[folder]?.[part]?.includes(other))).toEqual([])
  },
)

test('what browsers are given reaches nothing that only runs in the gateway', () => {
  const texts = new Map(sources.map(({ file, text }) => [file, text]))
  const isGiven = (file: string) =>
    file.startsWith('console/web/') && !isTest(file) && file !== 'console/web/build.ts'
  const reached = new Set(files.filter(isGiven))
  // A set that grows while it is walked through is walked through to its end.
  for (const file of reached)
    for (const path of valuesFrom(texts.get(file) ?? ''))
      if (path.startsWith('#')) reached.add(path.slice(1))
      else if (path.startsWith('./')) reached.add(`${file.replace(/[^/]+$/, '')}${path.slice(2)}`)
  const outside = [...reached].filter((file) => !file.startsWith('console/web/'))
  const bound = outside.filter((file) => {
    const packages = valuesFrom(texts.get(file) ?? '').filter((path) => !/^[#.]/.test(path))
    return (
      packages.some((name) => name !== 'zod') || /\bBun\.|\bBuffer\b/.test(texts.get(file) ?? '')
    )
  })
  expect(bound).toEqual([])
  expect(outside).toContain('console/access/role.ts')
})

/** What a file imports to run: types are gone by then. */
function valuesFrom(text: string): string[] {
  const statements = text.matchAll(/^(?:import(?! type\b)|export (?=[{*]))[^']*?'([^']+)'/gm)
  return [...statements].map(([, path = '']) => path)
}

/** How deep a file may lie. A protocol has a folder for each of its four codecs, and a page of the console its parts. */
const depthOf = (file: string) => {
  if (file.startsWith('console/web/')) return 5
  const deeper = { protocols: 4, console: 3, engine: 3, commands: 3, telemetry: 3, upstreams: 3 }
  return Object.entries(deeper).find(([folder]) => folder === folderOf(file))?.[1] ?? 2
}

test('no file lies deeper than its folder may go', () => {
  const deep = files.filter((file) => file.split('/').length > depthOf(file))
  expect(deep).toEqual([])
})

test('no file is a drawer for anything', () => {
  const drawers =
    /(?:^|\/)(?:utils?|helpers?|common|shared|lib|core|types|constants|services?|handlers?|managers?|index)(?:\.tsx?|\/)/
  expect(files.filter((file) => drawers.test(file))).toEqual([])
})

test('the standard drawer stays small', () => {
  expect(
    files.filter((file) => file.startsWith('std/') && !isTest(file)).length,
  ).toBeLessThanOrEqual(12)
})

/** What every protocol consists of. Its own extras (embeddings, token counts, pairing rules) come on top. */
const filesOfProtocol = [
  'decode-request/check-request',
  'decode-request/decode-request',
  'encode-request/encode-request',
  'encode-request/pass-request',
  'decode-answer/decode-error',
  'decode-answer/decode-reply',
  'decode-answer/decode-stream',
  'decode-answer/pass-reply',
  'decode-answer/pass-stream',
  'encode-answer/encode-error',
  'encode-answer/encode-reply',
  'encode-answer/encode-stream',
  'models',
  'protocol',
  'stop-reason',
  'usage',
  'wire',
]

test.each(['chat-completions', 'messages'])(
  'the protocol %s has the files of its siblings',
  (name) => {
    const present = filesOfProtocol.filter((file) => files.includes(`protocols/${name}/${file}.ts`))
    expect(present).toEqual(filesOfProtocol)
  },
)
