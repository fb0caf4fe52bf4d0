import { crc32 } from 'node:zlib'

import { randomText } from '#std/random-id.ts'

/** A key of ours, told apart: the id is public, the text is the secret. */
export interface IssuedKey {
  readonly id: string
  readonly text: string
}

/**
 * What a presented text is: a key of ours that was typed in whole, one that was damaged on the way, or a text that an
 * operator may have chosen.
 */
export type ReadKey =
  | { readonly type: 'ours'; readonly id: string }
  | { readonly type: 'damaged' }
  | { readonly type: 'chosen' }

/** What every key of ours begins with, and no chosen one may. */
export const keyPrefix = 'gk_'

const idLength = 12
/** 43 letters of 62 carry 256 bits. */
const secretLength = 43
const checksumLength = 6

const head = `${keyPrefix}live_`
const shape = new RegExp(
  `^${head}[0-9A-Za-z]{${idLength}}_[0-9A-Za-z]{${secretLength + checksumLength}}$`,
)

/** Makes a new id for a key. */
export function newKeyId(): string {
  return randomText(idLength)
}

/** Makes a new secret for a key, `gk_live_<id>_<secret><checksum>`. It is stored nowhere: show it once. */
export function issueKey(id = newKeyId()): IssuedKey {
  const covered = `${head}${id}_${randomText(secretLength)}`
  return { id, text: covered + checksumOf(covered) }
}

/** Reads a presented text by its shape and checksum alone: what was mistyped never costs a look into the database. */
export function readKey(text: string): ReadKey {
  if (!text.startsWith(keyPrefix)) return { type: 'chosen' }
  const isWhole = shape.test(text) && text.endsWith(checksumOf(text.slice(0, -checksumLength)))
  if (!isWhole) return { type: 'damaged' }
  return { type: 'ours', id: text.slice(head.length, head.length + idLength) }
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The CRC-32 of the text as six digits to the base 62. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let checksum = ''
  for (let at = 0; at < checksumLength; at++) {
    checksum = digits.charAt(rest % 62) + checksum
    rest = Math.floor(rest / 62)
  }
  return checksum
}
