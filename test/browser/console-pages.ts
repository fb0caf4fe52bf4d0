import type { Role } from '#console/access/role.ts'

/** A page of the console's own table, as far as a test can read it without the page itself. */
export interface ConsolePage {
  readonly path: string
  readonly title: string
  readonly role: Role
  /** Whether it is not for those who are bound to projects. */
  readonly isWhole: boolean
  /** Whether the navigation leads to it. */
  readonly isListed: boolean
}

/**
 * The console's table of pages. It is read where it lies, so that a page cannot be added without being tested; the
 * program of the tests has no types of a browser in it, which its own types need.
 */
export async function consolePages(): Promise<readonly ConsolePage[]> {
  const file = new URL('../../src/console/web/pages.ts', import.meta.url).href
  const { pages } = (await import(file)) as { readonly pages: readonly PageEntry[] }
  return pages.map(({ path, title, role, isWhole, icon }) => ({
    path,
    title,
    role,
    isWhole: isWhole === true,
    isListed: icon !== undefined,
  }))
}

/** Things that pages are about, by the place that their pages lie in: `keys`, `projects`. */
export type Things = Readonly<Record<string, string>>

/** The address of a page, with a thing in place of `:id`. */
export function addressOf({ path }: ConsolePage, things: Things): string {
  const [, place = ''] = path.split('/')
  return path.replace(':id', () => {
    const id = things[place]
    if (id === undefined) throw new Error(`Nothing is known for ${path} to be about.`)
    return id
  })
}

interface PageEntry {
  readonly path: string
  readonly title: string
  readonly role: Role
  readonly isWhole?: true
  readonly icon?: unknown
}
