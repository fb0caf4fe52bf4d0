import type { Visitor } from './visitor.ts'

export interface CrawlOptions {
  readonly from: readonly string[]
  /** How many addresses of a kind are gone to: `/keys/1` and `/keys/2` are of one. */
  readonly perKind: number
  /** Called on each page when it is there. */
  readonly look: (path: string) => Promise<void>
}

/** Goes to every address that the pages of the console link to, and gives those that it has been to. */
export async function crawl(visitor: Visitor, options: CrawlOptions): Promise<readonly string[]> {
  const waiting = [...options.from]
  const seen = new Set(waiting)
  const kinds = new Map<string, number>()
  const visited: string[] = []
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    await visitor.follow(path)
    visited.push(path)
    await options.look(path)
    for (const found of await linksOf(visitor)) {
      const kind = kindOf(found)
      if (seen.has(found) || (kinds.get(kind) ?? 0) >= options.perKind) continue
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      seen.add(found)
      waiting.push(found)
    }
  }
  return visited
}

const linksScript = `[...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href'))`

/** Where the links of a page lead, within the console. */
async function linksOf({ page }: Visitor): Promise<readonly string[]> {
  const all = await page.evaluate<readonly string[]>(linksScript)
  return [...new Set(all.filter((href) => /^\/(?!api\/|\/)/.test(href)))]
}

/** The address without what names a thing in it; what is opened in a dialog is a page of its own. */
function kindOf(path: string): string {
  const [place = '', query = ''] = path.split('?')
  const places = place.split('/').map((part, at) => (at === 2 ? '*' : part))
  return `${places.join('/')} ${new URLSearchParams(query).has('open') ? 'opened' : query !== ''}`
}
