import { optionsOf } from '#test/suite-options.ts'

import { clientFaults } from './client-faults.ts'
import { runClientMatrix } from './client-matrix.ts'
import { type Crowded, runCrowds } from './crowds.ts'
import { runMediaUrls } from './media-urls.ts'
import { type Figures, writeFigures } from './proof.ts'
import { judge } from './sdk-judges.ts'
import { runTlsMatrix, tlsFaultNames } from './tls-matrix.ts'
import { upstreamFaults } from './upstream-faults.ts'
import { runUpstreamMatrix } from './upstream-matrix.ts'

// Every fault in every variant, the slow ones too: about three minutes.

const values = optionsOf('Every fault of clients and upstreams, in every variant.', {
  only: { usual: '', about: 'a part of the names or kinds of the faults' },
  write: { usual: false, about: 'write the figures into docs/proof.md' },
})

// A good request takes milliseconds; the rest is for a machine that has something else to do, and is told.
const limits = { patienceMs: 2000, controlMs: 3000, memoryMiB: 250 }
const isChosen = ({ name, kind }: { readonly name: string; readonly kind: string }) =>
  name.includes(values.only) || kind.includes(values.only)
const chosen = {
  client: clientFaults.filter(isChosen),
  upstream: upstreamFaults.filter(isChosen),
}

const began = performance.now()
const violations: string[] = []

// What waits for a minute waits beside everything else that does.
const slow = runClientMatrix({
  ...limits,
  controlMs: 5000,
  memoryMiB: 1000,
  faults: chosen.client.filter(({ isSlow }) => isSlow === true),
  atOnce: 100,
})
const client = await runClientMatrix({
  ...limits,
  faults: chosen.client.filter(({ isSlow }) => isSlow !== true),
})
tell('client side', client)
const upstream = await runUpstreamMatrix({ ...limits, faults: chosen.upstream })
tell('upstream side', upstream)
const tls = values.only === '' ? await runTlsMatrix() : []
violations.push(...tls)
const judged = await judge({
  ...limits,
  faults: chosen.upstream.filter(({ kind, isSlow }) => kind !== 'giant' && isSlow !== true),
})
violations.push(...judged.violations)
console.log(
  `official clients: ${judged.judged} calls, ${judged.wholes} whole, ${judged.errors} errors, ${judged.truncations} truncations`,
)
const crowds: readonly Crowded[] = values.only === '' ? await runCrowds() : []
for (const { name, connections, found, violations: wrong } of crowds) {
  console.log(`${connections} ${name}: ${found}`)
  violations.push(...wrong)
}
const media = values.only === '' ? await runMediaUrls() : { forms: 0, requests: 0, violations: [] }
violations.push(...media.violations)
const patient = await slow
tell('client side, slow', patient)

for (const violation of violations) console.log(`  ${violation}`)
const seconds = Math.round((performance.now() - began) / 1000)
console.log(`${violations.length} violations in ${seconds} s`)
const figures: Figures = {
  client: [client, patient],
  upstream: [upstream],
  tls: tlsFaultNames.length,
  judged,
  media,
  crowds,
  violations: violations.length,
  seconds,
}
if (values.write) writeFigures(figures)
process.exit(violations.length === 0 ? 0 : 1)

function tell(name: string, report: typeof client): void {
  console.log(`${name}: ${report.rows} faults, ${report.exchanges} times`)
  for (const [kind, rows] of report.kinds) console.log(`  ${String(rows).padStart(4)}  ${kind}`)
  console.log(
    `  slowest control ${Math.round(report.slowestControlMs)} ms, memory ${Math.round(report.growthMiB)} MiB`,
  )
  for (const words of report.known ?? []) console.log(`  known: ${words}`)
  violations.push(...report.violations)
}
