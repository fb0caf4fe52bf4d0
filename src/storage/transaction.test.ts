import { expect, test } from 'bun:test'

import { Storage } from './database.ts'
import { exclusively, together } from './transaction.ts'

const addProject = (storage: Pick<Storage, 'query'>, id: string) =>
  storage.query
    .insertInto('projects')
    .values({ ...project, id, name: id })
    .execute()
const project = { created_at: 0, archived_at: null, policy: '{}' }

const projectsOf = async (storage: Storage) =>
  (await storage.query.selectFrom('projects').select('id').orderBy('id').execute()).map(
    ({ id }) => id,
  )

test('transactions inside of another one are undone with it', async () => {
  using storage = await Storage.open(':memory:')
  const work = together(storage.database, async () => {
    await storage.query.transaction().execute((query) => addProject({ query }, 'by kysely'))
    await exclusively(storage.database, () => addProject(storage, 'by hand'))
    expect(await projectsOf(storage)).toEqual(['by hand', 'by kysely', 'default'])
    throw new Error('no')
  })
  await expect(work).rejects.toThrow('no')
  expect(await projectsOf(storage)).toEqual(['default'])
})

test('one of them that fails undoes its own part alone', async () => {
  using storage = await Storage.open(':memory:')
  await together(storage.database, async () => {
    await addProject(storage, 'kept')
    const byKysely = storage.query.transaction().execute((query) => fails({ query }, 'x'))
    await byKysely.catch(() => undefined)
    await exclusively(storage.database, () => fails(storage, 'y')).catch(() => undefined)
  })
  expect(await projectsOf(storage)).toEqual(['default', 'kept'])
  await storage.query.transaction().execute((query) => addProject({ query }, 'later'))
  expect(await projectsOf(storage)).toEqual(['default', 'kept', 'later'])
})

test('two at once take turns, and one that fails takes nothing of the other with it', async () => {
  using storage = await Storage.open(':memory:')
  const both = await Promise.allSettled([
    together(storage.database, () => fails(storage, 'x')),
    together(storage.database, () => addProject(storage, 'kept')),
    together(storage.database, () => fails(storage, 'y')),
  ])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected'])
  expect(await projectsOf(storage)).toEqual(['default', 'kept'])
})

async function fails(storage: Pick<Storage, 'query'>, id: string): Promise<never> {
  await addProject(storage, id)
  throw new Error('no')
}
