import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'

import type { Page, Request } from 'playwright-core'

import type { AdminClient } from './admin-client.ts'
import { artefact } from './artefacts.ts'
import { ConsoleRig } from './console-rig.ts'

/** What the first page may bring of scripts, as they go over the wire. */
const mostScriptBytes = 350 * 1024

let rig: ConsoleRig
let admin: AdminClient
beforeAll(async () => {
  rig = await ConsoleRig.start({ config: JSON.stringify({ engine: { enabled: false } }) })
  admin = await rig.administrator()
})
afterAll(() => rig[Symbol.asyncDispose]())

const bytesOf = async (requests: readonly Request[], type: string): Promise<number> => {
  const chosen = requests.filter((request) => request.resourceType() === type)
  const sizes = await Promise.all(chosen.map((request) => request.sizes()))
  return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
}

test('the first page of an empty cache needs few and small scripts, all compressed, and says how long it took', async () => {
  await rig.visit({ as: admin, hasEmptyCache: true }, async (visitor) => {
    const finished: Request[] = []
    visitor.page.on('requestfinished', (request) => finished.push(request))
    const startedAt = performance.now()
    await visitor.goTo('/')
    await visitor.sees('Overview')
    const tookMs = Math.round(performance.now() - startedAt)
    const scripts = await bytesOf(finished, 'script')
    const styles = await bytesOf(finished, 'stylesheet')
    const paint = await visitor.page.evaluate<number>(
      `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`,
    )
    const figures = { tookMs, paintMs: Math.round(paint), scripts, styles }
    writeFileSync(artefact('first-page.json'), JSON.stringify(figures))
    console.log(
      `first page, empty cache: heading after ${tookMs} ms, first paint after ${figures.paintMs} ms, ` +
        `scripts ${Math.round(scripts / 1024)} KiB, styles ${Math.round(styles / 1024)} KiB`,
    )
    expect(scripts).toBeGreaterThan(0)
    expect(scripts).toBeLessThanOrEqual(mostScriptBytes)
    for (const request of finished.filter((one) => one.resourceType() === 'script')) {
      const headers = await (await request.response())?.allHeaders()
      expect(headers?.['content-encoding']).toMatch(/^(?:br|gzip|zstd)$/)
    }
  })
})

test('what a browser has of the console it does not fetch again', async () => {
  await rig.visit({ as: admin, hasEmptyCache: true }, async (visitor) => {
    await visitor.goTo('/')
    await visitor.sees('Overview')
    expect(await fetchedBytes(visitor.page)).toBeGreaterThan(0)
    await visitor.page.reload()
    await visitor.sees('Overview')
    expect(await fetchedBytes(visitor.page)).toBe(0)
  })
})

/** What was fetched of scripts and styles for the page as it stands, and not taken from the cache. */
const fetchedBytes = (page: Page): Promise<number> =>
  page.evaluate<number>(`performance.getEntriesByType('resource')
    .filter(({ initiatorType }) => initiatorType === 'script' || initiatorType === 'link')
    .reduce((sum, { transferSize }) => sum + transferSize, 0)`)
