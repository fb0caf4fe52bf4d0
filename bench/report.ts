import Table from 'cli-table3'
import pc from 'picocolors'

import type { AccountingFigures } from './accounting.ts'
import { type EngineFigures, printEngine } from './engine.ts'
import type { TelemetryFigures } from './telemetry.ts'

export interface Figures {
  readonly role: string
  readonly startMs: number
  readonly idleMb: number
  readonly loadedMb: number
  readonly jsonMicroseconds: number
  readonly jsonPerSecond: number
  readonly chunkMicroseconds?: number
  readonly translatedChunkMicroseconds?: number
  readonly failures: number
  readonly firstByteMs: { readonly p50: number; readonly p99: number }
}

export interface Report {
  readonly cores: number
  readonly bun: string
  readonly quick: boolean
  readonly directFirstByteMs: { readonly p50: number; readonly p99: number }
  readonly results: Readonly<Record<string, Figures>>
  readonly skipped: Readonly<Record<string, string>>
  readonly accounting: AccountingFigures
  readonly telemetry: TelemetryFigures
  readonly engine: readonly EngineFigures[]
}

/** Prints the figures as a table, each with its ratio to nginx where nginx was measured. */
export function printReport(report: Report): void {
  const base = report.results['nginx']
  const table = new Table({
    head: [
      '',
      'JSON request',
      'stream chunk',
      'translated chunk',
      'requests/s',
      'first byte added p50 / p99',
      'start',
      'memory idle / loaded',
    ],
    style: { head: [], border: [] },
  })
  for (const [name, figures] of Object.entries(report.results)) {
    const added = (key: 'p50' | 'p99'): string =>
      (figures.firstByteMs[key] - report.directFirstByteMs[key]).toFixed(2)
    table.push([
      `${pc.bold(name)}\n${pc.dim(figures.role)}`,
      cell(figures.jsonMicroseconds, base?.jsonMicroseconds),
      cell(figures.chunkMicroseconds, base?.chunkMicroseconds),
      cell(figures.translatedChunkMicroseconds, base?.chunkMicroseconds),
      String(Math.round(figures.jsonPerSecond)),
      `${added('p50')} / ${added('p99')} ms`,
      `${Math.round(figures.startMs)} ms`,
      `${Math.round(figures.idleMb)} / ${Math.round(figures.loadedMb)} MB`,
    ])
  }
  console.log(table.toString())
  console.log(
    pc.dim(
      `CPU time of the process under test, per request or chunk; × is the ratio to nginx in the same run. ${report.cores} cores, Bun ${report.bun}.`,
    ),
  )
  printAccounting(report.accounting)
  printTelemetry(report.telemetry)
  printEngine(report.engine)
  for (const [name, why] of Object.entries(report.skipped))
    console.log(pc.yellow(`skipped ${name}: ${why}`))
  for (const [name, { failures }] of Object.entries(report.results)) {
    if (failures > 0) console.log(pc.red(`${name}: ${failures} requests failed`))
  }
}

function cell(microseconds: number | undefined, base: number | undefined): string {
  if (microseconds === undefined) return '–'
  const ratio = base === undefined || base === 0 ? '' : `\n${(microseconds / base).toFixed(1)} ×`
  return `${microseconds.toFixed(1)} µs${ratio}`
}

function printTelemetry({ everything, withoutLog, off }: TelemetryFigures): void {
  console.log(
    `Metrics and traces: ${(withoutLog - off).toFixed(1)} µs of CPU an exchange; with a line of the log for each ${(everything - off).toFixed(1)} µs.`,
  )
}

function printAccounting({
  microseconds,
  mainMicroseconds,
  commitMs: { p50, p99 },
}: AccountingFigures): void {
  console.log(
    `Keys, limits, reserve and settle together: ${microseconds.toFixed(1)} µs of CPU an exchange, 32 at once, of which ${mainMicroseconds.toFixed(1)} µs in the thread that serves; the commit before it begins takes ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms.`,
  )
}
