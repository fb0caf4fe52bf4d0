import { afterAll, beforeAll, expect, test } from 'bun:test'

import { ConsoleRig, password } from './console-rig.ts'
import { eventually } from './eventually.ts'

let rig: ConsoleRig
beforeAll(async () => {
  rig = await ConsoleRig.start({ config: JSON.stringify({ engine: { enabled: false } }) })
  await rig.administrator()
})
afterAll(() => rig[Symbol.asyncDispose]())

test('a password that is changed keeps this browser signed in, and no other', async () => {
  const other = await rig.client('ada')
  const fresh = 'another correct horse'
  await rig.visit({ as: await rig.client('ada') }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/settings')
    await page.getByRole('button', { name: 'Change your password' }).click()
    await page.getByLabel('The one you have').fill(password)
    await page.getByLabel('The new one', { exact: true }).fill(fresh)
    await page.getByLabel('The new one again').fill(fresh)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The password is changed.').waitFor()
    await visitor.follow('/keys')
    await visitor.sees('Keys')
  })
  expect((await other.send('GET', '/api/me')).status).toBe(401)
  const login = { name: 'ada', password: fresh }
  expect((await other.apart('POST', '/api/login', login)).status).toBe(200)
})

test('the look that is chosen stays, whatever the system has', async () => {
  const order = { name: 'ada', password: 'another correct horse' }
  await rig.visit({}, async (visitor) => {
    const { page } = visitor
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    await visitor.goTo('/settings')
    await page.getByLabel('Name').fill(order.name)
    await page.getByLabel('Password').fill(order.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await visitor.sees('Settings')
    const main = page.getByRole('main')
    const isDark = (): Promise<boolean> =>
      page.evaluate<boolean>(`document.querySelector('.radix-themes').classList.contains('dark')`)
    const turns = (dark: boolean) => eventually(async () => expect(await isDark()).toBe(dark))
    await turns(false)
    await main.getByRole('radio', { name: 'Dark' }).click()
    await page.reload()
    await visitor.sees('Settings')
    await turns(true)
    expect(await ground()).not.toBe('rgb(255, 255, 255)')
    await main.getByRole('radio', { name: 'System' }).click()
    await turns(false)
  })
})
