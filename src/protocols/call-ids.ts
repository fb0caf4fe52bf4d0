import { createHash } from 'node:crypto'

import type { Profile } from '#chat/profile.ts'

/**
 * The id under which a tool call is told to an upstream: unchanged if the upstream takes it, else made from it.
 * Used on the call and on its result alike, so that they stay a pair; the same id always gives the same one.
 */
export function sentCallId(id: string, rule: Profile['callIds']): string {
  switch (rule) {
    case 'any':
      return id
    case 'word':
      return wordId.test(id) ? id : `${id.replace(foreignUnits, '_').slice(0, 55)}_${hex(id)}`
    case 'nine':
      return nineId.test(id) ? id : nineOf(id)
  }
}

const wordId = /^[a-zA-Z0-9_-]+$/
const nineId = /^[a-zA-Z0-9]{9}$/
const foreignUnits = /[^a-zA-Z0-9_-]/g
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function hex(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 8)
}

function nineOf(id: string): string {
  const bytes = createHash('sha256').update(id).digest().subarray(0, 9)
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')
}
