import { existsSync, readFileSync, writeFileSync } from 'node:fs'

import type { Crowded } from './crowds.ts'
import type { MediaReport } from './media-urls.ts'
import type { Judged } from './sdk-judges.ts'
import type { Report } from './upstream-matrix.ts'

export interface Figures {
  readonly client: readonly Report[]
  readonly upstream: readonly Report[]
  /** How many faults of TLS. */
  readonly tls: number
  readonly judged: Judged
  readonly media: MediaReport
  readonly crowds: readonly Crowded[]
  readonly violations: number
  readonly seconds: number
}

const file = new URL('../../docs/proof.md', import.meta.url)
const begin = '<!-- faults: written by `npm run faults -- --write` -->'
const end = '<!-- end of the faults -->'

/** Puts the figures of a run into the document, in place of those of the run before. */
export function writeFigures(figures: Figures): void {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '# What is proven, and how\n'
  const table = `${begin}\n\n${tableOf(figures)}\n\n${end}`
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  const isThere = from !== -1 && to > from
  const whole = isThere
    ? text.slice(0, from) + table + text.slice(to + end.length)
    : `${text.trimEnd()}\n\n## Faults\n\n${words}\n\n${table}\n`
  writeFileSync(file, whole)
}

const words = `\`npm run faults\` lets everything go wrong that can: each fault is a row of data in \`test/faults/\`, met by callers of both
protocols, streamed and not, in front of upstreams of both protocols, with and without a second target. After every row one
oracle looks at the same invariants: one row in the ledger and the right one, balances that add up, no success seen that was
none, nothing left open, a good request beside it that succeeds, no secret in any output, memory in bounds. The official clients
say what a user sees. A good part of it runs in \`npm test\`.`

function tableOf({
  client,
  upstream,
  tls,
  judged,
  media,
  crowds,
  violations,
  seconds,
}: Figures): string {
  const rows = (reports: readonly Report[]) => sum(reports, 'rows')
  const times = (reports: readonly Report[]) => sum(reports, 'exchanges')
  const kinds = (reports: readonly Report[]) =>
    reports.reduce((all, { kinds }) => new Set([...all, ...kinds.keys()]), new Set<string>()).size
  return [
    `Run on ${new Date().toISOString().slice(0, 10)}, ${seconds} s: ${violations} violations.`,
    '',
    '| what went wrong | faults | kinds | exchanges | violations |',
    '|---|--:|--:|--:|--:|',
    `| on the client's side: disconnects, stalls, smuggling, paths, bodies, credentials | ${rows(client)} | ${kinds(client)} | ${times(client)} | ${wrong(client)} |`,
    `| on the upstream's side: connections, statuses, streams, replies, usage, headers | ${rows(upstream)} | ${kinds(upstream)} | ${times(upstream)} | ${wrong(upstream)} |`,
    `| TLS: certificates and handshakes | ${tls} | 1 | ${tls * 2} | – |`,
    `| seen through the official clients: ${judged.wholes} whole answers, ${judged.errors} errors, ${judged.truncations} half answers taken for whole | – | – | ${judged.judged} | ${judged.violations.length} |`,
    `| URLs in requests that the gateway must not fetch | ${media.forms} | – | ${media.requests} | ${media.violations.length} |`,
    '',
    ...crowds.map(({ name, connections, found }) => `- ${connections} ${name}: ${found}.`),
    '',
    `The slowest good request beside all of it took ${slowest([...client, ...upstream])} ms; the process grew by ${growth([...client, ...upstream])} MiB at most.`,
  ].join('\n')
}

function slowest(reports: readonly Report[]): number {
  return Math.round(Math.max(...reports.map(({ slowestControlMs }) => slowestControlMs)))
}

function growth(reports: readonly Report[]): number {
  return Math.round(Math.max(0, ...reports.map(({ growthMiB }) => growthMiB)))
}

function sum(reports: readonly Report[], what: 'rows' | 'exchanges'): number {
  return reports.reduce((all, report) => all + report[what], 0)
}

function wrong(reports: readonly Report[]): number {
  return reports.reduce((all, { violations }) => all + violations.length, 0)
}
