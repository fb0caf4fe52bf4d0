import type { Browser, BrowserContext, Page } from 'playwright-core'

import { patienceMs } from './eventually.ts'

/** Runs in every page before its own scripts. `dataRan` is what hostile data tries to call. */
const watch = `
  addEventListener('securitypolicyviolation', (event) =>
    tellTest('policy breach: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))
  window.dataRan = (what) => tellTest('script from data ran: ' + what)
`

/** A browser's profile: its cookies and its cache. One visitor at a time has it. */
export class Profile {
  readonly url: string
  readonly #context: BrowserContext
  readonly #told = new Map<Page, (what: string) => void>()

  private constructor(context: BrowserContext, url: string) {
    this.#context = context
    this.url = url
  }

  static async open(browser: Browser, url: string): Promise<Profile> {
    const context = await browser.newContext({ acceptDownloads: true, reducedMotion: 'reduce' })
    context.setDefaultTimeout(patienceMs)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
    const profile = new Profile(context, url)
    await context.exposeBinding('tellTest', ({ page }, what: string) => {
      profile.#told.get(page)?.(what)
    })
    await context.addInitScript(watch)
    return profile
  }

  /** An empty page; `told` hears what is watched for in it. `cookie` is a session to begin with, `name=value`. */
  async page(cookie: string | undefined, told: (what: string) => void): Promise<Page> {
    await this.#context.clearCookies()
    if (cookie !== undefined) await this.#context.addCookies([cookieAt(this.url, cookie)])
    const page = await this.#context.newPage()
    await page.setViewportSize({ width: 1280, height: 900 })
    this.#told.set(page, told)
    return page
  }

  /** Whoever has it next finds nothing of the one before but what the cache has. */
  async close(page: Page): Promise<void> {
    await page.close()
    this.#told.delete(page)
  }
}

function cookieAt(url: string, cookie: string) {
  const [name = '', value = ''] = cookie.split('=')
  return { name, value, url, httpOnly: true, sameSite: 'Strict' as const }
}
