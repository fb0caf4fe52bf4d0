import { afterAll, beforeAll, expect, test } from 'bun:test'

import { parse } from 'yaml'

import type { AdminClient } from './admin-client.ts'
import { ConsoleRig } from './console-rig.ts'
import { talkingConfig } from './populate.ts'
import { talkingUpstream } from './talking-upstream.ts'

const upstream = talkingUpstream()
const another = talkingUpstream()
const broken = talkingUpstream({
  listing: () => Response.json({ error: { message: 'out of order' } }, { status: 500 }),
})
const config = JSON.parse(talkingConfig(upstream, { engine: { enabled: false } }))
config.upstreams.broken = { protocol: 'chat-completions', url: broken.url }

let rig: ConsoleRig
let admin: AdminClient
beforeAll(async () => {
  rig = await ConsoleRig.start({ config: JSON.stringify(config) })
  admin = await rig.administrator()
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  for (const one of [upstream, another, broken]) await one[Symbol.asyncDispose]()
})

test('models are listed with those who answer and what they cost, and found by name', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/models')
    const fast = page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: /fast/ }) })
    await fast.waitFor()
    expect(await fast.innerText()).toContain('vendor/model-a')
    await page.getByLabel('Search').fill('model-b')
    await page.getByRole('rowheader', { name: /endless/ }).waitFor({ state: 'detached' })
    expect(await page.getByRole('rowheader', { name: /model-b/ }).count()).toBeGreaterThan(0)
  })
})

test('an upstream is tested where it stands: it answers, or one is told what it said', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/models')
    await page.getByRole('button', { name: 'Test vendor' }).click()
    await page.getByText(/answers after .* lists 4 models/).waitFor()
    await page.getByRole('button', { name: 'Test broken' }).click()
    await page
      .getByText(/broken.*(?:500|failed|error)|500/i)
      .first()
      .waitFor()
    await visitor.picture('upstreams-tested')
  })
})

test('a new upstream is tried before it is written down, and what is to be written makes it answer', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/models')
    await page.getByRole('button', { name: 'Add an upstream' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add an upstream' })
    await dialog.getByLabel('Name').fill('another')
    await dialog.getByLabel('URL').fill('http://127.0.0.1:1/v1')
    await dialog.getByRole('button', { name: 'Try it' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('URL').fill(another.url)
    await dialog.getByLabel('Key for this test').fill('sk-canary-of-the-test')
    await dialog.getByRole('button', { name: 'Try it' }).click()
    await dialog.getByText(/lists 4 models/).waitFor()
    await visitor.picture('add-upstream')
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    const lines = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(lines).not.toContain('sk-canary')
    const { upstreams } = parse(lines)
    Object.assign(upstreams, config.upstreams)
    rig.person.write('parley.yaml', JSON.stringify({ ...config, upstreams }))
    await dialog.getByText('another is in force').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'another', level: 3 }).waitFor()
    await page.getByRole('button', { name: 'Test another' }).click()
    await page.getByText(/answers after .* lists 4 models/).waitFor()
  })
})
