import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { newPerson, type Person, type Running } from './run-parley.ts'
import { json, neverAnswer, startScriptedUpstream } from './scripted-upstream.ts'

describe('the first start in an empty home', () => {
  let person: Person
  let running: Running
  let printed = ''
  beforeAll(async () => {
    person = newPerson()
    running = person.start(['--port', '0'])
    printed = await running.out.until('ANTHROPIC_BASE_URL')
  })
  afterAll(() => person[Symbol.asyncDispose]())

  const urlIn = (text: string): string => /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? ''

  test('prints the address, a key that works, and what to paste for both protocols', async () => {
    const url = urlIn(printed)
    const key = /key {5}(\S+)/.exec(printed)?.[1] ?? ''
    expect(printed).toContain(`OPENAI_BASE_URL=${url}/v1 OPENAI_API_KEY=${key}`)
    expect(printed).toContain(`ANTHROPIC_BASE_URL=${url} ANTHROPIC_API_KEY=${key}`)
    const headers = { authorization: `Bearer ${key}` }
    expect((await fetch(`${url}/v1/models`, { headers })).status).toBe(200)
    expect((await fetch(`${url}/v1/models`)).status).toBe(401)
  })

  test('keeps that key in a file that only its owner can read', () => {
    const file = join(person.home, 'first-key')
    expect(printed).toContain(readFileSync(file, 'utf8').trim())
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('prints no colours where there is no terminal, and nothing to standard error', () => {
    expect(printed).not.toContain('\u001B')
    expect(running.error.text).toBe('')
  })
})

test('a second start shows the same key, and one that was revoked is not shown any more', async () => {
  await using person = newPerson()
  const first = await person.serve()
  first.kill('SIGTERM')
  expect(await first.exited).toBe(0)
  const second = await person.serve()
  expect(second.key).toBe(first.key)
  const [key] = JSON.parse((await person.run(['keys', 'list', '--json'])).out)
  await person.run(['keys', 'revoke', key.id])
  second.kill('SIGTERM')
  await second.exited
  expect((await person.serve()).key).toBeNull()
})

test('an upstream that never lists its models holds nobody up: the address comes at once, and what takes so long is said', async () => {
  await using dead = await startScriptedUpstream([neverAnswer])
  await using alive = await startScriptedUpstream([json(200, { data: [{ id: 'model-a' }] })])
  await using person = newPerson()
  person.write(
    'parley.yaml',
    `upstreams:
  dead: { protocol: chat-completions, url: "${dead.url}" }
  alive: { protocol: chat-completions, url: "${alive.url}" }`,
  )
  const running = person.start(['--port', '0'])
  const greeting = await running.out.until('config')
  expect(greeting).not.toContain('models')
  await running.error.until('Still asking the upstreams for their models')
  expect(await running.out.until('ANTHROPIC_BASE_URL')).toContain('models  model-a')
})

test('a key that cannot be kept is shown, with a word that it is nowhere else', async () => {
  await using person = newPerson()
  await person.run(['keys', 'list'])
  person.write('state/first-key', '')
  await Bun.$`rm ${join(person.home, 'first-key')} && mkdir ${join(person.home, 'first-key')}`
  const running = person.start(['--port', '0'])
  expect(await running.out.until('ANTHROPIC_BASE_URL')).toContain('shown only now')
})
