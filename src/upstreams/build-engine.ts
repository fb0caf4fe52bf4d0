import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { Engine, type EngineOptions } from '#engine/engine.ts'
import { ModelStore, type NamedModel } from '#engine/files/model-store.ts'

/** What an operator says of the engine. */
export interface EngineSettings {
  readonly sequences: number
  readonly queue: number
  /** Milliseconds. */
  readonly idle: number
  readonly threads?: number | undefined
  /** Bytes. */
  readonly memory?: number | undefined
  readonly gpuLayers?: number | 'auto' | undefined
  readonly models: Readonly<Record<string, NamedModel>>
}

/** Where the engine lives. */
export interface EngineSurroundings {
  /** The folder of all state; without it there are only the models in the box. */
  readonly home?: string
  /** The environment of the gateway, of which the child sees a little. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** How long the child may be silent while it owes something, in milliseconds. */
  readonly patienceMs?: number
  /** The wait before the second start of a child that failed, in milliseconds; it doubles with each further one. */
  readonly backOffMs?: number
  readonly report: EngineOptions['report']
}

/** The engine as an operator wants it. Nothing is started before it is asked for something. */
export function buildEngine(settings: EngineSettings, surroundings: EngineSurroundings): Engine {
  const { home, environment = {}, patienceMs, backOffMs, report } = surroundings
  const { sequences, queue, idle, threads, memory, gpuLayers } = settings
  return new Engine({
    store: storeOf(settings, home),
    environment: { ...passedOn(environment), ...gpuBuilds(home) },
    load: {
      sequences,
      ...(threads !== undefined && { threads }),
      ...(memory !== undefined && { memoryLimit: memory }),
      ...(gpuLayers !== undefined && { gpuLayers }),
    },
    queue,
    idleMs: Math.min(idle, longestTimerMs),
    patienceMs,
    backOffMs,
    report,
  })
}

/** The models of a home and of a config, for those who only look at files. */
export function storeOf(
  { models }: Pick<EngineSettings, 'models'>,
  home: string | undefined,
): ModelStore {
  const named = Object.entries(models).map(([name, { file, load }]) => [
    name,
    { load, file: file === undefined ? undefined : resolve(file) },
  ])
  return new ModelStore({
    folder: home === undefined ? undefined : modelsFolder(home),
    named: Object.fromEntries(named),
  })
}

/** Where pulled models lie in a home. */
export function modelsFolder(home: string): string {
  return join(home, 'models')
}

/** A timer takes no more. */
const longestTimerMs = 2 ** 31 - 1

const passedNames = new Set(['PATH', 'HOME', 'LANG', 'TMPDIR'])

/** The child runs native code on files from anywhere: it is given no key and nothing else that it does not need. */
function passedOn(environment: Readonly<Record<string, string | undefined>>) {
  const entries = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      (passedNames.has(entry[0]) || entry[0].startsWith('PARLEY_ENGINE_')),
  )
  return Object.fromEntries(entries)
}

/** Where the GPU builds lie, if somebody has installed them into the home. */
function gpuBuilds(home: string | undefined): Record<string, string> {
  if (home === undefined) return {}
  const folder = join(home, 'gpu', 'node_modules', 'node-llama-cpp')
  return existsSync(join(folder, 'package.json')) ? { PARLEY_ENGINE_GPU: folder } : {}
}
