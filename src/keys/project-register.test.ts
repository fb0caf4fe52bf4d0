import { afterEach, beforeEach, describe, expect, test } from 'bun:test'

import { GatewayError } from '#chat/error.ts'
import { Storage } from '#storage/database.ts'

import { Keys } from './keys.ts'

const now = 1_800_000_000_000

let storage: Storage
let keys: Keys
beforeEach(async () => {
  storage = await Storage.open(':memory:')
  keys = new Keys(storage, { now: () => now })
})
afterEach(() => storage[Symbol.dispose]())

async function failureOf(work: Promise<unknown>): Promise<GatewayError> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (failure instanceof GatewayError) return failure
  throw new TypeError('It did not fail as expected.', { cause: failure })
}

describe('projects', () => {
  test('are there from the beginning: the default one, and the organisation above it', async () => {
    expect(await keys.projects.list()).toEqual([
      { id: 'default', name: 'default', createdAt: 0, keys: 0, policy: {} },
    ])
    expect(await keys.projects.organisation()).toEqual({ name: 'organisation', policy: {} })
  })

  test('are created, and found by id and by name, with how many keys they have', async () => {
    const policy = { models: ['gpt-*'] }
    const project = await keys.projects.create({ name: 'search', policy })
    const { id } = await keys.issue({ name: 'a', projectId: project.id })
    await keys.issue({ name: 'b', projectId: project.id })
    await keys.revoke(id)
    const expected = { id: project.id, name: 'search', createdAt: now, keys: 1, policy }
    expect(await keys.projects.find('search')).toEqual(expected)
    expect(await keys.projects.find(project.id)).toEqual(expected)
    expect(await keys.projects.find('nothing')).toBeUndefined()
    expect((await keys.list(project.id)).map(({ name }) => name).toSorted()).toEqual(['a', 'b'])
    expect(await keys.list('default')).toEqual([])
  })

  test('have a name that is theirs alone, and can be read', async () => {
    const project = await keys.projects.create({ name: 'search' })
    for (const name of ['search', project.id, 'default', '', 'a\u001b[31mb', 'x'.repeat(101)])
      expect([name, (await failureOf(keys.projects.create({ name }))).param]).toEqual([
        name,
        'name',
      ])
    const other = await keys.projects.create({ name: 'ads' })
    expect((await failureOf(keys.projects.update(other.id, { name: 'search' }))).param).toBe('name')
    expect((await keys.projects.update(other.id, { name: 'ads' })).record.name).toBe('ads')
    expect(await keys.projects.list()).toHaveLength(3)
  })

  test('are within the organisation when they are made and when they are changed', async () => {
    await keys.projects.updateOrganisation({ policy: { concurrency: 5 } })
    const policy = { concurrency: 6 }
    expect((await failureOf(keys.projects.create({ name: 'p', policy }))).param).toBe('concurrency')
    const { id } = await keys.projects.create({ name: 'p', policy: { concurrency: 5 } })
    expect((await failureOf(keys.projects.update(id, { policy }))).param).toBe('concurrency')
    expect((await keys.projects.find(id))?.policy).toEqual({ concurrency: 5 })
  })

  test('may be narrowed below their keys, and it is said which of them ask for more', async () => {
    const { id: projectId } = await keys.projects.create({ name: 'p' })
    const policy = { models: ['gpt-*'], maxTokens: 100 }
    const wide = await keys.issue({ name: 'wide', projectId, policy })
    await keys.issue({ name: 'narrow', projectId, policy: { maxTokens: 5 } })
    await keys.issue({ name: 'elsewhere', policy })
    const gone = await keys.issue({ name: 'gone', projectId, policy })
    await keys.revoke(gone.id)
    const { narrowed } = await keys.projects.update(projectId, {
      policy: { models: ['claude-*'], maxTokens: 50 },
    })
    expect(narrowed).toEqual([{ called: `key wide (${wide.id})`, fields: ['models', 'maxTokens'] }])
    const above = await keys.projects.updateOrganisation({ policy: { maxTokens: 20 } })
    expect(above.narrowed.map(({ called }) => called.replace(/ \(.*/, '')).toSorted()).toEqual([
      'key elsewhere',
      'key wide',
      'project p',
    ])
  })

  test('are archived for good, except the default one', async () => {
    const { id } = await keys.projects.create({ name: 'p' })
    await keys.projects.archive(id)
    expect(await keys.projects.find(id)).toMatchObject({ archivedAt: now })
    await keys.projects.archive(id)
    expect((await failureOf(keys.projects.update(id, { name: 'q' }))).message).toContain('archived')
    expect((await failureOf(keys.projects.create({ name: 'p' }))).message).toContain(
      'an archived one',
    )
    expect((await failureOf(keys.projects.archive('default'))).message).toContain('default project')
    expect((await failureOf(keys.projects.archive('nothing'))).message).toContain('no project')
  })

  test('are not there if what they need first cannot be had', async () => {
    const endow = async (): Promise<void> => {
      throw new GatewayError('request-invalid', 'Too little.')
    }
    expect((await failureOf(keys.projects.create({ name: 'p' }, endow))).message).toBe(
      'Too little.',
    )
    expect(await keys.projects.find('p')).toBeUndefined()
  })

  test('change nothing where a part of the change is wrong', async () => {
    const { id } = await keys.projects.create({ name: 'p', policy: { maxTokens: 5 } })
    await failureOf(keys.projects.update(id, { name: 'q', policy: { maxTokens: -5 } }))
    await failureOf(keys.projects.updateOrganisation({ name: 'o', policy: { models: [] } }))
    expect(await keys.projects.find(id)).toMatchObject({ name: 'p', policy: { maxTokens: 5 } })
    expect(await keys.projects.organisation()).toEqual({ name: 'organisation', policy: {} })
  })
})
