import type { Storage } from '#storage/database.ts'

import { contentFile, ContentStore } from './content-store.ts'
import type { ContentNote, ContentOf, KeptContent } from './kept-content.ts'

/** What is kept of an exchange, or undefined. Rejects with `StorageError`. */
export async function readContent(
  { file }: Storage,
  exchangeId: string,
): Promise<KeptContent | undefined> {
  using store = ContentStore.ifAny(contentFile(file))
  const text = store?.read(exchangeId)
  // This program wrote it, from a value of this type.
  return text === undefined ? undefined : (JSON.parse(text) as KeptContent)
}

/** That something is kept of an exchange, or undefined. Rejects with `StorageError`. */
export async function noteContent(
  { file }: Storage,
  exchangeId: string,
): Promise<ContentNote | undefined> {
  using store = ContentStore.ifAny(contentFile(file))
  return store?.note(exchangeId)
}

/** Of how many exchanges of somebody something is kept. Rejects with `StorageError`. */
export async function countContent({ file }: Storage, whose: ContentOf): Promise<number> {
  using store = ContentStore.ifAny(contentFile(file))
  return store?.count(whose) ?? 0
}

/** Deletes what is kept, for good. Resolves with of how many exchanges it was. Rejects with `StorageError`. */
export async function eraseContent({ file }: Storage, whose: ContentOf): Promise<number> {
  using store = ContentStore.ifAny(contentFile(file))
  return store?.erase(whose) ?? 0
}
