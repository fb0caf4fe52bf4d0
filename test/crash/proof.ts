import { readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform } from 'node:os'
import { join } from 'node:path'

import { repository } from './gateway-process.ts'
import type { Outcome, SuiteName } from './suites.ts'

/** A run of the suites, as `docs/proof.md` tells of it. */
export interface ProofRun {
  readonly seed: number
  readonly minutes: number
  readonly outcomes: ReadonlyMap<SuiteName, Outcome>
}

const file = join(repository, 'docs/proof.md')
const begin = '<!-- figures: written by `npm run test:crash -- --write` -->'
const end = '<!-- end of the figures -->'

/** Puts the figures of a run into the document, in place of those of the run before. */
export function writeProof(run: ProofRun): void {
  const text = readFileSync(file, 'utf8')
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from === -1 || to < from) throw new Error(`${file} has no place for the figures.`)
  writeFileSync(file, `${text.slice(0, from)}${begin}\n${figures(run)}\n${text.slice(to)}`)
}

function figures({ seed, minutes, outcomes }: ProofRun): string {
  const day = new Date().toISOString().slice(0, 10)
  const machine = `${cpus().length} cores, ${platform()} ${arch()}, Bun ${Bun.version}`
  const rows = [...outcomes].map(
    ([name, { done, found, violations }]) =>
      `| \`${name}\` | ${done} | ${found} | ${violations.length} |`,
  )
  return [
    '',
    `Run on ${day}, ${Math.round(minutes)} minutes, ${machine}, \`--seed ${seed}\`.`,
    '',
    '| suite | what was done | what came of it | promises broken |',
    '|---|---|---|--:|',
    ...rows,
    '',
  ].join('\n')
}
