import { Command } from 'commander'
import pc from 'picocolors'

import { configHelp, configPath, readConfig } from '#commands/config-file.ts'
import { CommandFailure, exitCodes } from '#commands/exit-codes.ts'
import { type Outside, processOutside } from '#commands/outside.ts'
import { unpricedIn } from '#commands/usage/unpriced.ts'
import { ConfigError } from '#config/problem.ts'
import type { Config } from '#config/schema.ts'
import { homeFolder } from '#storage/home.ts'
import { storeOf } from '#upstreams/build-engine.ts'

interface CheckFlags {
  readonly config?: string
  readonly json?: boolean
}

/** `parley check`: says whether a config can be used, and if not, everything that is wrong with it. */
export function checkCommand(outside: Outside = processOutside()): Command {
  return new Command('check')
    .description('Say whether the config can be used, and if not, everything that is wrong.')
    .option('--config <file>', configHelp)
    .option('--json', 'print JSON for programs')
    .action(async ({ config, json }: CheckFlags) => {
      if (json === true) await checkForPrograms(config, outside)
      else await checkForPeople(config, outside)
    })
}

async function checkForPeople(file: string | undefined, outside: Outside): Promise<void> {
  const { config, path } = await readConfig(file, outside.environment)
  outside.print(`${pc.green('✓')} ${path ?? 'No config file: everything is as by default.'}`)
  if (path === undefined) return
  const upstreams = Object.keys(config.upstreams).join(', ')
  const models = Object.keys(config.models).join(', ')
  const own = await engineModels(config, outside)
  outside.print(`  upstreams  ${upstreams || pc.dim('none: what is found when it starts')}`)
  outside.print(
    `  models     ${models || pc.dim('none of your own; every model of an upstream answers to its name')}`,
  )
  outside.print(`  engine     ${own.join(', ') || pc.dim('switched off')}`)
  const unpriced = unpricedIn(config).join(', ')
  if (unpriced) outside.print(`  no price   ${unpriced} ${pc.dim('(charged zero)')}`)
}

/** The models that the engine would offer. */
async function engineModels(
  { engine }: Pick<Config, 'engine'>,
  { environment }: Outside,
): Promise<readonly string[]> {
  if (!engine.enabled) return []
  const marks = await storeOf(engine, homeFolder(environment)).catalogue()
  return marks.map(({ name }) => name)
}

/** The same answer for programs: what is wrong goes to standard output too, and the exit code still says so. */
async function checkForPrograms(file: string | undefined, outside: Outside): Promise<void> {
  try {
    const { config, path } = await readConfig(file, outside.environment)
    const upstreams = Object.keys(config.upstreams)
    const models = Object.keys(config.models)
    const engine = await engineModels(config, outside)
    const unpriced = unpricedIn(config)
    const facts = { upstreams, models, engine, unpriced }
    outside.print(JSON.stringify({ ok: true, path: path ?? null, ...facts }))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const { problems } = error
    const path = configPath(file, outside.environment)
    outside.print(JSON.stringify({ ok: false, path, problems }))
    throw new CommandFailure(exitCodes.data, `${path} cannot be used.`)
  }
}
