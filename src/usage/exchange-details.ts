import type { Note } from '#chat/note.ts'
import type { Try } from '#ledger/entry.ts'
import { isObject } from '#std/json.ts'

/** What the ledger keeps of an exchange as JSON, read again. */
export interface ExchangeDetails {
  readonly notes: readonly Note[]
  readonly tries: readonly Try[]
  readonly price: Readonly<Record<string, unknown>> | undefined
}

/** Reads what this program wrote itself; what cannot be read is as if it were not there. */
export function readDetails(row: {
  readonly notes: string | null
  readonly tries: string | null
  readonly price: string | null
}): ExchangeDetails {
  const price = read(row.price)
  return {
    notes: list<Note>(read(row.notes)),
    tries: list<Try>(read(row.tries)),
    price: isObject(price) ? price : undefined,
  }
}

function read(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    // A damaged cell must not hide the rest of the row.
    return undefined
  }
}

/** The one cast: the ledger wrote these lists from values of these types. */
function list<Item>(value: unknown): readonly Item[] {
  return Array.isArray(value) ? (value as Item[]) : []
}
