import type { Holder } from './policy.ts'

/**
 * Whether what is said with a key is kept: if the key, its project or the organisation asks for it, and none of them
 * forbids it.
 */
export function keepsContent(holders: readonly Holder[]): boolean {
  const said = holders.map(({ policy }) => policy.contentLogging)
  return said.includes(true) && !said.includes(false)
}
