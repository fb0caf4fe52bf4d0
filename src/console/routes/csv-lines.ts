import { csvLine } from './csv-line.ts'

/** Rows as CSV, the names of the columns first. */
export async function* csvLines(
  columns: readonly string[],
  rows: AsyncIterable<Readonly<Record<string, unknown>>>,
): AsyncGenerator<string> {
  yield csvLine(columns)
  for await (const row of rows) yield csvLine(columns.map((column) => row[column]))
}
