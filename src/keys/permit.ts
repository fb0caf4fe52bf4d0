import { liesIn } from '#addresses/networks.ts'
import { GatewayError } from '#chat/error.ts'
import type { TargetModel } from '#chat/target.ts'
import { fitsGlob } from '#std/glob.ts'

import type { Caller, Endpoint } from './policy.ts'
import { inShort } from './within-parent.ts'

/** What is known of a request before its body is read. */
export interface Asked {
  readonly endpoint: Endpoint
  /** Where the caller's connection comes from, asked only if it matters. Absent: unknown, so no network holds it. */
  readonly address: () => string | undefined
}

/** Something that can be asked, by its upstream and that one's name for the model. */
export interface Asking {
  readonly model: Pick<TargetModel, 'upstream' | 'model'>
}

/** Lets a request begin. Throws `not-permitted` if the key, its project or the organisation does not allow it. */
export function permit({ holders }: Caller, { endpoint, address }: Asked): void {
  for (const { policy } of holders) {
    if (policy.endpoints?.includes(endpoint) === false)
      throw notPermitted(
        `This key may not use ${endpoint}. The operator of this gateway decides which endpoints a key may use.`,
      )
    if (policy.addresses !== undefined && !liesIn(policy.addresses, address() ?? ''))
      throw notPermitted(
        `This key may not be used from ${address() ?? 'an unknown address'}. The operator of this gateway decides from where a key may be used.`,
      )
  }
}

/**
 * The targets that a caller may use under a name, in their order. A name that a policy allows brings all of its
 * targets; of another name, those targets stay that the policy allows as `upstream/model`. Throws `model-forbidden` if
 * none is left.
 */
export function permitted<Target extends Asking>(
  caller: Caller,
  requested: string,
  targets: readonly Target[],
): readonly Target[] {
  let left = targets
  for (const { policy } of caller.holders) {
    if (policy.models === undefined || isAllowed(policy.models, requested)) continue
    const { models } = policy
    left = left.filter(({ model }) => isAllowed(models, `${model.upstream}/${model.model}`))
  }
  if (left.length === 0 && targets.length > 0) throw forbidden(caller, requested)
  return left
}

/** Whether a caller may use a model of this name, or one of the targets behind it: `upstream/model`. */
export function mayUse({ holders }: Caller, name: string, targetNames: readonly string[]): boolean {
  let left = targetNames
  for (const { policy } of holders) {
    const { models } = policy
    if (models === undefined || isAllowed(models, name)) continue
    left = left.filter((target) => isAllowed(models, target))
    if (left.length === 0) return false
  }
  return true
}

/** The most tokens that one answer may have for this caller: the least that anybody above it allows. */
export function mostTokens({ holders }: Caller): number | undefined {
  let least: number | undefined
  for (const { policy } of holders) {
    const { maxTokens } = policy
    if (maxTokens !== undefined && (least === undefined || maxTokens < least)) least = maxTokens
  }
  return least
}

function isAllowed(globs: readonly string[], name: string): boolean {
  return globs.some((glob) => fitsGlob(name, glob))
}

function notPermitted(message: string): GatewayError {
  return new GatewayError('not-permitted', message)
}

/** A caller is told what its own key names, and nothing of what the project and the organisation keep to themselves. */
function forbidden({ holders }: Caller, requested: string): GatewayError {
  const own = holders[2].policy.models
  const list = own === undefined ? '' : ` It is for ${inShort(own)}.`
  return new GatewayError(
    'model-forbidden',
    `This key may not use the model \`${requested}\`.${list} The operator of this gateway decides which models a key may use.`,
  )
}
