import { Command } from 'commander'
import pc from 'picocolors'

import { configHelp, readConfig } from '#commands/config-file.ts'
import { CommandFailure, exitCodes } from '#commands/exit-codes.ts'
import { type Outside, processOutside } from '#commands/outside.ts'
import { ConfigError } from '#config/problem.ts'
import type { Config } from '#config/schema.ts'
import { Keys } from '#keys/keys.ts'
import { Storage } from '#storage/database.ts'
import { databaseFile, homeFolder } from '#storage/home.ts'
import { discover } from '#upstreams/discover.ts'
import type { VendorName } from '#upstreams/vendors/vendors.ts'

import {
  clockFinding,
  descriptorFinding,
  engineFindings,
  type Finding,
  homeFindings,
  stateFindings,
  upstreamFindings,
} from './doctor-checks.ts'

interface DoctorFlags {
  readonly config?: string
  readonly json?: boolean
}

/** `parley doctor`: looks at everything that a gateway needs, and says what to do where something is wrong. */
export function doctorCommand(outside: Outside = processOutside()): Command {
  return new Command('doctor')
    .description('Look at upstreams, keys, clock, disk and limits, and say what to do.')
    .option('--config <file>', configHelp)
    .option('--json', 'print JSON for programs')
    .action(async ({ config, json }: DoctorFlags) => {
      const findings = await examine(config, outside)
      outside.print(json === true ? JSON.stringify(findings) : findings.map(lineOf).join('\n'))
      const ill = findings.filter(({ state }) => state === 'ill').length
      if (ill > 0)
        throw new CommandFailure(
          exitCodes.unavailable,
          ill === 1 ? 'One thing has to be mended.' : `${ill} things have to be mended.`,
        )
    })
}

async function examine(file: string | undefined, outside: Outside): Promise<readonly Finding[]> {
  const home = homeFolder(outside.environment)
  const [config, configFinding] = await configOf(file, outside)
  const state = await stateOf(home, outside)
  const local = [configFinding, ...homeFindings(home), ...descriptorFinding(), ...state]
  if (config === undefined) return local
  const { port, adminPort } = config.listen
  const isConfigured = Object.keys(config.upstreams).length > 0
  const discovered = isConfigured
    ? []
    : await discover({ environment: outside.environment, ownPorts: [port, adminPort] })
  const urls = Object.values(config.upstreams).flatMap(({ url }) => url ?? [])
  const [upstreams, engine, clock] = await Promise.all([
    upstreamFindings(config, discovered),
    engineFindings(config, home),
    clockFinding([...new Set(urls.map((url) => new URL(url).origin))], outside.now),
  ])
  return [...local, ...clock, ...engine, ...upstreams]
}

async function configOf(
  file: string | undefined,
  outside: Outside,
): Promise<[Config<VendorName> | undefined, Finding]> {
  try {
    const { config, path } = await readConfig(file, outside.environment)
    return [config, { what: 'config', state: 'well', found: path ?? 'none: all as by default' }]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const found = error.message.split('\n')[0] ?? ''
    return [undefined, { what: 'config', state: 'ill', found, advice: '"parley check" tells all.' }]
  }
}

async function stateOf(home: string, outside: Outside): Promise<readonly Finding[]> {
  const file = databaseFile(home)
  if (!(await Bun.file(file).exists())) return []
  try {
    using storage = await Storage.open(file, { check: true })
    using keys = new Keys(storage, { now: outside.now })
    const found = `${file} is whole`
    const rest = await stateFindings(storage, keys, outside.now())
    return [{ what: 'database', state: 'well', found }, ...rest]
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    return [{ what: 'database', state: 'ill', found }]
  }
}

const marks = { well: pc.green('✓'), odd: pc.yellow('!'), ill: pc.red('✗') } as const

function lineOf({ what, state, found, advice }: Finding): string {
  const line = `${marks[state]} ${what.padEnd(20)} ${found}`
  return advice === undefined ? line : `${line}\n${' '.repeat(23)}${pc.dim(advice)}`
}
