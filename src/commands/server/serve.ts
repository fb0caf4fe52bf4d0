import { Command, InvalidArgumentError } from 'commander'
import pino, { type Logger } from 'pino'

import { configHelp, configPath, readConfig } from '#commands/config-file.ts'
import { CommandFailure, exitCodes } from '#commands/exit-codes.ts'
import { firstKey } from '#commands/keys/first-key.ts'
import { openControl } from '#commands/models/control.ts'
import { type Outside, processOutside } from '#commands/outside.ts'
import type { Environment } from '#config/environment.ts'
import type { Loaded } from '#config/load.ts'
import { type Origin, overridden } from '#config/origins.ts'
import type { Config } from '#config/schema.ts'
import { consoleState } from '#console/api/console-state.ts'
import { Gateway, type GatewayOptions } from '#gateway.ts'
import { databaseFile, homeFolder } from '#storage/home.ts'
import { discover } from '#upstreams/discover.ts'
import type { VendorName } from '#upstreams/vendors/vendors.ts'

import { adminUrls } from './admin-urls.ts'
import { listenFailure } from './listen-failure.ts'
import { Patience } from './patience.ts'
import { preload } from './preload.ts'
import { Reloader } from './reloader.ts'
import { Signals } from './signals.ts'
import { greeting, modelsAndPastes, type WelcomeFacts, welcomeJson } from './welcome.ts'

interface ServeFlags {
  readonly port?: number
  readonly host?: string
  readonly adminPort?: number
  readonly config?: string
  readonly json?: boolean
}

/** Time that exchanges under way are given when the process is asked to stop. */
const graceMs = 30_000

/** After this the process ends, whatever still holds it. */
const lastMs = 5000

/** `parley serve`: starts the gateway and runs until it is asked to stop. */
export function serveCommand(outside: Outside = processOutside()): Command {
  return new Command('serve')
    .description('Start the gateway. This is what parley does without a command.')
    .option('--port <number>', 'where to listen; 0 for any free port (PORT; else 8700)', portNumber)
    .option('--host <address>', 'on which address (else 127.0.0.1)')
    .option(
      '--admin-port <number>',
      'where the admin API listens; 0 for any free port (PARLEY_ADMIN_PORT; else 8701)',
      portNumber,
    )
    .option('--config <file>', configHelp)
    .option('--json', 'say where it serves as one line of JSON for programs')
    .action((flags: ServeFlags) => serve(flags, outside))
}

async function serve(flags: ServeFlags, outside: Outside): Promise<void> {
  const signals = new Signals()
  using patience = new Patience(outside.hint)
  const { environment } = outside
  const known = new WeakMap<Config<VendorName>, Loaded<VendorName>>()
  const read = async () => {
    const found = await configOf(flags, environment)
    known.set(found.config, found)
    return found
  }
  const loaded = await read()
  const lines = pino.destination({ dest: 2, sync: false })
  const log = pino({ level: loaded.config.log.level }, lines)
  const originsOf = (config: Config<VendorName>) => known.get(config)
  await using gateway = await started({ loaded, originsOf, environment, log, lines, patience })
  using reloader = await Reloader.start({
    ...loaded,
    path: configPath(flags.config, environment),
    read: async () => (await read()).config,
    gateway,
    log,
  })
  signals.onReload = () => reloader.reload()
  const home = homeFolder(environment)
  using _control = await openControl({ home, engine: () => gateway.engine, log })
  const ending = new AbortController()
  const preloaded = preload(gateway, log, ending.signal)
  const { host } = loaded.config.listen
  const [key, console] = await Promise.all([firstKey(gateway.keys, home), consoleState()])
  const setup = await gateway.admin?.openSetup()
  const admin = adminUrls(loaded.config.listen, gateway.admin?.port, setup?.token)
  const facts = { host, port: gateway.port, path: loaded.path, key, console, ...admin }
  await Promise.race([welcome(facts, { flags, outside, gateway, patience }), signals.asked])
  patience.end()
  await stopped(gateway, signals, outside)
  ending.abort()
  await preloaded
  log.flush()
}

interface Starting {
  readonly loaded: Loaded<VendorName>
  readonly originsOf: NonNullable<GatewayOptions['originsOf']>
  readonly environment: Environment
  readonly log: Logger
  readonly lines: NonNullable<GatewayOptions['lines']>
  readonly patience: Patience
}

async function started(starting: Starting): Promise<Gateway> {
  const { loaded, originsOf, environment, log, lines, patience } = starting
  const { config } = loaded
  const { port, adminPort } = config.listen
  const isConfigured = Object.keys(config.upstreams).length > 0
  patience.doing('looking for model servers on this machine')
  const discovered = isConfigured
    ? []
    : await discover({
        environment,
        ownPorts: [port, adminPort],
        report: (problem) => log.warn(problem),
      })
  patience.doing('opening the database')
  const home = homeFolder(environment)
  const database = databaseFile(home)
  const surroundings = { home, environment }
  try {
    const where = { database, surroundings, log, lines }
    return await Gateway.start({ config, originsOf, discovered, ...where })
  } catch (error) {
    throw listenFailure(error, config.listen)
  }
}

interface Welcoming {
  readonly flags: ServeFlags
  readonly outside: Outside
  readonly gateway: Gateway
  readonly patience: Patience
}

/** Where the gateway is, at once; which models it has, as soon as the upstreams have said so or had their time. */
async function welcome(
  facts: WelcomeFacts,
  { flags, outside, gateway, patience }: Welcoming,
): Promise<void> {
  if (flags.json === true) {
    patience.end()
    return outside.print(welcomeJson(facts))
  }
  outside.print(greeting(facts))
  patience.doing('asking the upstreams for their models')
  const cards = await gateway.models()
  patience.end()
  outside.print(modelsAndPastes(facts, cards))
}

/** Resolves when the process was asked to stop and everything under way has ended. A second request does not wait. */
async function stopped(gateway: Gateway, signals: Signals, outside: Outside): Promise<void> {
  await signals.asked
  const { inFlight } = gateway
  if (inFlight > 0)
    outside.hint(
      `Stopping. ${inFlight} under way may take ${graceMs / 1000} s; ask again to stop now.`,
    )
  await Promise.race([gateway.drain(graceMs), signals.urged.then(() => gateway.drain(0))])
  setTimeout(() => process.exit(exitCodes.internal), lastMs).unref()
}

/** The config of the file, with what the command line and the environment say of the listener. */
async function configOf(
  { host, port, adminPort, config: file }: ServeFlags,
  environment: Environment,
): Promise<Loaded<VendorName>> {
  const { config, path, origins } = await readConfig(file, environment)
  const { listen } = config
  const fromEnvironment = {
    port: environmentPort('PORT', environment),
    adminPort: environmentPort('PARLEY_ADMIN_PORT', environment),
  }
  const said = {
    ...listen,
    host: host ?? listen.host,
    port: port ?? fromEnvironment.port ?? listen.port,
    adminPort: adminPort ?? fromEnvironment.adminPort ?? listen.adminPort,
  }
  const over = [
    ...listenOrigins(fromEnvironment, 'environment'),
    ...listenOrigins({ host, port, adminPort }, 'command-line'),
  ]
  return { config: { ...config, listen: said }, path, origins: overridden(origins, over) }
}

function listenOrigins(said: object, from: Origin['from']): readonly Origin[] {
  const named = Object.entries(said).filter(([, value]) => value !== undefined)
  return named.map(([name]) => ({ path: ['listen', name], from }))
}

function environmentPort(name: string, environment: Environment): number | undefined {
  const text = environment[name]
  if (text === undefined || text === '') return undefined
  if (isPort(text)) return Number(text)
  throw new CommandFailure(exitCodes.usage, `${name} is "${text}" in the environment: ${aPort}.`)
}

function portNumber(text: string): number {
  if (isPort(text)) return Number(text)
  throw new InvalidArgumentError(aPort)
}

const aPort = 'expected a port number from 0 to 65535'

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535
}
