import type { TargetModel } from '#chat/target.ts'

/** Which names the gateway has itself: those of the config, and what its upstreams list. */
export interface Known {
  /** A model that callers may ask for by this name. */
  model(name: string): boolean
  /** A model that an upstream has by this name, or that the config says it has. */
  target(upstream: string, model: string): boolean
}

/** What stands for every name that callers have made up. */
export const other = 'other'

/** The model that was asked for, as a label. */
export function modelLabel(known: Known, name: string): string {
  return known.model(name) ? name : other
}

/** A target as a label. Its upstream is always the config's own. */
export function targetLabel(known: Known, target: TargetModel | undefined): string {
  if (target === undefined) return 'none'
  const { upstream, model } = target
  return `${upstream}/${known.target(upstream, model) ? model : other}`
}

/** Whose model it is, by the names of the semantic conventions where they have one. */
export function providerOf(target: TargetModel | undefined): string {
  if (target === undefined) return other
  if (target.protocol === 'engine') return 'parley'
  const { vendor } = target
  return vendor === undefined ? target.upstream : (conventional.get(vendor) ?? vendor)
}

const conventional: ReadonlyMap<string, string> = new Map([
  ['azure', 'azure.ai.openai'],
  ['bedrock', 'aws.bedrock'],
  ['gemini', 'gcp.gemini'],
  ['google', 'gcp.gemini'],
  ['mistral', 'mistral_ai'],
  ['vertex', 'gcp.vertex_ai'],
  ['xai', 'x_ai'],
])

interface Names {
  /** Names of the config, each with the targets that it names. */
  readonly aliases: readonly {
    readonly name: string
    readonly targets: readonly NamedTarget[]
    readonly rescue?: NamedTarget | undefined
  }[]
  /** What upstreams were last known to list. */
  readonly catalogue: {
    knows(name: string): boolean
    has(upstream: string, model: string): boolean
  }
}

interface NamedTarget {
  readonly upstream: string
  readonly model: string
}

/** Those of a config and of the lists of its upstreams. Asks nobody. */
export function knownNames({ aliases, catalogue }: Names): Known {
  const names = new Set(aliases.map(({ name }) => name))
  const targets = new Map<string, Set<string>>()
  for (const { upstream, model } of aliases.flatMap(targetsOf)) {
    const models = targets.get(upstream) ?? new Set()
    targets.set(upstream, models.add(model))
  }
  const isTarget = (upstream: string, model: string): boolean =>
    targets.get(upstream)?.has(model) === true || catalogue.has(upstream, model)
  return {
    model: (name) => names.has(name) || catalogue.knows(name) || isAddress(name, isTarget),
    target: isTarget,
  }
}

function targetsOf({ targets, rescue }: Names['aliases'][number]): readonly NamedTarget[] {
  return rescue === undefined ? targets : [...targets, rescue]
}

function isAddress(name: string, isTarget: Known['target']): boolean {
  const slash = name.indexOf('/')
  return slash > 0 && isTarget(name.slice(0, slash), name.slice(slash + 1))
}
