import { afterAll, beforeAll, expect, test } from 'bun:test'

import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'

import type { AdminClient } from './admin-client.ts'
import { ConsoleRig } from './console-rig.ts'
import { eventually } from './eventually.ts'
import { askModel, talkingConfig } from './populate.ts'
import { talkingUpstream } from './talking-upstream.ts'
import type { Visitor } from './visitor.ts'

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

/** The text of a key that the page shows at this moment. */
const shownSecret = ({ page }: Visitor): Promise<string> =>
  page.getByRole('status').getByRole('code').innerText()

test('a key that is made works with both official clients at once, and its text is shown only once', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/keys')
    await page.getByRole('link', { name: 'New key' }).click()
    await visitor.sees('New key')
    await page.getByLabel('Name').fill('tests of the shop')
    await page.getByLabel('Owner').fill('ada')
    await visitor.picture('new-key')
    await page.getByRole('button', { name: 'Create key' }).click()
    await visitor.sees('The key is made')
    const apiKey = await shownSecret(visitor)
    await visitor.picture('key-made')
    const openai = new OpenAI({ apiKey, baseURL: `${rig.serving.url}/v1`, maxRetries: 0 })
    const chat = await openai.chat.completions.create({
      model: 'fast',
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(chat.choices[0]?.message.content).toBe('Hello from model-a.')
    const anthropic = new Anthropic({ apiKey, baseURL: rig.serving.url, maxRetries: 0 })
    const message = await anthropic.messages.create({
      model: 'vendor/model-b',
      max_tokens: 600,
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(message.content).toMatchObject([{ type: 'text', text: 'Hello from model-b.' }])
    await page.getByRole('link', { name: 'I have kept it: show the key' }).click()
    await visitor.sees('Key tests of the shop')
    await visitor.settled()
    expect(await page.getByRole('document').innerText()).not.toContain(apiKey)
    await page.goBack()
    await visitor.sees('New key')
    expect(await page.getByRole('document').innerText()).not.toContain(apiKey)
  })
})

test('what is wrong with a new key is said at its fields, and nothing is made', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/keys/new')
    await visitor.sees('New key')
    const create = page.getByRole('button', { name: 'Create key' })
    await create.click()
    expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Name').fill('no such key')
    await page.getByRole('button', { name: 'Add a budget' }).click()
    await page.getByLabel('Dollars').fill('a lot')
    await create.click()
    expect(await page.getByLabel('Dollars').getAttribute('aria-invalid')).toBe('true')
    const { keys } = await admin.ask('GET', '/api/keys?search=no%20such%20key')
    expect(keys).toEqual([])
  })
})

test('a budget that is set for a key burns down as the key is used, and stops it in the end', async () => {
  const { id, key } = await admin.ask('POST', '/api/keys', { name: 'burning' })
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo(`/keys/${id}`)
    await visitor.sees('Key burning')
    await page.getByRole('button', { name: 'Set a budget' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set a budget' })
    await dialog.getByLabel('Dollars').fill('0.03')
    await dialog.getByRole('button', { name: 'Set budget' }).click()
    await page.getByRole('progressbar', { name: '$0.00 of $0.03' }).waitFor()
    expect(await askModel(rig, { key, model: 'fast' })).toBe(200)
    expect(await askModel(rig, { key, model: 'fast' })).toBe(200)
    await page.reload()
    await page.getByRole('progressbar', { name: '$0.02 of $0.03' }).waitFor()
    await page.getByRole('figure', { name: /^What is left/ }).waitFor()
    await visitor.picture('budget')
    await page.getByRole('button', { name: 'Show as table' }).click()
    await page.getByRole('cell', { name: '$0.01', exact: true }).first().waitFor()
    // The third may cost what is left, and then there is nothing.
    expect(await askModel(rig, { key, model: 'fast' })).toBe(200)
    expect(await askModel(rig, { key, model: 'fast' })).toBe(429)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('This key has no budget of its own.').waitFor()
    await eventually(async () => expect(await askModel(rig, { key, model: 'fast' })).toBe(200))
  })
})

test('a key that is rotated has a new text, and its old one for as long as was chosen', async () => {
  const { id, key } = await admin.ask('POST', '/api/keys', { name: 'turning' })
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo(`/keys/${id}`)
    const rotate = async (overlap: string): Promise<string> => {
      await page.getByRole('button', { name: 'Rotate' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('The old text is valid').selectOption(overlap)
      await dialog.getByRole('button', { name: 'Rotate' }).click()
      await dialog.waitFor({ state: 'detached' })
      return shownSecret(visitor)
    }
    const second = await rotate('for an hour more')
    expect(await askModel(rig, { key, model: 'fast' })).toBe(200)
    expect(await askModel(rig, { key: second, model: 'fast' })).toBe(200)
    const third = await rotate('not any more')
    expect(third).not.toBe(second)
    expect(await askModel(rig, { key: third, model: 'fast' })).toBe(200)
    await eventually(async () =>
      expect(await askModel(rig, { key: second, model: 'fast' })).toBe(401),
    )
  })
})

test('a key is revoked only by whoever types its name, and is then refused', async () => {
  const { id, key } = await admin.ask('POST', '/api/keys', { name: 'leaked' })
  expect(await askModel(rig, { key, model: 'fast' })).toBe(200)
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/keys?search=leaked')
    await page.getByRole('link', { name: 'leaked' }).click()
    await visitor.sees('Key leaked')
    await page.getByRole('button', { name: 'Revoke' }).click()
    const dialog = page.getByRole('dialog')
    const revoke = dialog.getByRole('button', { name: 'Revoke for good' })
    expect(await revoke.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('leaked')
    await revoke.click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('revoked', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /Rotate|Revoke|Set a budget/ }).count()).toBe(0)
    await eventually(async () => expect(await askModel(rig, { key, model: 'fast' })).toBe(401))
  })
  expect((await admin.ask('GET', `/api/keys/${id}`)).key.status).toBe('revoked')
})

test('limits of a key are changed, shown beside those above them, and hold', async () => {
  const { id, key } = await admin.ask('POST', '/api/keys', { name: 'narrow' })
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo(`/keys/${id}`)
    await page.getByRole('link', { name: 'Change', exact: true }).click()
    await visitor.sees('Change the key narrow')
    await page.getByRole('textbox', { name: 'Models' }).fill('vendor/model-b')
    await page.getByRole('button', { name: 'Save' }).click()
    await visitor.sees('Key narrow')
    await page.getByRole('cell', { name: 'vendor/model-b' }).waitFor()
    await eventually(async () => {
      expect(await askModel(rig, { key, model: 'vendor/model-b' })).toBe(200)
      expect(await askModel(rig, { key, model: 'vendor/model-a' })).toBeGreaterThanOrEqual(400)
    })
  })
})
