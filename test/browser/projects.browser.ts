import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { AdminClient } from './admin-client.ts'
import { ConsoleRig } from './console-rig.ts'
import { eventually } from './eventually.ts'
import { askModel, talkingConfig } from './populate.ts'
import { talkingUpstream } from './talking-upstream.ts'

const upstream = talkingUpstream()
let rig: ConsoleRig
let admin: AdminClient
beforeAll(async () => {
  rig = await ConsoleRig.start({ config: talkingConfig(upstream, { engine: { enabled: false } }) })
  admin = await rig.administrator()
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

test('a project is made with a limit, which holds for its keys, and ends them when it is archived', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/projects')
    await page.getByRole('link', { name: 'New project' }).click()
    await visitor.sees('New project')
    await page.getByLabel('Name', { exact: true }).fill('shop')
    await page.getByRole('textbox', { name: 'Models' }).fill('vendor/model-b')
    await page.getByRole('button', { name: 'Create project' }).click()
    await visitor.sees('Project shop')
    const projectId = visitor.path.split('/').at(-1)
    const { key } = await admin.ask('POST', '/api/keys', { name: 'till', projectId })
    expect(await askModel(rig, { key, model: 'vendor/model-b' })).toBe(200)
    expect(await askModel(rig, { key, model: 'vendor/model-a' })).toBeGreaterThanOrEqual(400)
    await page.getByRole('button', { name: 'Set a budget' }).click()
    const budget = page.getByRole('dialog', { name: 'Set a budget' })
    await budget.getByLabel('Dollars').fill('5')
    await budget.getByRole('button', { name: 'Set budget' }).click()
    await page.getByRole('progressbar', { name: /of \$5\.00$/ }).waitFor()
    await page.getByRole('button', { name: 'Archive' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('shop')
    await dialog.getByRole('button', { name: 'Archive for good' }).click()
    await dialog.waitFor({ state: 'detached' })
    await eventually(async () =>
      expect(await askModel(rig, { key, model: 'vendor/model-b' })).toBe(401),
    )
  })
})

test('the links of a project lead to its own keys, usage and exchanges', async () => {
  const project = await admin.ask('POST', '/api/projects', { name: 'quiet' })
  const { key } = await admin.ask('POST', '/api/keys', { name: 'loud' })
  await askModel(rig, { key, model: 'fast' })
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo(`/exchanges?projectId=${project.id}`)
    await page.getByText('No exchange is like this.').waitFor()
    await visitor.goTo(`/usage?projectId=${project.id}`)
    await page.getByText('Nothing was used in this time.').waitFor()
    await visitor.goTo(`/keys?projectId=${project.id}`)
    await page.getByText('No key is like that.').waitFor()
  })
})
