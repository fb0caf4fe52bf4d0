import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { goodReply } from './faults/answers.ts'
import { newPerson, type Person, type Serving } from './run-parley.ts'
import { json, type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.ts'
import { until } from './until.ts'

const answer = goodReply['chat-completions']

describe('parley backup', () => {
  let upstream: ScriptedUpstream
  let person: Person
  let gateway: Serving
  beforeAll(async () => {
    upstream = await startScriptedUpstream(() => json(200, answer))
    person = newPerson()
    const near = { protocol: 'chat-completions', url: upstream.url, serves: ['model-a'] }
    const config = {
      upstreams: { near },
      engine: { enabled: false },
      prices: { 'near/*': { input: 2, output: 4 } },
    }
    person.write('parley.yaml', JSON.stringify(config))
    gateway = await person.serve()
  })
  afterAll(async () => {
    await person[Symbol.asyncDispose]()
    await upstream[Symbol.asyncDispose]()
  })

  const ask = async (url: string, key = gateway.key): Promise<number> => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'near/model-a', messages: [{ role: 'user', content: 'Hi' }] }),
    })
    await response.text()
    return response.status
  }

  test('is whole whenever it is made, also among exchanges that begin and end', async () => {
    let isOver = false
    let asked = 0
    const clients = Array.from({ length: 4 }, async () => {
      while (!isOver && ++asked < 2000) expect(await ask(gateway.url)).toBe(200)
    })
    for (const name of ['one', 'two', 'three']) {
      const { exitCode, out } = await person.run(['backup', name, '--json'])
      expect(exitCode).toBe(0)
      expect(JSON.parse(out)).toMatchObject({ wrong: 0, hasContent: false })
      const home = { PARLEY_HOME: join(person.folder, name) }
      const verified = await person.run(['usage', 'verify', '--json'], home)
      expect([verified.exitCode, JSON.parse(verified.out).wrong]).toEqual([0, []])
    }
    isOver = true
    await Promise.all(clients)
  })

  test('has every exchange that has ended, and can be served from: keys, books and all', async () => {
    await ask(gateway.url)
    const [before] = JSON.parse((await person.run(['usage', '--by', 'model', '--json'])).out)
    const { out } = await person.run(['backup', 'last', '--json'])
    const made = JSON.parse(out)
    expect(made).toMatchObject({ exchanges: before.exchanges, underWay: 0 })
    const folder = join(person.folder, 'last')
    expect([made.folder, made.bytes]).toEqual([folder, statSync(join(folder, 'parley.db')).size])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(readdirSync(folder)).toEqual(['parley.db'])
    expect(statSync(join(folder, 'parley.db')).mode & 0o777).toBe(0o600)
    const second = await person.serve([], { PARLEY_HOME: folder })
    expect(await ask(second.url)).toBe(200)
    second.kill('SIGTERM')
    expect(await second.exited).toBe(0)
    const [after] = JSON.parse(
      (await person.run(['usage', '--by', 'model', '--json'], { PARLEY_HOME: folder })).out,
    )
    expect([after.exchanges, after.cost]).toEqual([
      before.exchanges + 1,
      before.cost + before.cost / before.exchanges,
    ])
  })

  test('has what was said only where that is asked for', async () => {
    const words = ['keys', 'create', '--name', 'kept', '--content-logging', 'on', '--json']
    const { key } = JSON.parse((await person.run(words)).out)
    await ask(gateway.url, key)
    await until(() => existsSync(join(person.home, 'content.db')))
    for (const [name, flags] of [
      ['without', []],
      ['with', ['--content']],
    ] as const) {
      const { out } = await person.run(['backup', name, ...flags, '--json'])
      expect(JSON.parse(out).hasContent).toBe(name === 'with')
      expect(existsSync(join(person.folder, name, 'content.db'))).toBe(name === 'with')
    }
  })

  test('is not written over anything, nor made of nothing', async () => {
    const folder = join(person.folder, 'full')
    await person.run(['backup', folder])
    const again = await person.run(['backup', folder])
    expect([again.exitCode, again.out]).toEqual([73, ''])
    expect(again.error).toContain('is not empty')
    const file = join(person.folder, 'a-file')
    writeFileSync(file, 'mine')
    expect((await person.run(['backup', file])).exitCode).toBe(73)
    const nowhere = await person.run(['backup', 'other'], {
      PARLEY_HOME: join(person.folder, 'nowhere'),
    })
    expect([nowhere.exitCode, nowhere.error]).toEqual([66, expect.stringContaining('no database')])
  })
})
