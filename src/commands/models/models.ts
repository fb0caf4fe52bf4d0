import { Command } from 'commander'

import type { ModelCard } from '#chat/model-card.ts'
import { configHelp, readConfig } from '#commands/config-file.ts'
import { CommandFailure, exitCodes } from '#commands/exit-codes.ts'
import { type Outside, processOutside } from '#commands/outside.ts'
import { confirm } from '#commands/state.ts'
import { minute, tableOf } from '#commands/table.ts'
import { offerOf } from '#gateway.ts'
import { homeFolder } from '#storage/home.ts'
import { buildEngine, storeOf } from '#upstreams/build-engine.ts'
import { discover } from '#upstreams/discover.ts'
import { engineName } from '#upstreams/engine-upstream.ts'

import { askLoad, askStatus, askUnload } from './control.ts'
import { size } from './progress-line.ts'

interface JsonFlag {
  readonly json?: boolean
}

interface ListFlags extends JsonFlag {
  readonly config?: string
}

const jsonText = 'print JSON for programs'

/** `parley models`: what a gateway would offer, and what the engine of a running one holds in memory. */
export function modelsCommand(outside: Outside = processOutside()): Command {
  return withListOptions(new Command('models'))
    .description(
      'List the models that the upstreams offer; load, unload and remove those of the engine.',
    )
    .action((_flags: ListFlags, command: Command) => list(command.optsWithGlobals(), outside))
    .addCommand(listCommand(outside))
    .addCommand(loadCommand(outside))
    .addCommand(unloadCommand(outside))
    .addCommand(removeCommand(outside))
}

function withListOptions(command: Command): Command {
  return command.option('--config <file>', configHelp).option('--json', jsonText)
}

function listCommand(outside: Outside): Command {
  return withListOptions(new Command('list'))
    .description('List the models that the upstreams offer, the engine among them.')
    .action((_flags: ListFlags, command: Command) => list(command.optsWithGlobals(), outside))
}

function loadCommand(outside: Outside): Command {
  return new Command('load')
    .description('Let the running server load a model of the engine.')
    .argument('<name>', 'the name of the model')
    .option('--json', jsonText)
    .action(async (name: string, _flags: JsonFlag, command: Command) => {
      const facts = await askLoad(homeFolder(outside.environment), name)
      if (isJson(command)) return outside.print(JSON.stringify({ name, ...facts }))
      const { sequences, contextSize, memoryBytes } = facts
      outside.print(
        `${name} is loaded: ${sequences} × ${contextSize.toLocaleString('en')} tokens, ${size(memoryBytes)}.`,
      )
    })
}

function unloadCommand(outside: Outside): Command {
  return new Command('unload')
    .description('Let the running server unload a model of the engine.')
    .argument('<name>', 'the name of the model')
    .option('--json', jsonText)
    .action(async (name: string, _flags: JsonFlag, command: Command) => {
      const wasLoaded = await askUnload(homeFolder(outside.environment), name)
      if (isJson(command)) return outside.print(JSON.stringify({ name, wasLoaded }))
      outside.print(wasLoaded ? `${name} is unloaded.` : `${name} was not loaded.`)
    })
}

function removeCommand(outside: Outside): Command {
  return new Command('remove')
    .description('Remove the file of a model that was pulled.')
    .argument('<name>', 'the name of the model')
    .option('--yes', 'do not ask')
    .option('--json', jsonText)
    .action(async (name: string, { yes }: { readonly yes?: boolean }, command: Command) => {
      const home = homeFolder(outside.environment)
      const store = storeOf({ models: {} }, home)
      await refuseLoaded(home, name)
      const found = await store.find(name)
      if (found?.origin === 'folder' && yes !== true)
        await confirm(outside, `Remove ${name} (${found.file})?`, {})
      const { file } = await store.remove(name)
      outside.print(isJson(command) ? JSON.stringify({ name, file }) : `${name} is removed.`)
    })
}

/** The options of `models` and of its commands have the same names: whoever reads `--json` first keeps it. */
function isJson(command: Command): boolean {
  return command.optsWithGlobals<JsonFlag>().json === true
}

async function list({ config: path, json }: ListFlags, outside: Outside): Promise<void> {
  const cards = await withStates(await cardsOf(path, outside), homeFolder(outside.environment))
  if (json === true) return outside.print(JSON.stringify(cards))
  if (cards.length === 0)
    return outside.print('No models: no upstream is configured or found, or none answers.')
  outside.print(tableOf(columns, cards, outside.columns))
}

/** A model, and whether the running server has it in memory. */
interface ListedModel extends ModelCard {
  readonly state?: 'loaded' | 'loading'
}

async function withStates(
  cards: readonly ModelCard[],
  home: string,
): Promise<readonly ListedModel[]> {
  // Without a server nothing is loaded.
  const status = await askStatus(home).catch(() => undefined)
  const states = new Map(status?.models.map(({ name, state }) => [name, state]))
  return cards.map((card) => {
    const state = card.upstream === engineName ? states.get(plainName(card)) : undefined
    return state === undefined ? card : { ...card, state }
  })
}

/** The name within its upstream, where a list had to tell it from another's. */
function plainName({ id, upstream }: ModelCard): string {
  return id.startsWith(`${upstream}/`) ? id.slice(upstream.length + 1) : id
}

/** Asks the upstreams itself, so no server need run. */
async function cardsOf(path: string | undefined, outside: Outside): Promise<readonly ModelCard[]> {
  const { environment } = outside
  const { config } = await readConfig(path, environment)
  const isConfigured = Object.keys(config.upstreams).length > 0
  const { port, adminPort } = config.listen
  const discovered = isConfigured
    ? []
    : await discover({ environment, ownPorts: [port, adminPort] })
  const surroundings = { home: homeFolder(environment), report: () => {} }
  const engine = config.engine.enabled ? buildEngine(config.engine, surroundings) : undefined
  const { catalogue } = offerOf(config, discovered, engine)
  const cards = await catalogue.list()
  catalogue.close()
  return cards
}

async function refuseLoaded(home: string, name: string): Promise<void> {
  const status = await askStatus(home).catch(() => undefined)
  if (status?.models.some((model) => model.name === name) !== true) return
  throw new CommandFailure(
    exitCodes.tryAgain,
    `${name} is loaded in the running server. Unload it first: parley models unload ${name}`,
  )
}

const columns = [
  { title: 'model', isName: true, cell: ({ id }: ListedModel) => id },
  { title: 'upstream', cell: ({ upstream }: ListedModel) => upstream },
  { title: 'state', cell: ({ state }: ListedModel) => state ?? '' },
  { title: 'since', cell: ({ created }: ListedModel) => minute(created && created * 1000) },
  {
    title: 'input',
    isNumber: true,
    cell: ({ maxInput }: ListedModel) => maxInput?.toLocaleString('en') ?? '–',
  },
] as const
