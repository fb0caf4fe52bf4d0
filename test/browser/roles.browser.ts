import { afterAll, beforeAll, expect, test } from 'bun:test'

import { mayActAs, type Role, roles } from '#console/access/role.ts'

import type { AdminClient } from './admin-client.ts'
import { addressOf, type ConsolePage, consolePages, type Things } from './console-pages.ts'
import { ConsoleRig } from './console-rig.ts'
import { populate, talkingConfig } from './populate.ts'
import { talkingUpstream } from './talking-upstream.ts'
import type { Visitor } from './visitor.ts'

interface Somebody {
  readonly role: Role
  readonly isBound: boolean
  readonly client: AdminClient
}

const pages = await consolePages()
const people = new Map<string, Somebody>()
const names = [...roles, 'bound viewer', 'bound operator']

const upstream = talkingUpstream()
let rig: ConsoleRig
let things: Things
beforeAll(async () => {
  rig = await ConsoleRig.start({ config: talkingConfig(upstream) })
  const admin = await rig.administrator()
  people.set('admin', { role: 'admin', isBound: false, client: admin })
  const { things: made, projectId } = await populate(rig, admin)
  things = made
  for (const name of names.filter((one) => one !== 'admin')) {
    const role = name.endsWith('viewer') ? 'viewer' : 'operator'
    const isBound = name.startsWith('bound')
    const order = { name, role, ...(isBound && { projects: [projectId] }) } as const
    people.set(name, { role, isBound, client: await rig.user(admin, order) })
  }
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

const somebody = (name: string): Somebody => {
  const found = people.get(name)
  if (found === undefined) throw new Error(`There is no ${name}.`)
  return found
}

const isFor = ({ role, isWhole }: ConsolePage, who: Somebody): boolean =>
  mayActAs(who.role, role) && !(isWhole && who.isBound)

/** Words of buttons and links that change something. */
const changing =
  /^(?:new|add|create|make|issue|edit|rename|change (?!my|your)|set|revoke|rotate|archive|delete|remove|load(?! (?:it|more))|unload|pull|test|correct|prune|repair|export|invite|disable)\b/i

const changingNames = async ({ page }: Visitor): Promise<readonly string[]> => {
  const found = [
    page.getByRole('main').getByRole('button'),
    page.getByRole('main').getByRole('link'),
  ]
  const words = await Promise.all(found.map((all) => all.allInnerTexts()))
  return words.flat().filter((text) => changing.test(text.trim()))
}

/** What is offered on a page to be changed, by kind of account: `Keys: New key`. */
const offered = new Map<string, readonly string[]>()

test.each(names)(
  'the kind "%s" of account is led to its own pages, is told why of all others, and asks for nothing in vain',
  async (name) => {
    const who = somebody(name)
    await rig.visit({ as: who.client }, async (visitor) => {
      const { page } = visitor
      const [refused] = pages.filter((entry) => !isFor(entry, who))
      await visitor.goTo(refused === undefined ? '/' : addressOf(refused, things))
      await visitor.sees(refused?.title ?? 'Overview')
      const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
      const mine = pages.filter((entry) => entry.isListed && isFor(entry, who))
      expect(await links.allInnerTexts()).toEqual(mine.map(({ title }) => title))
      const refusal = page.getByText('This page is not for your account.')
      const all: string[] = []
      for (const entry of pages) {
        await visitor.opens(entry, things)
        expect([entry.path, await refusal.isVisible()]).toEqual([entry.path, !isFor(entry, who)])
        for (const words of await changingNames(visitor))
          all.push(`${entry.title}: ${words.trim()}`)
      }
      offered.set(name, all)
    })
  },
)

test('a viewer is offered nothing that a viewer may not do, where the others are', () => {
  expect(offered.get('viewer')).toEqual([])
  expect(offered.get('bound viewer')).toEqual([])
  const pagesOf = (name: string) => new Set(offered.get(name)?.map((words) => words.split(':')[0]))
  expect([...pagesOf('bound operator')]).toEqual(expect.arrayContaining(['Keys', 'Key']))
  expect([...pagesOf('operator')]).toEqual(expect.arrayContaining(['Projects', 'Models', 'Engine']))
  expect([...pagesOf('admin')]).toEqual(expect.arrayContaining(['Users', 'Organisation']))
})
