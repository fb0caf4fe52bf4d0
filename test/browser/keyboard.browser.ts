import { afterAll, beforeAll, expect, test } from 'bun:test'

import { ConsoleRig, password } from './console-rig.ts'
import { tabTo } from './keyboard.ts'

let rig: ConsoleRig
beforeAll(async () => {
  rig = await ConsoleRig.start({ config: JSON.stringify({ engine: { enabled: false } }) })
  await rig.administrator()
})
afterAll(() => rig[Symbol.asyncDispose]())

test('without a mouse one signs in, goes to the keys, makes one, and copies it', async () => {
  await rig.visit({}, async (visitor) => {
    const { page } = visitor
    const { keyboard } = page
    await visitor.goTo('/')
    await visitor.sees('Sign in')
    await tabTo(page, 'Name')
    await keyboard.type('ada')
    await tabTo(page, 'Password')
    await keyboard.type(password)
    await keyboard.press('Enter')
    await visitor.sees('Overview')
    await tabTo(page, 'Keys')
    await keyboard.press('Enter')
    await visitor.sees('Keys')
    await visitor.settled()
    await tabTo(page, 'New key')
    await keyboard.press('Enter')
    await visitor.sees('New key')
    await visitor.settled()
    await tabTo(page, 'Name')
    await keyboard.type('made by hand')
    await tabTo(page, 'Create key')
    await keyboard.press('Enter')
    await visitor.sees('The key is made')
    await tabTo(page, 'Copy')
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(await page.getByRole('status').innerText()).toContain(copied)
    const headers = { authorization: `Bearer ${copied}` }
    expect((await fetch(`${rig.serving.url}/v1/models`, { headers })).status).toBe(200)
  })
})

test('the first stop on a page leads past the navigation', async () => {
  await rig.visit({ as: await rig.client('ada') }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/projects')
    await visitor.sees('Projects')
    await tabTo(page, 'Skip to the content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate<boolean>('document.activeElement.closest("main") !== null')).toBe(
      true,
    )
  })
})
