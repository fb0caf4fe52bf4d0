import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { AdminClient } from './admin-client.ts'
import { ConsoleRig } from './console-rig.ts'
import { eventually, patienceMs } from './eventually.ts'

let rig: ConsoleRig
let admin: AdminClient
beforeAll(async () => {
  rig = await ConsoleRig.start({ config: JSON.stringify({ engine: { enabled: false } }) })
  admin = await rig.administrator()
})
afterAll(() => rig[Symbol.asyncDispose]())

test('a gateway that dies is said to be gone, what was shown stays, and the page goes on when it is back', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    visitor.expects(
      /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE/,
    )
    const links = page.getByRole('navigation', { name: 'Pages' })
    // Both have been opened once, so that their code is there; what they show is asked for again.
    await visitor.goTo('/projects')
    await visitor.sees('Projects')
    await links.getByRole('link', { name: 'Keys' }).click()
    await visitor.sees('Keys')
    await page.getByRole('rowheader', { name: 'first' }).waitFor()
    rig.serving.kill('SIGKILL')
    await rig.serving.exited
    await eventually(async () => {
      await links.getByRole('link', { name: 'Projects' }).click()
      await links.getByRole('link', { name: 'Keys' }).click()
      // What was asked for a moment ago is not asked for again, and a failure is tried again before it is told of.
      const alert = page.getByRole('alert').filter({ hasText: 'The gateway does not answer.' })
      await alert.first().waitFor({ timeout: patienceMs / 5 })
    })
    expect(await page.getByRole('rowheader', { name: 'first' }).isVisible()).toBe(true)
    await visitor.picture('gateway-gone')
    await rig.serveAgain()
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await page.getByRole('rowheader', { name: 'first' }).waitFor()
  })
})
