import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { parseDocument } from 'yaml'

import { type Environment, fillFromEnvironment } from './environment.ts'
import { configJsonSchema } from './json-schema.ts'
import { type Origin, originsOf } from './origins.ts'
import { ConfigError, type Problem } from './problem.ts'
import { problemsOf } from './problems-of.ts'
import { type Config, configSchema } from './schema.ts'
import { targetProblems } from './target-problems.ts'

export interface ParseOptions<VendorName extends string> {
  readonly vendors: readonly VendorName[]
  /** Upstreams that are there without being configured, such as the engine. */
  readonly builtIn?: readonly string[]
  readonly environment: Environment
  /** What other parts find wrong with a config that is valid in itself. */
  readonly check?: (config: Config<VendorName>) => readonly Problem[]
}

export interface LoadOptions<VendorName extends string> extends ParseOptions<VendorName> {
  /** The file that was named on the command line. */
  readonly path?: string | undefined
  /** The folder in which `parley.yaml` is looked for. */
  readonly folder: string
}

export interface Loaded<VendorName extends string> {
  readonly config: Config<VendorName>
  /** The file that was read, or undefined if there is none and everything is as by default. */
  readonly path: string | undefined
  readonly origins: readonly Origin[]
}

/**
 * Reads the config: the file that was named, that of `PARLEY_CONFIG`, or `parley.yaml` if there is one.
 * Throws a `ConfigError` with everything that is wrong with it.
 */
export async function loadConfig<const VendorName extends string>(
  options: LoadOptions<VendorName>,
): Promise<Loaded<VendorName>> {
  const { environment, folder } = options
  const named = options.path ?? (environment['PARLEY_CONFIG'] || undefined)
  const path = resolve(folder, named ?? 'parley.yaml')
  const text = await textAt(path, named !== undefined)
  return { ...parsedConfig(text ?? '', path, options), path: text === undefined ? undefined : path }
}

/** Reads a config from its text. `source` names it in messages. */
export function parseConfig<const VendorName extends string>(
  text: string,
  source: string,
  options: ParseOptions<VendorName>,
): Config<VendorName> {
  return parsedConfig(text, source, options).config
}

function parsedConfig<const VendorName extends string>(
  text: string,
  source: string,
  options: ParseOptions<VendorName>,
): Omit<Loaded<VendorName>, 'path'> {
  const { vendors, builtIn = [], environment, check } = options
  const filled = fillFromEnvironment(yamlIn(text, source), environment)
  const parsed = configSchema(vendors).safeParse(filled.value)
  const own = parsed.success
    ? (check?.(parsed.data) ?? [])
    : problemsOf(parsed.error.issues, { ...filled, jsonSchema: configJsonSchema(vendors) })
  const problems = [
    ...filled.problems,
    ...own.filter(isNewIn(filled.problems)),
    ...targetProblems(filled.value, builtIn),
  ]
  if (parsed.success && problems.length === 0)
    return { config: parsed.data, origins: originsOf(filled) }
  throw new ConfigError(source, problems)
}

async function textAt(path: string, isNamed: boolean): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' && !isNamed) return undefined
    const expected =
      code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${String(code)})`
    throw new ConfigError(path, [{ path: [], expected }])
  }
}

function yamlIn(text: string, source: string): unknown {
  const document = parseDocument(text, { prettyErrors: true })
  const { errors } = document
  if (errors.length > 0) {
    const problems = errors.map(({ message }) => ({
      path: [],
      expected: message.split('\n', 1)[0] ?? '',
    }))
    throw new ConfigError(source, problems)
  }
  return document.toJS({ maxAliasCount: 100 }) ?? {}
}

/** A reference that was not filled needs no second complaint about what is in its place. */
function isNewIn(known: readonly Problem[]): (problem: Problem) => boolean {
  const paths = new Set(known.map(({ path }) => path.join('\0')))
  return ({ path }) => !paths.has(path.join('\0'))
}
