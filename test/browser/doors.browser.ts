import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { ConsoleRig, password } from './console-rig.ts'
import { eventually } from './eventually.ts'
import type { Visitor } from './visitor.ts'

let rig: ConsoleRig
beforeAll(async () => {
  rig = await ConsoleRig.start({ config: JSON.stringify({ engine: { enabled: false } }) })
})
afterAll(() => rig[Symbol.asyncDispose]())

const signIn = async ({ page }: Visitor, name: string, secret = password): Promise<void> => {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('the doors of the console', () => {
  test('the URL that the start prints makes the first administrator, and leaves no token behind', async () => {
    await rig.visit({}, async (visitor) => {
      const { page } = visitor
      await page.goto(rig.serving.setupUrl ?? '')
      await visitor.sees('The first administrator')
      await visitor.picture('setup')
      await page.getByLabel('Name').fill('grace')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Make the administrator' }).click()
      await visitor.sees('Overview')
      expect(page.url()).toBe(`${rig.url}/`)
      await page.goBack()
      expect(page.url()).not.toContain('#')
    })
  })

  test('it works once: then setup is closed, and points to the sign-in', async () => {
    await rig.visit({}, async (visitor) => {
      await visitor.page.goto(rig.serving.setupUrl ?? '')
      await visitor.sees('Setup is closed')
      await visitor.page.getByRole('link', { name: 'Sign in' }).click()
      await visitor.sees('Sign in')
    })
  })

  test('a wrong password is refused in words, the right one leads to the page that was asked for', async () => {
    await rig.visit({}, async (visitor) => {
      visitor.expects(/^answer 401 to POST \/api\/login$/)
      await visitor.goTo('/projects')
      await visitor.sees('Sign in')
      await visitor.picture('sign-in')
      await signIn(visitor, 'grace', 'not the password')
      await visitor.page.getByText('The name or the password is wrong.').waitFor()
      await signIn(visitor, 'grace')
      await visitor.sees('Projects')
      expect(visitor.path).toBe('/projects')
    })
  })

  test('a sign-in whose address names another site leads to the overview', async () => {
    const elsewhere = [
      '//example.com',
      'https://example.com',
      '/\\example.com',
      'javascript:dataRan(1)',
    ]
    await rig.visit({ as: await rig.client('grace') }, async (visitor) => {
      for (const next of elsewhere) {
        await visitor.goTo(`/login?next=${encodeURIComponent(next)}`)
        await visitor.sees('Overview')
        expect(visitor.page.url()).toBe(`${rig.url}/`)
      }
    })
  })

  test('whoever signs out is out: on this page and on the way back', async () => {
    await rig.visit({ as: await rig.client('grace') }, async (visitor) => {
      const { page } = visitor
      await visitor.goTo('/keys')
      await visitor.sees('Keys')
      await page.getByRole('button', { name: /grace/ }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await visitor.sees('Sign in')
      await page.goBack()
      await visitor.sees('Sign in')
      await visitor.goTo('/keys')
      await visitor.sees('Sign in')
    })
  })

  test('a session that has ended leads to the sign-in, and from there back to the page', async () => {
    const client = await rig.client('grace')
    await rig.visit({ as: client }, async (visitor) => {
      visitor.expects(/^answer 401 to GET /)
      await visitor.goTo('/keys')
      await visitor.sees('Keys')
      const { sessionId } = await client.ask('GET', '/api/me')
      await client.ask('DELETE', `/api/me/sessions/${sessionId}`, {})
      await visitor.page.getByRole('navigation').getByRole('link', { name: 'Projects' }).click()
      await visitor.sees('Sign in')
      await signIn(visitor, 'grace')
      await eventually(() => expect(visitor.path).toBe('/projects'))
      await visitor.sees('Projects')
    })
  })
})
