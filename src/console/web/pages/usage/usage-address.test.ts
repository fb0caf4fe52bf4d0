import { describe, expect, test } from 'bun:test'

import { usageView } from './usage-address.ts'
import { closerLink, exchangesLink } from './usage-links.ts'
import { type Grouping, type UsageRow } from './usage-row.ts'

const now = Date.UTC(2026, 0, 31, 15)
const viewOf = (address: string) => {
  const params = new URLSearchParams(address)
  return usageView({ get: (name) => params.get(name) }, now)
}

describe('what of usage is looked at', () => {
  test('is read from the address, and as usual where it says nothing or nonsense', () => {
    const chosen = viewOf('range=24h&by=key&show=output&model=fast&keyId=')
    expect(chosen).toMatchObject({ by: 'key', measure: 'output', filters: { model: 'fast' } })
    expect(chosen.range.bucket).toBe('hour')
    const usual = viewOf('by=constructor&show=x')
    expect(usual).toMatchObject({ by: 'model', measure: 'cost', filters: {} })
  })
})

describe('the way from a group to what it is made of', () => {
  const linkTo = (part: Readonly<Record<string, unknown>>) => JSON.stringify(part)
  const row = (by: Grouping, name: string | null, ids: Partial<UsageRow> = {}) =>
    ({ by: { [by]: name }, ...ids }) as UsageRow
  const closer = (by: Grouping, name: string | null, ids?: Partial<UsageRow>) =>
    closerLink(row(by, name, ids), viewOf(`by=${by}`), { linkTo })

  test('narrows the page to it and splits it by something else', () => {
    expect(closer('model', 'a/b')).toBe('{"model":"a/b","by":"key"}')
    expect(closer('key', 'ci', { keyId: 'k1' })).toBe('{"keyId":"k1","by":"model"}')
    expect(closer('project', 'p', { projectId: 'p1' })).toBe('{"projectId":"p1","by":"key"}')
    expect(closer('day', '2026-01-05')).toContain('"from":"2026-01-05","to":"2026-01-05"')
  })

  test('leads to the exchanges of a result, and nowhere from what has no name', () => {
    expect(closer('result', 'upstream-lost')).toMatch(
      /^\/exchanges\?result=upstream-lost&since=\d+$/,
    )
    expect(closer('model', null)).toBeUndefined()
    expect(closer('owner', 'somebody')).toBeUndefined()
  })

  test('takes all filters and the time along, from a result too', () => {
    const filters = { keyId: 'k', projectId: 'p', model: 'a/b' }
    const days = 'range=custom&from=2026-01-01&to=2026-01-02'
    const view = viewOf(`${days}&by=result&${new URLSearchParams(filters)}`)
    const expected = {
      ...filters,
      result: 'failed',
      since: String(Date.UTC(2026, 0, 1)),
      until: String(Date.UTC(2026, 0, 3)),
    }
    for (const link of [
      exchangesLink(view, { result: 'failed' }),
      closerLink(row('result', 'failed'), view, { linkTo }),
    ]) {
      const { searchParams } = new URL(link ?? '', 'http://x')
      expect(Object.fromEntries(searchParams)).toEqual(expected)
    }
  })
})
