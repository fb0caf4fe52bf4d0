import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'

import type { Figure } from './figure.ts'

const file = new URL('../../docs/proof.md', import.meta.url).pathname
const begin = '<!-- load: written by `npm run load -- --write` -->'
const end = '<!-- end of the load -->'

/** Puts the figures of a run into the document, in place of those that the same parts had before. */
export function writeLoadProof(
  results: Readonly<Record<string, readonly Figure[]>>,
  { priority: raised }: { readonly priority: number },
): void {
  const text = readFileSync(file, 'utf8')
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from === -1 || to < from) throw new Error(`${file} has no place for the figures of the load.`)
  const rows = Object.entries(results).flatMap(([part, figures]) =>
    figures.map(
      ({ what, value, limit, holds }) =>
        `| \`${part}\` | ${what} | ${value} | ${limit} | ${limit === '' ? '' : holds ? 'yes' : '**no**'} |`,
    ),
  )
  const kept = text
    .slice(from, to)
    .split('\n')
    .filter(
      (line) =>
        line.startsWith('| `') &&
        !Object.keys(results).some((part) => line.startsWith(`| \`${part}\``)),
    )
  const day = new Date().toISOString().slice(0, 10)
  const priority = raised === 0 ? '' : `, all three raised by ${raised} in priority`
  const machine = `${cpus().length} cores that clients, upstream and gateway share, Bun ${Bun.version}${priority}, load average ${loadavg()[0]?.toFixed(1)} at the end`
  const table = [
    '',
    `Last run on ${day}, ${machine}.`,
    '',
    '| part | what | found | has to be | holds |',
    '|---|---|--:|--:|---|',
    ...kept,
    ...rows,
    '',
  ]
  writeFileSync(file, `${text.slice(0, from)}${begin}\n${table.join('\n')}\n${text.slice(to)}`)
}
