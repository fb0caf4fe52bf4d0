import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from 'playwright-core'

import type { AdminClient } from './admin-client.ts'
import { ConsoleRig, password } from './console-rig.ts'
import { askModel, talkingConfig } from './populate.ts'
import { talkingUpstream } from './talking-upstream.ts'

const upstream = talkingUpstream()
let rig: ConsoleRig
let admin: AdminClient
beforeAll(async () => {
  rig = await ConsoleRig.start({ config: talkingConfig(upstream, { engine: { enabled: false } }) })
  admin = await rig.administrator()
  const till = await admin.ask('POST', '/api/keys', { name: 'till' })
  // A spreadsheet would take this name for a formula, and a careless file for two cells.
  const kiosk = await admin.ask('POST', '/api/keys', { name: '=kiosk, "left"' })
  for (const model of ['fast', 'fast', 'vendor/failing'])
    await askModel(rig, { key: till.key, model })
  await askModel(rig, { key: kiosk.key, model: 'vendor/model-b' })
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

/** What a press of the button saves. */
async function saved(page: Page, press: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  return readFileSync(await download.path(), 'utf8')
}

interface LedgerRow {
  readonly id: string
  readonly cost: number
  readonly keyId: string
}

/** What the ledger itself says, asked for beside the gateway. */
function ledgerRows(): readonly LedgerRow[] {
  using database = new Database(join(rig.person.home, 'parley.db'), { readonly: true })
  const sql = 'SELECT id, cost, key_id AS keyId FROM ledger ORDER BY seq'
  return database.query<LedgerRow, []>(sql).all()
}

test('usage is added up by key, as the ledger has it', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/usage')
    await page.getByLabel('Split by').selectOption('key')
    const table = page.getByRole('table', { name: 'Usage by key' })
    const till = table.getByRole('row').filter({ hasText: 'till' })
    await till.waitFor()
    await visitor.picture('usage-by-key')
    expect((await till.getByRole('cell').allInnerTexts()).slice(0, 3)).toEqual([
      '$0.02',
      '3',
      '1 (33 %)',
    ])
    const kiosk = table.getByRole('row').filter({ hasText: '=kiosk, "left"' })
    expect((await kiosk.getByRole('cell').allInnerTexts()).slice(0, 3)).toEqual(['$0.01', '1', '0'])
    const charged = ledgerRows().reduce((sum, { cost }) => sum + cost, 0)
    expect(charged).toBe(30_000)
    await page.getByText('$0.03').first().waitFor()
    const link = page.getByRole('link', { name: 'till' })
    await link.click()
    await page
      .getByRole('button', { name: /Key.*till|till/ })
      .first()
      .waitFor()
    expect(visitor.path).toContain('keyId=')
  })
})

test('the report is saved as CSV that no spreadsheet runs, and as JSON', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/usage?by=key')
    await page.getByRole('table', { name: 'Usage by key' }).waitFor()
    const csv = await saved(page, () => page.getByRole('button', { name: 'CSV' }).click())
    const [head = '', ...lines] = csv.trim().split('\r\n')
    expect(head).toBe(
      'key,keyId,exchanges,failed,estimated,unpriced,input,cacheRead,cacheWrite,output,reasoning,cost,excess',
    )
    expect(lines).toHaveLength(2)
    expect(lines.find((line) => line.includes('kiosk'))).toStartWith(`"'=kiosk, ""left""",`)
    const json = await saved(page, () => page.getByRole('button', { name: 'JSON' }).click())
    const rows: readonly { readonly cost: number; readonly exchanges: number }[] = JSON.parse(json)
    expect(rows.map(({ cost, exchanges }) => [cost, exchanges])).toEqual([
      [20_000, 3],
      [10_000, 1],
    ])
  })
})

test('an administrator exports every exchange with the password, each as the ledger has it', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    visitor.expects(/^answer 40[013] to POST \/api\/usage\/export$/)
    const { page } = visitor
    await visitor.goTo('/usage')
    await page.getByRole('button', { name: 'Every exchange' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Form').selectOption('ndjson')
    await dialog.getByLabel('Your password').fill('not my password')
    await dialog.getByRole('button', { name: 'Export' }).click()
    await dialog.getByText('This is not your password.').waitFor()
    await dialog.getByLabel('Your password').fill(password)
    const lines = await saved(page, () => dialog.getByRole('button', { name: 'Export' }).click())
    const rows = lines
      .trim()
      .split('\n')
      .map((line): LedgerRow => JSON.parse(line))
    expect(rows.map(({ id, cost, keyId }) => ({ id, cost, keyId }))).toEqual([...ledgerRows()])
  })
})

test('where nothing was used in a time, the page says so and leads on', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    await visitor.goTo('/usage?range=custom&from=2020-01-01&to=2020-01-02')
    await visitor.page.getByText('Nothing was used in this time.').waitFor()
  })
})
