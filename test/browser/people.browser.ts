import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { AdminClient } from './admin-client.ts'
import { ConsoleRig, password } from './console-rig.ts'
import type { Visitor } from './visitor.ts'

let rig: ConsoleRig
let admin: AdminClient
beforeAll(async () => {
  rig = await ConsoleRig.start({ config: JSON.stringify({ engine: { enabled: false } }) })
  admin = await rig.administrator()
})
afterAll(() => rig[Symbol.asyncDispose]())

const signIn = async ({ page }: Visitor, name: string, secret: string): Promise<void> => {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('an administrator makes a user, who signs in with the password that was handed over', async () => {
  let secret = ''
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/users')
    await page.getByRole('link', { name: 'New user' }).click()
    await visitor.sees('New user')
    await page.getByLabel('Name').fill('edsger')
    await page.getByLabel('Role').selectOption('operator')
    await page.getByRole('button', { name: 'Make one up' }).click()
    secret = await page.getByLabel('Their password').inputValue()
    await page.getByLabel('Your password').fill(password)
    await page.getByRole('button', { name: 'Create user' }).click()
    await visitor.sees('User edsger')
    expect(secret.length).toBeGreaterThanOrEqual(12)
  })
  await rig.visit({}, async (visitor) => {
    await visitor.goTo('/')
    await signIn(visitor, 'edsger', secret)
    await visitor.sees('Overview')
    await visitor.page.getByRole('button', { name: /edsger.*operator/ }).waitFor()
  })
})

test('whose role is changed is signed out, and has the new rights after that', async () => {
  const client = await rig.user(admin, { name: 'alan', role: 'operator' })
  const { userId } = await client.ask('GET', '/api/me')
  await rig.visit({ as: client }, async (visitor) => {
    visitor.expects(/^answer 401 to GET /)
    const { page } = visitor
    await visitor.goTo('/keys')
    await page.getByRole('link', { name: 'New key' }).waitFor()
    await rig.visit({ as: admin }, async (other) => {
      await other.goTo(`/users/${userId}/edit`)
      await other.page.getByLabel('Role').selectOption('viewer')
      await other.page.getByLabel('Your password').fill(password)
      await other.page.getByRole('button', { name: 'Save' }).click()
      await other.sees('User alan')
    })
    await page.reload()
    await visitor.sees('Sign in')
    await signIn(visitor, 'alan', password)
    await visitor.sees('Keys')
    await visitor.settled()
    expect(await page.getByRole('link', { name: 'New key' }).count()).toBe(0)
  })
})

test('somebody who is removed is out at once', async () => {
  const client = await rig.user(admin, { name: 'kurt', role: 'viewer' })
  const { userId } = await client.ask('GET', '/api/me')
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo(`/users/${userId}`)
    await page.getByRole('button', { name: 'Remove' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('kurt')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await visitor.sees('Users')
    await visitor.settled()
    expect(await page.getByRole('row').filter({ hasText: 'kurt' }).count()).toBe(0)
  })
  expect((await client.send('GET', '/api/me')).status).toBe(401)
})
