import { resolve } from 'node:path'

import { upstreamProblems } from '#commands/health/upstream-problems.ts'
import type { Environment } from '#config/environment.ts'
import { type Loaded, loadConfig } from '#config/load.ts'
import { engineName } from '#upstreams/engine-upstream.ts'
import { type VendorName, vendorNames } from '#upstreams/vendors/vendors.ts'

/** The config of a command: its file, if it names one, the environment's, or `./parley.yaml`. Throws `ConfigError`. */
export async function readConfig(
  named: string | undefined,
  environment: Environment,
): Promise<Loaded<VendorName>> {
  return loadConfig({
    path: named,
    environment,
    folder: process.cwd(),
    vendors: vendorNames,
    builtIn: [engineName],
    check: upstreamProblems,
  })
}

/** Where that file is, or would be. */
export function configPath(named: string | undefined, environment: Environment): string {
  return resolve(named ?? (environment['PARLEY_CONFIG'] || 'parley.yaml'))
}

/** What `--config` does, in every command that has it. */
export const configHelp = 'the config file (PARLEY_CONFIG, or ./parley.yaml)'
