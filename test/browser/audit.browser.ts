import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import type { AdminClient } from './admin-client.ts'
import { ConsoleRig } from './console-rig.ts'

let rig: ConsoleRig
let admin: AdminClient
beforeAll(async () => {
  rig = await ConsoleRig.start({ config: JSON.stringify({ engine: { enabled: false } }) })
  admin = await rig.administrator()
  for (const name of ['till', 'kiosk']) await admin.ask('POST', '/api/keys', { name })
})
afterAll(() => rig[Symbol.asyncDispose]())

test('what was done is found by what and by whom, and leads to what it was done to', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/audit')
    await page.getByRole('row').filter({ hasText: 'setup' }).first().waitFor()
    await page.getByLabel('What').selectOption('key-create')
    await page.getByRole('row').filter({ hasText: 'setup' }).first().waitFor({ state: 'detached' })
    const row = page.getByRole('row').filter({ hasText: 'till' })
    await row.waitFor()
    expect(await row.innerText()).toContain('ada')
    await row.getByRole('link', { name: /^key:/ }).click()
    await visitor.sees('Key till')
  })
})

test('the chain is verified, with a head that was kept; a row that was changed is named', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/audit')
    await page.getByRole('button', { name: 'Copy the head' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const head = await page.evaluate<string>('navigator.clipboard.readText()')
    await admin.ask('POST', '/api/keys', { name: 'later' })
    await page.getByLabel(/^A head that was kept/).fill(head)
    await page.getByRole('button', { name: 'Verify the chain' }).click()
    await page.getByText(/and the head that you kept is one of them/).waitFor()
    const database = new Database(join(rig.person.home, 'parley.db'))
    database.run('PRAGMA busy_timeout = 10000')
    database.run("UPDATE audit SET actor_name = 'somebody else' WHERE seq = 2")
    database.close()
    await page.getByRole('button', { name: 'Verify the chain' }).click()
    await page.getByRole('alert').getByText(/Row 2/).waitFor()
    await visitor.picture('audit-broken')
  })
})
