import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { AdminClient } from './admin-client.ts'
import { ConsoleRig } from './console-rig.ts'
import { eventually } from './eventually.ts'
import { talkingConfig } from './populate.ts'
import { talkingUpstream } from './talking-upstream.ts'
import type { Visitor } from './visitor.ts'

const upstream = talkingUpstream()
let rig: ConsoleRig
let admin: AdminClient
beforeAll(async () => {
  rig = await ConsoleRig.start({ config: talkingConfig(upstream) })
  admin = await rig.administrator()
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

const say = async ({ page }: Visitor, text: string): Promise<void> => {
  await page.getByLabel('What you say').fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
}

const conversation = ({ page }: Visitor, model: string) =>
  page.getByRole('region', { name: `Conversation with ${model}` })

test.each(['chat-completions', 'messages'])(
  'the embedded model answers by %s, word after word, and the answer is in the books',
  async (protocol) => {
    await rig.visit({ as: admin }, async (visitor) => {
      const { page } = visitor
      await visitor.goTo('/playground')
      await page.getByLabel('Model', { exact: true }).selectOption('parley-mini')
      await page.getByLabel('Protocol').selectOption(protocol)
      await page.getByLabel('Max tokens').fill('40')
      await say(visitor, 'Say hello.')
      const talk = conversation(visitor, 'parley-mini')
      await talk.getByText('Tokens').waitFor()
      await talk.getByRole('link', { name: /^req_/ }).waitFor()
      await visitor.picture(`playground-${protocol}`)
      expect(await talk.getByRole('listitem').count()).toBe(2)
      const answer = await talk.getByRole('listitem').last().innerText()
      expect(answer).toContain('engine/parley-mini')
      const { exchanges } = await admin.ask('GET', '/api/exchanges?limit=1')
      expect(exchanges[0]).toMatchObject({
        protocol,
        isStream: true,
        target: 'engine/parley-mini',
        result: 'complete',
      })
      await talk.getByRole('link', { name: /^req_/ }).click()
      await visitor.sees('Exchanges')
      await page.getByRole('dialog').getByText(exchanges[0].id).waitFor()
    })
  },
)

test('two models are asked the same side by side, and both are stopped at once', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/playground')
    await page.getByLabel('Model', { exact: true }).selectOption('endless')
    await page.getByRole('button', { name: 'A second model' }).click()
    const columns = page.getByRole('region', { name: /^Conversation with/ })
    await columns.nth(1).getByLabel('Model', { exact: true }).selectOption('endless')
    await say(visitor, 'Go on for ever.')
    for (const at of [0, 1])
      await columns
        .nth(at)
        .getByText(/word 3/)
        .waitFor()
    await visitor.picture('playground-two')
    await page.getByRole('button', { name: 'Stop' }).click()
    for (const at of [0, 1]) await columns.nth(at).getByText('stopped').waitFor()
    await eventually(() => expect(upstream.left).toBe(2))
    await page.getByRole('button', { name: 'Send' }).waitFor()
  })
})

test('what an upstream refuses is said where the answer would be, and one can go on', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    await visitor.goTo('/playground')
    await page.getByLabel('Model', { exact: true }).selectOption('failing')
    await say(visitor, 'Hello?')
    await conversation(visitor, 'failing').getByRole('alert').waitFor()
    await page.getByLabel('Model', { exact: true }).selectOption('model-a')
    await page.getByRole('button', { name: 'New conversation' }).click()
    await say(visitor, 'Hello?')
    await page.getByText('Hello from model-a.').waitFor()
    await page.getByRole('button', { name: 'Show model-a as code' }).click()
    const dialog = page.getByRole('dialog', { name: 'The same as code' })
    for (const tab of ['curl', 'openai SDK', 'anthropic SDK']) {
      await dialog.getByRole('tab', { name: tab }).click()
      await dialog
        .getByRole('tabpanel', { name: tab })
        .getByText(/model-a/)
        .waitFor()
    }
  })
})
