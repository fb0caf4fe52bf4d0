import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Keys } from '#keys/keys.ts'

/** The key that a start shows. */
export interface ShownKey {
  /** Its text, unless it was shown before and is not kept. */
  readonly text: string | undefined
  readonly isNew: boolean
  /** Where it is kept, if it is. */
  readonly file: string | undefined
}

/** Issues the first key of a new home, and keeps it in a file that only this user can read. */
export async function firstKey(keys: Keys, home: string): Promise<ShownKey> {
  const file = join(home, 'first-key')
  if (!(await keys.isEmpty())) return keptKey(keys, file)
  const text = (await keys.issue({ name: 'first' })).key.reveal()
  return { text, isNew: true, file: kept(text, file) ? file : undefined }
}

function keptKey(keys: Keys, file: string): ShownKey {
  try {
    const text = readFileSync(file, 'utf8').trim()
    keys.verify([text])
    return { text, isNew: false, file }
  } catch {
    // Not kept, or not valid any more: there is none to show.
    return { text: undefined, isNew: false, file: undefined }
  }
}

function kept(text: string, file: string): boolean {
  try {
    writeFileSync(file, `${text}\n`, { mode: 0o600 })
    return true
  } catch {
    // The key is shown, and the welcome says that it is nowhere else.
    return false
  }
}
