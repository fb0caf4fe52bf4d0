import { Command, InvalidArgumentError } from 'commander'

import { CommandFailure, exitCodes } from '#commands/exit-codes.ts'
import { factsOf } from '#commands/keys/facts.ts'
import type { Outside } from '#commands/outside.ts'
import { type JsonFlag, jsonText, withState } from '#commands/state.ts'
import { type Column, count, minute, tableOf } from '#commands/table.ts'
import type { Try } from '#ledger/entry.ts'
import { dollars } from '#prices/money.ts'
import { readDetails } from '#usage/exchange-details.ts'
import {
  type ExchangeRow,
  exportExchanges,
  findExchange,
  type FoundExchange,
  listExchanges,
} from '#usage/exchanges.ts'

import { contentFor, contentWords } from './usage-content.ts'
import { csvLine, type FormatFlags, formatOf, withFormat } from './usage-format.ts'
import { filterOf, type RangeFlags, withRange } from './usage-range.ts'

interface ListFlags extends RangeFlags, FormatFlags {
  readonly limit: number
}

/** `parley usage list`: the newest exchanges, one a line. */
export function listCommand(outside: Outside): Command {
  const command = new Command('list')
    .description('List exchanges, the newest first.')
    .option('--limit <count>', 'at most so many', limitOf, 20)
    .action(async (flags: ListFlags) => {
      const rows = await withState(outside, ({ storage }) =>
        listExchanges(storage, filterOf(flags), flags.limit),
      )
      const format = formatOf(flags)
      if (format === 'json') return outside.print(JSON.stringify(rows.map(asJson)))
      if (format === 'csv') return printCsv(outside, rows)
      if (rows.length === 0)
        return outside.print(`There was no such exchange since ${minute(flags.since)} UTC.`)
      outside.print(tableOf(listColumns, rows, outside.columns))
    })
  return withFormat(withRange(command, outside, '30d'))
}

/** `parley usage export`: every row, one after the other, however many there are. */
export function exportCommand(outside: Outside): Command {
  const command = new Command('export')
    .description('Print every exchange, the oldest first: CSV, or one JSON object a line.')
    .action(async (flags: RangeFlags & FormatFlags) => {
      const isJson = formatOf(flags) === 'json'
      await withState(outside, async ({ storage }) => {
        if (!isJson) outside.print(csvHead())
        for await (const row of exportExchanges(storage, filterOf(flags)))
          outside.print(isJson ? JSON.stringify(asJson(row)) : csvOf(row))
      })
    })
  return withFormat(withRange(command, outside, '365d'))
}

interface ShowFlags extends JsonFlag {
  readonly content?: boolean
}

/** `parley usage show`: one exchange, whole. */
export function showCommand(outside: Outside): Command {
  return new Command('show')
    .description('Show one exchange: who, what, how it went, what it cost and why.')
    .argument('<id>', 'the request id that the caller was told')
    .option('--content', 'also what was said, where that is kept')
    .option('--json', jsonText)
    .action(async (id: string, { json, content: isWanted }: ShowFlags) => {
      const { found, content } = await withState(outside, async (state) => ({
        found: await findExchange(state.storage, id),
        content: isWanted === true ? await contentFor(outside, state, id) : undefined,
      }))
      if (found === undefined)
        throw new CommandFailure(
          exitCodes.missing,
          `There is no exchange ${id}. "parley usage list" shows the latest.`,
        )
      if (json === true) return outside.print(JSON.stringify({ ...foundAsJson(found), content }))
      outside.print(words(found))
      if (content !== undefined) outside.print(contentWords(content))
    })
}

function limitOf(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
    throw new InvalidArgumentError('expected a count from 1 to 10000')
  return limit
}

const listColumns: readonly Column<ExchangeRow>[] = [
  { title: 'began', cell: (row) => new Date(row.started_at).toISOString().slice(0, 19) },
  { title: 'id', cell: ({ id }) => id },
  { title: 'key', cell: (row) => row.keyName ?? row.key_id, isName: true },
  { title: 'model', cell: ({ target, model }) => target ?? model, isName: true },
  { title: 'result', cell: ({ result }) => result, isName: true },
  { title: 'input', cell: (row) => count(inputOf(row)), isNumber: true },
  {
    title: 'output',
    cell: ({ output, counted }) => count(output ?? 0) + (counted === 'estimated' ? ' *' : ''),
    isNumber: true,
  },
  { title: 'cost', cell: ({ cost, corrected }) => dollars(cost + corrected), isNumber: true },
]

function inputOf({ input, cache_read, cache_write }: ExchangeRow): number {
  return (input ?? 0) + (cache_read ?? 0) + (cache_write ?? 0)
}

const columns: readonly (readonly [
  name: string,
  cell: (row: ExchangeRow) => string | number | null,
])[] = [
  ['id', ({ id }) => id],
  ['began', (row) => new Date(row.started_at).toISOString()],
  ['key_id', (row) => row.key_id],
  ['key', ({ keyName }) => keyName],
  ['project_id', (row) => row.project_id],
  ['endpoint', ({ endpoint }) => endpoint],
  ['protocol', ({ protocol }) => protocol],
  ['asked', ({ model }) => model],
  ['target', ({ target }) => target],
  ['stream', ({ stream }) => stream],
  ['result', ({ result }) => result],
  ['attempts', ({ attempts }) => attempts],
  ['input', ({ input }) => input],
  ['cache_read', (row) => row.cache_read],
  ['cache_write', (row) => row.cache_write],
  ['output', ({ output }) => output],
  ['reasoning', ({ reasoning }) => reasoning],
  ['counted', ({ counted }) => counted],
  ['held_microdollars', ({ held }) => held],
  ['cost_microdollars', (row) => row.cost],
  ['corrected_microdollars', ({ corrected }) => corrected],
  ['excess_microdollars', ({ excess }) => excess],
  ['price', ({ price }) => price],
  ['queue_ms', (row) => row.queue_ms],
  ['first_byte_ms', (row) => row.first_byte_ms],
  ['total_ms', (row) => row.total_ms],
  ['route', ({ route }) => route],
]

function printCsv(outside: Outside, rows: readonly ExchangeRow[]): void {
  outside.print(csvHead())
  for (const row of rows) outside.print(csvOf(row))
}

function csvHead(): string {
  return csvLine(columns.map(([name]) => name))
}

function csvOf(row: ExchangeRow): string {
  return csvLine(columns.map(([, cell]) => cell(row)))
}

function asJson(row: ExchangeRow) {
  const { seq: _, started_at, stream, notes, tries, price, ...rest } = row
  const details = readDetails({ notes, tries, price })
  return {
    ...rest,
    began: new Date(started_at).toISOString(),
    stream: stream === 1,
    ...details,
  }
}

function foundAsJson(found: FoundExchange) {
  if (found.type === 'open') return { type: 'open', ...found.exchange }
  return { type: 'ended', ...asJson(found.exchange), corrections: found.corrections }
}

function words(found: FoundExchange): string {
  if (found.type === 'open') {
    const { id, model, key_id, started_at, held } = found.exchange
    return factsOf([
      ['exchange', id],
      ['began', `${minute(started_at)} UTC`],
      ['key', key_id],
      ['model', model],
      ['result', 'under way'],
      ['held', dollars(held)],
    ])
  }
  const { exchange: row, corrections } = found
  const { notes, tries, price } = readDetails(row)
  return factsOf([
    ['exchange', row.id],
    ['began', `${new Date(row.started_at).toISOString().slice(0, 19).replace('T', ' ')} UTC`],
    ['key', row.keyName === null ? row.key_id : `${row.keyName} (${row.key_id})`],
    ['project', row.project_id],
    ['asked for', `${row.model}, ${row.endpoint} of ${row.protocol}`],
    ['answered by', row.target ?? '–'],
    ['chosen by', row.route ?? undefined],
    ['result', row.result],
    ...tries.map(
      (one, at) =>
        [
          `try ${at + 1}`,
          `${one.target}: ${one.result} after ${one.tookMs} ms${lostWords(one)}`,
        ] as const,
    ),
    ['tokens', tokens(row)],
    ['cost', cost(row)],
    ['price', price === undefined ? 'none: it cost nothing' : priceWords(price)],
    ...corrections.map(
      ({ amount, reason, actor, made_at }) =>
        ['correction', `${dollars(amount)} by ${actor} on ${minute(made_at)}: ${reason}`] as const,
    ),
    ['time', times(row)],
    ['notes', notes.length === 0 ? undefined : notes.map(noteWords).join(', ')],
  ])
}

/** What a target had said that broke: the operator may be billed for it, and nobody was charged. */
function lostWords({ lost }: Try): string {
  if (lost === undefined) return ''
  const { input, output, cost: worth } = lost
  return `, ${count(input)} input and ${count(output)} output lost (${dollars(worth)}, not charged)`
}

function tokens(row: ExchangeRow): string {
  const kinds = [
    ['input', row.input],
    ['read from cache', row.cache_read],
    ['written to cache', row.cache_write],
    ['output', row.output],
    ['of it reasoning', row.reasoning],
  ] as const
  const told = kinds.flatMap(([name, number]) =>
    number === null ? [] : [`${count(number)} ${name}`],
  )
  return `${told.length === 0 ? 'none' : told.join(', ')} (${row.counted})`
}

function cost({ cost: charged, corrected, held, excess }: ExchangeRow): string {
  const beyond = excess > 0 ? `; the upstream may bill ${dollars(excess)} more` : ''
  const changed = corrected === 0 ? '' : `, corrected to ${dollars(charged + corrected)}`
  return `${dollars(charged)} of ${dollars(held)} held${changed}${beyond}`
}

function priceWords(price: Readonly<Record<string, unknown>>): string {
  const { input, output, since, source } = price
  return `${dollars(Number(input))} in, ${dollars(Number(output))} out for a million tokens, since ${String(since)} (${String(source)})`
}

function times({ queue_ms, first_byte_ms, total_ms }: ExchangeRow): string {
  const parts = [
    queue_ms !== null && `${queue_ms} ms in a queue`,
    first_byte_ms !== null && `first byte after ${first_byte_ms} ms`,
    `${total_ms} ms in all`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

function noteWords({ field, what }: { readonly field: string; readonly what: string }): string {
  return `${field} ${what}`
}
