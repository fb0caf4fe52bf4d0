import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { AdminClient } from './admin-client.ts'
import { ConsoleRig } from './console-rig.ts'
import { modelHub } from './model-hub.ts'

const hub = modelHub()
let rig: ConsoleRig
let admin: AdminClient
beforeAll(async () => {
  rig = await ConsoleRig.start({ environment: { HF_ENDPOINT: hub.endpoint } })
  admin = await rig.administrator()
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  await hub[Symbol.asyncDispose]()
})

test('a model is loaded into memory, works, and is let go of', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/engine')
    const loaded = page.getByRole('table', { name: 'Models in memory' })
    const embed = loaded.getByRole('rowheader', { name: /^parley-mini-embed/ })
    await page.getByRole('button', { name: 'Load parley-mini-embed' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Load' }).click()
    await embed.waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await visitor.picture('engine-loaded')
    const { models } = await admin.ask('GET', '/api/engine')
    expect(models.map(({ name }: { name: string }) => name)).toContain('parley-mini-embed')
    await page.getByRole('button', { name: 'Unload parley-mini-embed' }).click()
    await embed.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Load parley-mini-embed' }).waitFor()
  })
})

test('a model is pulled with its progress in sight, can be loaded, and is removed by its name', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/engine')
    await page.getByLabel('Model', { exact: true }).fill(hub.source)
    await page.getByRole('button', { name: 'Pull', exact: true }).click()
    await page.getByRole('progressbar', { name: /tiny\.gguf/ }).waitFor()
    await page.getByText(/\((?:[1-9]|[1-4]\d|50) %\)/).waitFor()
    await visitor.picture('pulling')
    hub.release()
    await page.getByText(/tiny is here/).waitFor()
    const files = page.getByRole('table', { name: 'Models on disk' })
    await files.getByRole('rowheader', { name: /^tiny/ }).waitFor()
    await page.getByRole('button', { name: 'Load tiny' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Load' }).click()
    await page.getByRole('button', { name: 'Unload tiny' }).click()
    await page.getByRole('button', { name: 'Load tiny' }).waitFor()
    await page.getByRole('button', { name: 'Remove tiny' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('tiny')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await files.getByRole('rowheader', { name: /^tiny/ }).waitFor({ state: 'detached' })
  })
})

test('what cannot be pulled is refused in words', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    visitor.expects(/^answer 400 to POST \/api\/engine\/pulls$/)
    const { page } = visitor
    await visitor.goTo('/engine')
    await page.getByLabel('Model', { exact: true }).fill('/etc/passwd')
    await page.getByRole('button', { name: 'Pull', exact: true }).click()
    await page.getByText(/A path is taken by "parley pull" alone/).waitFor()
  })
})
