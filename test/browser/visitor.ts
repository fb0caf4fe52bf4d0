import type { Page, Response } from 'playwright-core'

import { artefact } from './artefacts.ts'
import { addressOf, type ConsolePage, type Things } from './console-pages.ts'
import { eventually } from './eventually.ts'
import type { Profile } from './profile.ts'

/** How a page asks who is signed in: nobody is a good answer. */
const whoIsIn = /^answer 401 to GET \/api\/me$/

/**
 * Somebody in front of the console. Everything that should not happen while they look at it is written down: errors of
 * scripts, requests that fail or go elsewhere, breaches of the content security policy, scripts that came from data.
 */
export class Visitor implements AsyncDisposable {
  readonly page: Page
  readonly url: string
  readonly #seen: string[]
  readonly #expected: RegExp[] = [whoIsIn]
  readonly #leave: () => Promise<void>

  private constructor(page: Page, { url, seen, leave }: Visiting) {
    this.page = page
    this.url = url
    this.#seen = seen
    this.#leave = leave
  }

  /** Opens a page in the profile; `onLeft` is called when the visitor has gone. */
  static async arrive(
    profile: Profile,
    cookie: string | undefined,
    onLeft: () => void,
  ): Promise<Visitor> {
    const { url } = profile
    const seen: string[] = []
    const page = await profile.page(cookie, (what) => seen.push(what))
    listen(page, url, seen)
    const leave = async (): Promise<void> => {
      await profile.close(page)
      onLeft()
    }
    return new Visitor(page, { url, seen, leave })
  }

  /** What was seen and should not have been. */
  get troubles(): readonly string[] {
    return this.#seen.filter((what) => !this.#expected.some((pattern) => pattern.test(what)))
  }

  /** From here on, what matches is part of the test. */
  expects(...patterns: readonly RegExp[]): void {
    this.#expected.push(...patterns)
  }

  async goTo(path: string): Promise<void> {
    await this.page.goto(`${this.url}${path}`)
  }

  /** Waits until the page with this title stands there. */
  async sees(title: string | RegExp): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
  }

  /**
   * Goes to an address as a link in the console leads there, without loading the console anew, and waits until another
   * page stands there. Between the two is an address that no page has, so that the one before is not taken for it.
   */
  async follow(path: string): Promise<void> {
    const heading = this.page.getByRole('heading', { level: 1 })
    if (!this.page.url().startsWith(this.url)) await this.goTo(nowhere)
    else await this.page.evaluate(moveTo(nowhere))
    await heading.filter({ hasText: noSuchPage }).waitFor()
    await this.page.evaluate(moveTo(path))
    await heading
      .filter({ hasNotText: noSuchPage })
      .waitFor()
      .catch((cause: unknown) => {
        throw new Error(`No page came at ${path}.`, { cause })
      })
    await this.settled()
  }

  /** Goes to a page of the console's table, and waits until it stands there. */
  async opens(page: ConsolePage, things: Things): Promise<void> {
    await this.follow(addressOf(page, things))
    // What a page of one thing is called, the thing has a part in.
    await this.sees(page.path.includes(':') ? /./ : page.title)
    await this.settled()
  }

  /** Waits until nothing on the page is still on its way. */
  async settled(): Promise<void> {
    const onItsWay = this.page.locator('[role=status][aria-label=Loading], [aria-busy=true]')
    await eventually(async () => {
      if ((await onItsWay.count()) > 0) throw new Error(`${this.path} is still loading.`)
    })
  }

  /** Where one is: the path with its query. */
  get path(): string {
    return pathOf(this.page.url())
  }

  /** Keeps a picture of the whole page. */
  async picture(name: string): Promise<void> {
    await this.page.screenshot({ path: artefact(`${name}.png`), fullPage: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#leave()
  }
}

const nowhere = '/nowhere'
const noSuchPage = 'No such page'

/** What the router of the console does for a link. */
const moveTo = (path: string): string => `(() => {
  const idx = (history.state?.idx ?? 0) + 1
  history.pushState({ usr: null, key: 'test' + idx, idx }, '', ${JSON.stringify(path)})
  dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
})()`

interface Visiting {
  readonly url: string
  readonly seen: string[]
  readonly leave: () => Promise<void>
}

function listen(page: Page, url: string, seen: string[]): void {
  page.on('pageerror', ({ message }) => seen.push(`page error: ${message}`))
  page.on('console', (message) => {
    // What failed to load is written down with its status below.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      seen.push(`console error: ${message.text()}`)
  })
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => seen.push(`popup: ${popup.url()}`))
  page.on('request', (request) => {
    if (!isOwn(request.url(), url)) seen.push(`request to another origin: ${request.url()}`)
  })
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? ''
    // A stream ends so when its page is left.
    if (why !== 'net::ERR_ABORTED')
      seen.push(`request failed: ${request.method()} ${pathOf(request.url())} ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) seen.push(answerWords(response))
  })
}

function answerWords(response: Response): string {
  return `answer ${response.status()} to ${response.request().method()} ${pathOf(response.url())}`
}

function isOwn(asked: string, own: string): boolean {
  return asked.startsWith(`${own}/`) || /^(?:data|blob|about):/.test(asked)
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}
