import { afterEach, beforeEach, expect, test } from 'bun:test'

import { Keys } from '#keys/keys.ts'
import { defaultProject } from '#keys/project-record.ts'
import { Storage } from '#storage/database.ts'

import { PlaygroundKeys } from './playground-keys.ts'
import type { Actor } from './role.ts'
import { ScopedKeys } from './scoped-keys.ts'

const minute = 60_000

const actor: Actor = {
  userId: 'u1',
  name: 'ada',
  role: 'operator',
  projects: 'all',
  sessionId: 's1',
}
const asking = { actor, projectId: defaultProject }

let storage: Storage
let keys: Keys
let scoped: ScopedKeys
let time: number
beforeEach(async () => {
  time = Date.UTC(2026, 0, 15)
  const now = () => time
  storage = await Storage.open(':memory:')
  keys = new Keys(storage, { now })
  scoped = new ScopedKeys({ storage, keys, now }, 'all')
})
afterEach(() => {
  keys[Symbol.dispose]()
  storage[Symbol.dispose]()
})

const keyOf = (from: PlaygroundKeys, who = asking) => from.of(who, () => from.issue(who, scoped))
const opens = (text: string) => keys.verify([text]).keyId

test('a user has one key in a project, however often and however many at once ask for it', async () => {
  const from = new PlaygroundKeys(keys)
  const all = await Promise.all([keyOf(from), keyOf(from), keyOf(from)])
  expect(new Set(all.map(({ text }) => text.reveal())).size).toBe(1)
  expect(opens(all[0].text.reveal())).toBe(all[0].id)
  expect(await keys.list()).toHaveLength(1)
})

test('another user has another one', async () => {
  const from = new PlaygroundKeys(keys)
  const other = { ...asking, actor: { ...actor, userId: 'u2', name: 'adam' } }
  const [one, two] = [await keyOf(from), await keyOf(from, other)]
  expect(one.id).not.toBe(two.id)
  expect((await keys.list()).map(({ owner }) => owner).toSorted(byText)).toEqual(['ada', 'adam'])
})

test('before its hour is over it is given another text, and the former one opens nothing more', async () => {
  const from = new PlaygroundKeys(keys)
  const first = await keyOf(from)
  time += 54 * minute
  expect((await keyOf(from)).text.reveal()).toBe(first.text.reveal())
  time += 2 * minute
  const second = await keyOf(from)
  expect(second.id).toBe(first.id)
  expect(opens(second.text.reveal())).toBe(first.id)
  time += 2000
  expect(() => opens(first.text.reveal())).toThrow()
  expect(await keys.list()).toHaveLength(1)
})

test('nobody can use it when its hour is over', async () => {
  const { text } = await keyOf(new PlaygroundKeys(keys))
  time += 61 * minute
  expect(() => opens(text.reveal())).toThrow('expired')
})

test('after a restart, and after its end, it is the same one with another text', async () => {
  const first = await keyOf(new PlaygroundKeys(keys))
  time += 300 * minute
  const second = await keyOf(new PlaygroundKeys(keys))
  expect(second.id).toBe(first.id)
  expect(opens(second.text.reveal())).toBe(first.id)
})

test('where somebody has revoked it there is a new one, when it is known that it opens nothing', async () => {
  const from = new PlaygroundKeys(keys)
  const first = await keyOf(from)
  await keys.revoke(first.id)
  from.forget(asking)
  expect((await keyOf(from)).id).not.toBe(first.id)
})

test('a failure is not kept', async () => {
  const from = new PlaygroundKeys(keys)
  const failing = from.of(asking, () => Promise.reject(new Error('not now')))
  await expect(failing).rejects.toThrow('not now')
  expect((await keyOf(from)).id).not.toBe('')
})

function byText(one: string | undefined, other: string | undefined): number {
  return String(one).localeCompare(String(other))
}
