import { GatewayError } from '#chat/error.ts'
import type { Telling } from '#protocols/telling.ts'

/** Refuses what cannot be said to this upstream without changing what it means. `field` is in the form of notes: `messages[3]`. */
export function refuseField({ caller }: Telling, field: string, why: string): never {
  const path = caller === 'messages' ? field.replaceAll(/\[(\d+)\]/g, '.$1') : field
  throw new GatewayError('not-expressible', `${path}: ${why}`, { param: path })
}
