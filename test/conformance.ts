import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Glob } from 'bun'
import pc from 'picocolors'

import { cases, open } from './cases.ts'

/**
 * Runs the tests and says of every case of the protocol tables whether it holds: a case holds if at least one test
 * carries its id and every test that does passes.
 */
const folder = mkdtempSync(join(tmpdir(), 'parley-conformance-'))
const report = join(folder, 'report.xml')
// Only what proves a case is run: the suites of crashes and faults take minutes, and say nothing here.
const proving = await filesWithCases()
const run = Bun.spawn(
  [
    process.execPath,
    'test',
    '--timeout=20000',
    '--reporter=junit',
    `--reporter-outfile=${report}`,
    ...proving,
  ],
  { stdout: 'ignore', stderr: 'ignore', env: process.env },
)
await run.exited
const results = resultsIn(readFileSync(report, 'utf8'))
rmSync(folder, { recursive: true, force: true })

let unproven = 0
for (const [table, ids] of Object.entries(cases)) {
  const all = ids.split(' ')
  const holding = all.filter((id) => results.get(id) === true)
  console.log(`${pc.bold(table)}: ${holding.length} of ${all.length} hold`)
  for (const id of all.filter((one) => results.get(one) !== true)) {
    unproven += open[id] === undefined ? 1 : 0
    const why =
      open[id] ?? (results.get(id) === false ? pc.red('a test of it fails') : pc.red('no test'))
    console.log(`  ${id.padEnd(8)} ${why}`)
  }
}
process.exitCode = unproven === 0 ? 0 : 1

/** Each id that a test's name carries, and whether all tests that carry it pass. */
function resultsIn(xml: string): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>()
  for (const [, name = '', rest = ''] of xml.matchAll(
    /<testcase name="([^"]*)"([^>]*>(?:\s*<(?:failure|skipped))?)/g,
  )) {
    const hasPassed = !/<(?:failure|skipped)/.test(rest)
    for (const id of idsIn(name)) found.set(id, hasPassed && (found.get(id) ?? true))
  }
  return found
}

async function filesWithCases(): Promise<readonly string[]> {
  const files = [...new Glob('{src,test}/**/*.test.ts').scanSync('.')]
  const texts = await Promise.all(files.map(async (file) => Bun.file(file).text()))
  return files.filter((_, at) => idsIn(texts[at] ?? '').length > 0).map((file) => `./${file}`)
}

function idsIn(name: string): readonly string[] {
  return (
    name.match(/(?<![-\w])(?:T-[A-Z]\d\d|V1021-\d\d|[A-Z]{3,4}-\d\d|[AVNSEMRX]\d\d)(?!\w)/g) ?? []
  )
}
