import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { accessibilityTroubles } from './accessibility.ts'
import { consolePages, type Things } from './console-pages.ts'
import { ConsoleRig, observed } from './console-rig.ts'
import { populate, talkingConfig } from './populate.ts'
import { talkingUpstream } from './talking-upstream.ts'
import type { Visitor } from './visitor.ts'

const pages = await consolePages()

const upstream = talkingUpstream()
let rig: ConsoleRig
let things: Things
let visitor: Visitor
beforeAll(async () => {
  rig = await ConsoleRig.start({ config: talkingConfig(upstream) })
  const admin = await rig.administrator()
  things = (await populate(rig, admin)).things
  visitor = await rig.arrive({ as: admin })
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

const looks = [
  { look: 'light', colorScheme: 'light', width: 1280 },
  { look: 'dark', colorScheme: 'dark', width: 1280 },
  { look: 'narrow', colorScheme: 'light', width: 390 },
] as const

/** A page's address as the name of a file. */
const nameOf = (path: string): string => path.replaceAll(/\W+/g, '-').slice(1) || 'overview'

/** Whether the page would have to be moved sideways to be read. */
const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')

test.each(pages)('the page "$title" can be read and used by everybody', (entry) =>
  observed(visitor, async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1280, height: 900 })
    await visitor.opens(entry, things)
    const troubles: string[] = []
    for (const { look, colorScheme, width } of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await visitor.picture(`${nameOf(entry.path)}-${look}`)
      for (const trouble of await accessibilityTroubles(page)) troubles.push(`${look}: ${trouble}`)
      if (await isTooWide(page)) troubles.push(`${look}: the page has to be moved sideways`)
    }
    expect(troubles).toEqual([])
  }),
)
