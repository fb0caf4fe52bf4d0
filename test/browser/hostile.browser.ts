import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { AdminClient } from './admin-client.ts'
import { consolePages } from './console-pages.ts'
import { ConsoleRig } from './console-rig.ts'
import { crawl } from './crawl.ts'
import { eventually } from './eventually.ts'
import { hostileTexts } from './hostile-texts.ts'
import { hostileUpstream } from './hostile-upstream.ts'
import { storeHostileTexts, type Taken } from './store-hostile-texts.ts'
import type { Visitor } from './visitor.ts'

const pages = (await consolePages()).filter(({ path }) => !path.includes(':'))
const upstream = hostileUpstream()

let rig: ConsoleRig
let admin: AdminClient
let taken: Taken
beforeAll(async () => {
  rig = await ConsoleRig.start({ config: hostileConfig() })
  admin = await rig.administrator()
  taken = await storeHostileTexts({ admin, url: rig.serving.url, key: rig.serving.key })
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

/** Names of the config are an operator's own, and are shown all the same. */
function hostileConfig(): string {
  const aliases = hostileTexts
    .slice(60, 90)
    .map((text, at) => [
      text,
      { targets: [`hostile/${hostileTexts[at + 90]?.replace(/\s/g, ' ')}`] },
    ])
  const prices = hostileTexts
    .slice(120, 150)
    .map((text) => [`hostile/${text}`, { input: 1, output: 2 }])
  return JSON.stringify({
    upstreams: { hostile: { protocol: 'chat-completions', url: upstream.url } },
    models: Object.fromEntries(aliases),
    prices: Object.fromEntries(prices),
    engine: { enabled: false },
  })
}

test('300 hostile texts were each taken by several fields of the API', () => {
  expect(hostileTexts).toHaveLength(300)
  expect(new Set(hostileTexts).size).toBe(300)
  expect(Math.min(...taken.values())).toBeGreaterThanOrEqual(3)
})

test('a script, a breach of the policy, a dialog and a request elsewhere would each be seen', async () => {
  await using visitor = await rig.arrive({ as: admin })
  await visitor.goTo('/')
  await visitor.sees('Overview')
  expect(visitor.troubles).toEqual([])
  await visitor.page.evaluate(`(async () => {
    dataRan(1)
    try { document.body.innerHTML = '<img src=x onerror=dataRan(2)>' } catch {}
    confirm('Is this seen?')
    await fetch('http://127.0.0.1:1/elsewhere').catch(() => undefined)
  })()`)
  for (const kind of ['script from data ran', 'policy breach', 'dialog', 'console error'])
    await eventually(() =>
      expect(visitor.troubles.filter((trouble) => trouble.startsWith(kind))).not.toEqual([]),
    )
})

/** What a text makes of a page that takes it for more than text: elements, handlers, addresses that are not ours. */
const foundScript = `(() => {
  const foreign = 'iframe, object, embed, base, meta[http-equiv], marquee, video, audio, math, script:not([src])'
  const leadsElsewhere = ({ name, value }) =>
    /^(href|src|action|formaction|data|xlink:href)$/i.test(name) && new URL(value, location).origin !== location.origin
  const isArmed = (element) => [...element.attributes].some((attribute) =>
    /^on|^srcdoc$/i.test(attribute.name) || leadsElsewhere(attribute) ||
    (attribute.name === 'style' && attribute.value.includes('dataRan')))
  return [...document.querySelectorAll('*')]
    .filter((element) => element.matches(foreign) || (document.body.contains(element) && isArmed(element)))
    .map((element) => element.outerHTML.slice(0, 200))
})()`

const shownScript = `document.body.innerText + [...document.querySelectorAll('input, textarea, option')].map((field) => '\\n' + (field.value ?? '')).join('')
  + [...document.querySelectorAll('[title], [aria-label]')].map((element) => '\\n' + (element.title ?? '') + '\\n' + (element.ariaLabel ?? '')).join('')`

/** Without blanks: pages join those of a text. */
const bare = (text: string): string => text.replace(/[\s\p{C}]+/gu, '')

async function look(visitor: Visitor, shown: Set<number>): Promise<void> {
  const { page } = visitor
  expect(await page.evaluate<readonly string[]>(foundScript)).toEqual([])
  const text = bare(await page.evaluate<string>(shownScript))
  hostileTexts.forEach((hostile, at) => {
    if (text.includes(bare(hostile))) shown.add(at)
  })
}

/** The page, and what its lists have more of. */
async function lookThrough(visitor: Visitor, shown: Set<number>): Promise<void> {
  const { page } = visitor
  const further = page.getByRole('button', { name: /^(?:Show more|Older)$/, disabled: false })
  for (let steps = 0; steps < mostSteps; steps += 1) {
    await look(visitor, shown)
    await lookAtContent(visitor, shown)
    // What is opened in a dialog lies above the list.
    if ((await page.getByRole('dialog').count()) > 0 || (await further.count()) === 0) return
    const before = await page.getByRole('main').innerText()
    await further.click()
    await eventually(async () => {
      if ((await page.getByRole('main').innerText()) === before) throw new Error('Nothing came.')
    })
    await visitor.settled()
  }
}

/** What was said in an exchange that is opened, where it was kept. */
async function lookAtContent(visitor: Visitor, shown: Set<number>): Promise<void> {
  const show = visitor.page.getByRole('button', { name: 'Show what was said' })
  if ((await show.count()) === 0) return
  await show.click()
  await show.waitFor({ state: 'detached' })
  contentsSeen += 1
  await look(visitor, shown)
}

let contentsSeen = 0

/** Lists of 300 in pages of 50 end before that. */
const mostSteps = 12

test('every page shows them as text: no script, no dialog, no request elsewhere, no breach of the policy', async () => {
  const shown = new Set<number>()
  await rig.visit({ as: admin }, async (visitor) => {
    const visited = await crawl(visitor, {
      from: pages.map(({ path }) => path),
      perKind: 3,
      look: () => lookThrough(visitor, shown),
    })
    expect(visited).toEqual(expect.arrayContaining(pages.map(({ path }) => path)))
    expect(contentsSeen).toBeGreaterThan(0)
  })
  const unseen = hostileTexts.filter((_, at) => !shown.has(at))
  console.log(`${shown.size} of ${hostileTexts.length} hostile texts were seen as text`)
  expect(unseen).toEqual([])
})

test('what a hostile upstream answers, refuses and says of itself is text in the playground and in its test', async () => {
  await rig.visit({ as: admin }, async (visitor) => {
    const { page } = visitor
    const shown = new Set<number>()
    await visitor.goTo('/playground')
    // Every fifth is refused in hostile words.
    for (const at of [0, 4, 16]) {
      await page.getByLabel('Model', { exact: true }).selectOption(hostileTexts[at] ?? '')
      await page.getByRole('button', { name: 'New conversation' }).click()
      await page.getByLabel('What you say').fill(hostileTexts[at + 1] ?? '')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByRole('main').getByText('In all').waitFor()
      await look(visitor, shown)
      if (at !== 4) expect([...shown]).toEqual(expect.arrayContaining([at, at + 60, at + 120]))
    }
    await visitor.follow('/models')
    await page.getByRole('button', { name: 'Test hostile' }).click()
    await page.getByText(/answers after .* lists 60 models/).waitFor()
    await look(visitor, shown)
  })
})
