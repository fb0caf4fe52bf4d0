import { coversNetwork } from '#addresses/networks.ts'
import { GatewayError } from '#chat/error.ts'
import { fitsGlob } from '#std/glob.ts'

import type { Policy, Rates } from './policy.ts'

/** Whoever stands above, as messages call it: `the project research`. */
export interface Parent {
  readonly called: string
  readonly policy: Policy
}

/** One thing that a child would be allowed and its parent is not. */
export interface Excess {
  /** `models`, `rates.tokensPerDay`. */
  readonly field: string
  readonly child: string
  readonly parent: string
}

/** In what a policy goes beyond its parent's. What a child leaves out it has from its parent. */
export function excessesOf(child: Policy, parent: Policy): Excess[] {
  return [
    ...listExcess('models', coversGlob, [child.models, parent.models]),
    ...listExcess('endpoints', Object.is, [child.endpoints, parent.endpoints]),
    ...listExcess('addresses', coversNetwork, [child.addresses, parent.addresses]),
    ...numberExcess('maxTokens', child.maxTokens, parent.maxTokens),
    ...numberExcess('concurrency', child.concurrency, parent.concurrency),
    ...rateNames(child).flatMap((name) =>
      numberExcess(`rates.${name}`, child.rates?.[name], parent.rates?.[name]),
    ),
    ...(child.contentLogging === true && parent.contentLogging === false
      ? [{ field: 'contentLogging', child: 'on', parent: 'off' }]
      : []),
  ]
}

/** Throws `request-invalid`, with the field, where a policy goes beyond that of a parent. */
export function requireWithin(child: Policy, parents: readonly Parent[]): void {
  for (const { called, policy } of parents) {
    const [excess] = excessesOf(child, policy)
    if (excess === undefined) continue
    throw new GatewayError(
      'request-invalid',
      `${excess.field}: ${excess.child} is not within what ${called} allows, which is ${excess.parent}. Ask for less, or change ${called} first.`,
      { param: excess.field },
    )
  }
}

/**
 * Whether every text that fits the narrow glob fits the wide one. A star of the narrow one can only be met by a star
 * of the wide one, whose letters are never stars: so it is enough to match the one as a text of the other.
 */
export function coversGlob(wide: string, narrow: string): boolean {
  return fitsGlob(narrow, wide)
}

type Lists = readonly [child: readonly string[] | undefined, parent: readonly string[] | undefined]

function listExcess(
  field: string,
  covers: (wide: string, narrow: string) => boolean,
  [child = [], parent]: Lists,
): Excess[] {
  if (parent === undefined) return []
  const beyond = child.filter((narrow) => !parent.some((wide) => covers(wide, narrow)))
  return beyond.length === 0 ? [] : [{ field, child: inShort(beyond), parent: inShort(parent) }]
}

function numberExcess(field: string, child?: number, parent?: number): Excess[] {
  if (child === undefined || parent === undefined || child <= parent) return []
  return [{ field, child: String(child), parent: String(parent) }]
}

function rateNames({ rates = {} }: Policy): (keyof Rates)[] {
  // A policy has passed its schema, so its rates have these names and no others.
  return Object.keys(rates) as (keyof Rates)[]
}

const mostShown = 5

/** As many entries as a sentence can bear. */
export function inShort(list: readonly string[]): string {
  const more = list.length - mostShown
  return list.slice(0, mostShown).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
