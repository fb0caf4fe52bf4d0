import { readFileSync } from 'node:fs'

import type { Page } from 'playwright-core'

const source = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')).pathname, 'utf8')

/** What axe finds wrong with the page as it stands, by every rule it has for pages. One line for each place. */
export async function accessibilityTroubles(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source)
  const { violations } = await page.evaluate<Results>('axe.run(document)')
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => {
      const why = (failureSummary ?? '').split('\n')[1]?.trim() ?? ''
      return `${id} at ${target.join(' ')}: ${why}`
    }),
  )
}

interface Results {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly {
      readonly target: readonly string[]
      readonly failureSummary?: string
    }[]
  }[]
}
