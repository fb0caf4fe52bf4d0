import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { AdminClient } from './admin-client.ts'
import { ConsoleRig } from './console-rig.ts'

let rig: ConsoleRig
let admin: AdminClient
beforeAll(async () => {
  rig = await ConsoleRig.start()
  admin = await rig.administrator()
})
afterAll(() => rig[Symbol.asyncDispose]())

/** What pages say where there is nothing yet, and what they lead to. */
const sentences = [
  ['/usage', 'Nothing was used in this time.', 'See the keys'],
  ['/exchanges', 'No exchange has ended yet.', 'See the keys'],
  ['/keys?search=nothing', 'No key is like that.', 'Show all keys'],
  ['/audit?action=key-revoke', 'No row is like that.', 'Show all rows'],
] as const

test('a home with nothing in it is explained, and one is led on', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    for (const [path, sentence, next] of sentences) {
      await visitor.follow(path)
      await page.getByText(sentence).waitFor()
      const main = page.getByRole('main')
      const way = main
        .getByRole('link', { name: next })
        .or(main.getByRole('button', { name: next }))
      expect(await way.isVisible()).toBe(true)
    }
    await visitor.follow('/models')
    await page.getByRole('rowheader', { name: 'parley-mini', exact: true }).waitFor()
  })
})

test('the overview of a home with nothing in it shows noughts, and moves when something happens', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/')
    await visitor.sees('Overview')
    await visitor.picture('overview-empty')
    const requests = page.getByRole('main').getByText('Requests', { exact: true }).locator('..')
    await requests.getByText('0', { exact: true }).waitFor()
    const response = await fetch(`${rig.serving.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${rig.serving.key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        model: 'parley-mini',
        max_tokens: 5,
        messages: [{ role: 'user', content: 'hi' }],
      }),
    })
    expect(response.status).toBe(200)
    await requests.getByText('1', { exact: true }).waitFor()
  })
})

test('what has no page is said to have none', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    await visitor.goTo('/keys/none/whatever')
    await visitor.sees('No such page')
    await visitor.page.getByRole('link', { name: 'Go to the overview' }).click()
    await visitor.sees('Overview')
  })
  await rig.visit({ as: admin }, async (visitor) => {
    visitor.expects(/^answer 404 to GET \/api\/keys\/none$/)
    await visitor.goTo('/keys/none')
    await visitor.page.getByRole('alert').waitFor()
  })
})
