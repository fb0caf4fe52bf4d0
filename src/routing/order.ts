import { hash } from 'node:crypto'

import type { Target } from '#upstreams/upstream.ts'

import type { Health, TargetHealth } from './health.ts'

/** How the targets of a name are ordered. */
export const strategies = [
  'fallback',
  'weighted',
  'least-busy',
  'lowest-latency',
  'cheapest',
  'sticky',
] as const

export type Strategy = (typeof strategies)[number]

/** A target that may be chosen, and its share of the work. */
export interface Candidate {
  readonly target: Target
  readonly weight: number
}

/** What the choice goes by. */
export interface Ordering {
  readonly strategy: Strategy
  readonly health: Health
  readonly random: () => number
  /** What the request is expected to cost at a target, in any unit; infinite where nobody knows. */
  readonly costAt: (target: Target) => number
  /** What stays the same from turn to turn of a conversation. */
  readonly prefix: () => string
}

/** The order, and what it was decided by, for the ledger. */
export interface Order {
  readonly targets: readonly Target[]
  readonly reason: string
}

/**
 * Puts targets in the order in which they are asked: by the strategy, and those that are ill or asked to be left
 * alone behind all others. None is ever left out: the last one that there is, is asked whatever its health.
 */
export function orderOf(candidates: readonly Candidate[], ordering: Ordering): Order {
  const [only] = candidates
  if (candidates.length === 1 && only !== undefined)
    return { targets: [only.target], reason: 'only target' }
  const considered = candidates.map((candidate) => ({
    ...candidate,
    health: ordering.health.of(candidate.target.model),
  }))
  const ordered = byStrategy[ordering.strategy](considered, ordering)
  const well = ordered.filter(({ health }) => health.waitMs === 0)
  const ill = ordered
    .filter(({ health }) => health.waitMs > 0)
    .toSorted((one, other) => one.health.waitMs - other.health.waitMs)
  return {
    targets: [...well, ...ill].map(({ target }) => target),
    reason: reasonOf(ordering.strategy, ill),
  }
}

interface Considered extends Candidate {
  readonly health: TargetHealth
}

type Sorting = (all: readonly Considered[], ordering: Ordering) => readonly Considered[]

const byStrategy: Readonly<Record<Strategy, Sorting>> = {
  fallback: (all) => all,
  weighted: (all, { random }) => sortedBy(all, ({ weight }) => -(random() ** (1 / weight))),
  'least-busy': (all, { random }) =>
    sortedBy(shuffled(all, random), ({ health, weight }) => health.inFlight / weight),
  'lowest-latency': twoChoices,
  cheapest: (all, { costAt }) => sortedBy(all, ({ target }) => costAt(target)),
  sticky: byRendezvous,
}

/**
 * The better of two that chance picks goes first, the rest by their load. Were everybody to go where the load is
 * least, all would run to one target at once.
 */
function twoChoices(all: readonly Considered[], { random }: Ordering): readonly Considered[] {
  const mixed = shuffled(all, random)
  const pair = sortedBy(mixed.slice(0, 2), ({ health }) => health.load)
  const [first, ...second] = pair
  const rest = sortedBy([...second, ...mixed.slice(2)], ({ health }) => health.load)
  return first === undefined ? rest : [first, ...rest]
}

/**
 * Each conversation has an order of its own, in which a target that comes or goes changes nothing for those that do
 * not use it: so the turns of a conversation meet the prompt cache that they have filled.
 */
function byRendezvous(all: readonly Considered[], { prefix }: Ordering): readonly Considered[] {
  const said = prefix()
  return sortedBy(all, ({ target: { model }, weight }) => {
    const share = shareOf(`${model.upstream}/${model.model}\n${said}`)
    return Math.log(share) / weight
  }).toReversed()
}

/** A number above 0 and below 1 that is always the same for a text. */
function shareOf(text: string): number {
  const digits = hash('sha256', text, 'hex').slice(0, 12)
  return (Number.parseInt(digits, 16) + 1) / (2 ** 48 + 2)
}

function sortedBy<Item>(all: readonly Item[], by: (item: Item) => number): readonly Item[] {
  return all
    .map((item) => [by(item), item] as const)
    .toSorted(([one], [other]) => (one === other ? 0 : one - other))
    .map(([, item]) => item)
}

function shuffled<Item>(all: readonly Item[], random: () => number): readonly Item[] {
  return sortedBy(all, random)
}

function reasonOf(strategy: Strategy, ill: readonly Considered[]): string {
  if (ill.length === 0) return strategy
  const names = ill.map(({ target: { model }, health }) => {
    const why = health.state.breaker === 'closed' ? 'cooling' : 'breaker open'
    return `${model.upstream}/${model.model} ${why}`
  })
  return `${strategy}; last resort: ${names.join(', ')}`
}
