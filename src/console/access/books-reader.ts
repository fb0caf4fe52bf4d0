import { noteContent, readContent } from '#content/read-content.ts'
import { verify } from '#ledger/conservation.ts'
import type { Storage } from '#storage/database.ts'
import type { StorageProblem } from '#storage/storage-error.ts'
import { findExchange, listExchanges } from '#usage/exchanges.ts'
import { usageReport } from '#usage/report.ts'

import { AuditLog } from './audit.ts'

/** What can take long to read: it grows with the age of the ledger. */
export const readings = {
  report: usageReport,
  exchanges: listExchanges,
  exchange: findExchange,
  content: readContent,
  contentNote: noteContent,
  verify,
  verifyAudit: (storage: Storage, known?: string) => new AuditLog(storage).verify(known),
} as const

export type Readings = typeof readings

type Wanted<Name extends keyof Readings> =
  Parameters<Readings[Name]> extends [Storage, ...infer Rest] ? Rest : never

/** Reads the books where that keeps nobody else waiting. */
export interface BooksReader {
  read<Name extends keyof Readings>(
    name: Name,
    ...wanted: Wanted<Name>
  ): Promise<Awaited<ReturnType<Readings[Name]>>>
}

/** What the thread that reads is asked. */
export interface ReadRequest {
  readonly id: number
  readonly file: string
  readonly name: keyof Readings
  readonly wanted: readonly unknown[]
}

/** What it answers. */
export type ReadReply =
  | { readonly type: 'read'; readonly id: number; readonly result: never }
  | {
      readonly type: 'failed'
      readonly id: number
      readonly problem: StorageProblem
      readonly message: string
    }

/** The one cast: `read` of a reader takes only what the reading of that name takes, and gives what it gives. */
export async function readBooks(
  storage: Storage,
  name: keyof Readings,
  wanted: readonly unknown[],
): Promise<never> {
  const reading = readings[name] as (
    storage: Storage,
    ...wanted: readonly unknown[]
  ) => Promise<never>
  return reading(storage, ...wanted)
}
