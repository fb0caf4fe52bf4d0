import type { Page } from 'playwright-core'

/** What has the focus: its role and name as far as a reader is told, and whether one can see that it has it. */
export interface Focused {
  readonly name: string
  readonly isSeen: boolean
}

/** What lies within an element of the browser's own, such as the button of a date, is marked by the browser. */
const focusedScript = `(() => {
  const element = document.activeElement
  const label = element.labels?.[0]?.innerText ?? element.ariaLabel ?? element.innerText ?? ''
  const around = [element, element.parentElement, element.parentElement?.parentElement]
  return {
    name: element === document.body ? '' : label.trim(),
    isSeen: !element.matches(':focus') || element.tabIndex < 0 ||
      around.some((one) => one && getComputedStyle(one).outlineStyle !== 'none'),
  }
})()`

export function focused(page: Page): Promise<Focused> {
  return page.evaluate<Focused>(focusedScript)
}

/** So many presses lead round any page of ours. */
const mostPresses = 150

/** Presses Tab until what is called so has the focus. Throws where that never happens, or where the focus cannot be seen. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < mostPresses; presses += 1) {
    const now = await focused(page)
    const isThere = typeof name === 'string' ? now.name === name : name.test(now.name)
    if (now.name !== '' && !now.isSeen)
      throw new Error(`Nobody sees that "${now.name}" has the focus.`)
    if (isThere) return
    passed.push(now.name)
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never comes to ${name}. It comes to ${[...new Set(passed)].join(' | ')}`)
}
