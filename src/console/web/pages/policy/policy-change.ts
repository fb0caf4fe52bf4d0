import type { PolicyChange } from '#keys/policy-schema.ts'
import type { Policy } from '#keys/policy.ts'

type Mutable<Value> = { -readonly [Member in keyof Value]: Value[Member] }

/** What has to be said to the API so that one policy becomes the other; undefined if they are the same. */
export function policyChange(before: Policy, after: Policy): PolicyChange | undefined {
  const change: Mutable<PolicyChange> = {}
  if (differ(before.models, after.models)) change.models = after.models ?? null
  if (differ(before.endpoints, after.endpoints)) change.endpoints = after.endpoints ?? null
  if (differ(before.addresses, after.addresses)) change.addresses = after.addresses ?? null
  if (before.maxTokens !== after.maxTokens) change.maxTokens = after.maxTokens ?? null
  if (before.concurrency !== after.concurrency) change.concurrency = after.concurrency ?? null
  if (before.contentLogging !== after.contentLogging)
    change.contentLogging = after.contentLogging ?? null
  const rates = memberChange<number>({ ...before.rates }, { ...after.rates })
  if (rates !== undefined) change.rates = rates
  const tags = memberChange({ ...before.tags }, { ...after.tags })
  if (tags !== undefined) change.tags = tags
  return Object.keys(change).length === 0 ? undefined : change
}

function differ(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  return JSON.stringify(one) !== JSON.stringify(other)
}

/** Of a mapping the API keeps what is not named, so that each member that is gone has to be removed by name. */
function memberChange<Value>(
  before: Readonly<Record<string, Value>> = {},
  after: Readonly<Record<string, Value>> = {},
): Record<string, Value | null> | undefined {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => before[name] !== after[name])
  if (changed.length === 0) return undefined
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]))
}
