import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { AdminClient } from './admin-client.ts'
import { ConsoleRig } from './console-rig.ts'
import { eventually } from './eventually.ts'
import { askModel, talkingConfig } from './populate.ts'
import { talkingUpstream } from './talking-upstream.ts'

const upstream = talkingUpstream()
let rig: ConsoleRig
let admin: AdminClient
let key: string
beforeAll(async () => {
  rig = await ConsoleRig.start({ config: talkingConfig(upstream, { engine: { enabled: false } }) })
  admin = await rig.administrator()
  key = (await admin.ask('POST', '/api/keys', { name: 'till' })).key
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

test('an exchange appears while one looks, and opens with its times, its bill and the reason of its target', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/exchanges')
    await page.getByText('No exchange has ended yet.').waitFor()
    await page.getByRole('radio', { name: 'Live' }).click()
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
    expect(await askModel(rig, { key, model: 'fast' })).toBe(200)
    const row = page.getByRole('row').filter({ hasText: 'vendor/model-a' })
    await row.waitFor()
    expect(await row.innerText()).toContain('$0.01')
    await row.getByRole('link').first().click()
    const dialog = page.getByRole('dialog', { name: 'Exchange' })
    await dialog.getByRole('heading', { name: 'Time' }).waitFor()
    await visitor.picture('exchange')
    for (const part of ['Why this target', 'Tokens and cost'])
      expect(await dialog.getByRole('heading', { name: part }).isVisible()).toBe(true)
    expect(await dialog.getByRole('listitem').count()).toBeGreaterThan(1)
    const bill = await dialog.getByRole('table', { name: 'Tokens and cost' }).innerText()
    expect(bill).toContain('400')
    expect(bill).toContain('$20.00')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })
})

test('a tail that is paused stands still, and takes up what came meanwhile', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/exchanges?view=live')
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await askModel(rig, { key, model: 'vendor/model-b' })
    await page.getByText(/1 have ended since/).waitFor()
    const fresh = page.getByRole('row').filter({ hasText: 'vendor/model-b' })
    expect(await fresh.count()).toBe(0)
    await page.getByRole('button', { name: 'Go on' }).click()
    await fresh.waitFor()
  })
})

test('exchanges are found by result and by model, and a link to what is found leads there', async () => {
  await askModel(rig, { key, model: 'vendor/failing' })
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/exchanges')
    await page.getByRole('row').filter({ hasText: 'vendor/failing' }).waitFor()
    await page.getByLabel('Result').selectOption('failed')
    await eventually(async () => expect(await page.getByRole('row').count()).toBe(2))
    await page.reload()
    const row = page.getByRole('row').filter({ hasText: 'vendor/failing' })
    await row.waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    await row.getByRole('link').first().click()
    await page.getByRole('dialog').getByRole('heading', { name: 'Time' }).waitFor()
    const opened = visitor.path
    await visitor.goTo('/')
    await visitor.goTo(opened)
    await page.getByRole('dialog').getByRole('heading', { name: 'Time' }).waitFor()
    expect(await page.getByRole('dialog').innerText()).toContain('vendor/failing')
  })
})

test('an exchange of a project that one does not see is not there', async () => {
  const project = await admin.ask('POST', '/api/projects', { name: 'elsewhere' })
  const other = await admin.ask('POST', '/api/keys', { name: 'other', projectId: project.id })
  await askModel(rig, { key: other.key, model: 'fast' })
  const { exchanges } = await admin.ask('GET', '/api/exchanges?limit=1')
  const shop = await admin.ask('POST', '/api/projects', { name: 'shop' })
  const order = { name: 'bound', role: 'viewer', projects: [shop.id] } as const
  const bound = await rig.user(admin, order)
  await rig.visit({ as: bound }, async (visitor) => {
    visitor.expects(/^answer 404 to GET \/api\/exchanges\//)
    await visitor.goTo('/exchanges')
    await visitor.page.getByText('No exchange has ended yet.').waitFor()
    await visitor.goTo(`/exchanges?open=${exchanges[0].id}`)
    await visitor.page.getByRole('dialog').getByRole('alert').waitFor()
    expect(await visitor.page.getByRole('dialog').innerText()).not.toContain('vendor/model')
  })
})
