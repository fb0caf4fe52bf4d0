import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pino from 'pino'

import { controlSocket, openControl } from '#commands/models/control.ts'
import { Engine } from '#engine/engine.ts'
import { ModelStore } from '#engine/files/model-store.ts'

import { exitCodes } from './exit-codes.ts'
import type { Outside } from './outside.ts'
import { runProgram } from './program.ts'

let root = ''
let homes = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'parley-models-'))
})
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
})

/** A file that begins like a model. */
const model = Buffer.alloc(4096)
model.write('GGUF', 0)
model.writeUInt32LE(3, 4)

/** A home of its own, and the command line as somebody sees it there. */
function terminal(settings: Partial<Outside> & { readonly answer?: string } = {}) {
  const home = join(root, `home-${homes++}`)
  mkdirSync(join(home, 'models'), { recursive: true })
  const file = join(home, 'own.gguf')
  writeFileSync(file, model)
  let printed: string[] = []
  let hinted: string[] = []
  const written: string[] = []
  const questions: string[] = []
  const outside: Outside = {
    environment: { PARLEY_HOME: home },
    isInteractive: false,
    columns: 100,
    now: Date.now,
    print: (text) => void printed.push(text),
    hint: (text) => void hinted.push(text),
    ask: async (question) => {
      questions.push(question)
      return settings.answer ?? ''
    },
    ...settings,
  }
  return {
    home,
    file,
    written,
    questions,
    outside,
    run: async (words: string) => {
      printed = []
      hinted = []
      const exitCode = await runProgram(words.split(' '), outside)
      return { exitCode, out: printed.join('\n'), error: hinted.join('\n') }
    },
  }
}

describe('parley pull', () => {
  test('brings a file into the home, where it is listed, and from where it can be removed', async () => {
    const { run, file, home } = terminal()
    const pulled = await run(`pull ${file} --json`)
    expect(pulled.exitCode).toBe(exitCodes.done)
    expect(JSON.parse(pulled.out)).toMatchObject({ model: 'own', bytes: model.length })
    const listed = JSON.parse((await run('models list --json')).out)
    expect(listed.map(({ id }: { id: string }) => id)).toContain('own')
    expect(listed.map(({ id }: { id: string }) => id)).toContain('parley-mini')
    const removed = await run('models remove own --json')
    expect(JSON.parse(removed.out)).toMatchObject({ name: 'own' })
    expect(readdirSync(join(home, 'models'))).toEqual([])
    expect((await run('models remove own')).exitCode).toBe(exitCodes.missing)
  })

  test('shows how far it is: a line that grows at a terminal, a line for a tenth elsewhere', async () => {
    const plain = terminal()
    expect((await plain.run(`pull ${plain.file}`)).error).toContain('100 %  4.0 KiB of 4.0 KiB')
    const written: string[] = []
    const person = terminal({ rewrite: (text) => void written.push(text) })
    await person.run(`pull ${person.file}`)
    expect(written.join('')).toContain('100 %')
    expect(written.at(-1)).toBe('\n')
  })

  test('says in one line that there is no network', async () => {
    const { outside, run } = terminal()
    Object.assign(outside.environment, { HF_ENDPOINT: 'http://127.0.0.1:9' })
    const { exitCode, error } = await run('pull owner/repo')
    expect(exitCode).toBe(exitCodes.unavailable)
    expect(error).toStartWith('parley: 127.0.0.1:9 cannot be reached from here')
    expect(error).not.toContain('\n')
  })

  test.each([
    ['pull nonsense', exitCodes.usage],
    ['pull ./nonesuch.gguf', exitCodes.missing],
    ['pull', exitCodes.usage],
  ])('%s is refused', async (words, exitCode) => {
    expect((await terminal().run(words)).exitCode).toBe(exitCode)
  })
})

describe('parley models remove', () => {
  test('asks a person first', async () => {
    const { run, file, home, questions } = terminal({ isInteractive: true, answer: 'n' })
    await run(`pull ${file}`)
    expect((await run('models remove own')).error).toContain('Nothing was changed')
    expect(questions).toHaveLength(1)
    expect(existsSync(join(home, 'models', 'own.gguf'))).toBe(true)
    expect((await run('models remove own --yes')).out).toBe('own is removed.')
  })

  test('does not remove what is part of Parley', async () => {
    const { exitCode, error } = await terminal().run('models remove parley-mini --yes')
    expect(exitCode).toBe(exitCodes.denied)
    expect(error).toContain('is part of Parley')
  })
})

/** An engine whose child is a script, as far as loading and unloading goes. */
function scriptedEngine(): Engine {
  return new Engine({
    store: new ModelStore({ named: { echo: { file: '/echo.gguf', load: {} } } }),
    command: [Bun.argv[0] ?? 'bun', join(import.meta.dir, '..', 'engine', 'scripted.child.ts')],
    environment: {},
    load: { sequences: 2 },
    queue: 4,
    idleMs: 60_000,
    report: () => {},
  })
}

describe('the control socket', () => {
  const log = pino({ level: 'silent' })

  test('lets commands load and unload models of the running server', async () => {
    const { run, home } = terminal()
    await using engine = scriptedEngine()
    using _control = await openControl({ home, engine: () => engine, log })
    expect(statSync(controlSocket(home)).mode & 0o777).toBe(0o600)
    expect((await run('models load echo')).out).toBe('echo is loaded: 2 × 100 tokens, 1 B.')
    expect(engine.facts('echo')).toBeDefined()
    expect(JSON.parse((await run('models load echo --json')).out)).toMatchObject({ name: 'echo' })
    expect((await run('models')).out).toMatch(/^parley-mini +engine +\d{4}-/m)
    expect((await run('models unload echo')).out).toBe('echo is unloaded.')
    expect(JSON.parse((await run('models unload echo --json')).out)).toEqual({
      name: 'echo',
      wasLoaded: false,
    })
    const unknown = await run('models load nonesuch')
    expect(unknown).toMatchObject({ exitCode: exitCodes.missing })
    expect(unknown.error).toBe('parley: The engine has no model `nonesuch`.')
  })

  test('keeps a model that is loaded from being removed', async () => {
    const { run, home, file } = terminal()
    await run(`pull ${file}`)
    await using engine = scriptedEngine()
    using _control = await openControl({ home, engine: () => engine, log })
    await run('models load echo')
    const refused = await run('models remove echo --yes')
    expect(refused).toMatchObject({ exitCode: exitCodes.tryAgain })
    expect(refused.error).toContain('parley models unload echo')
  })

  test('says plainly that no server runs', async () => {
    const { run, home } = terminal()
    const { exitCode, error } = await run('models load parley-mini')
    expect(exitCode).toBe(exitCodes.unavailable)
    expect(error).toBe(
      `parley: No server of ${home} runs: nobody answers at ${join(home, 'control.sock')}. Start one with parley serve, under the same PARLEY_HOME.`,
    )
  })

  test('of a dead server is replaced, that of a living one is left alone, and it goes with its server', async () => {
    const { home, run } = terminal()
    writeFileSync(controlSocket(home), 'not even a socket')
    chmodSync(controlSocket(home), 0o600)
    await using engine = scriptedEngine()
    const first = await openControl({ home, engine: () => engine, log })
    expect(first).toBeDefined()
    expect(await openControl({ home, engine: () => undefined, log })).toBeUndefined()
    expect((await run('models load echo')).exitCode).toBe(exitCodes.done)
    first?.[Symbol.dispose]()
    expect(existsSync(controlSocket(home))).toBe(false)
  })

  test('of a server without an engine says so', async () => {
    const { home, run } = terminal()
    using _control = await openControl({ home, engine: () => undefined, log })
    const { error } = await run('models load parley-mini')
    expect(error).toContain('switched off')
  })
})
