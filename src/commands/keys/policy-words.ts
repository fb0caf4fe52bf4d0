import { type Column, count, tableOf } from '#commands/table.ts'
import type { Policy } from '#keys/policy.ts'

import { rateFlags } from './policy-flags.ts'

/** Somebody's policy, under the title that stands above it. */
export interface TitledPolicy {
  readonly title: string
  readonly policy: Policy
}

/** Policies side by side: what one sets, the others and whoever calls are held to as well. Empty if none sets anything. */
export function policyTable(policies: readonly TitledPolicy[], width: number): string {
  const rows = fields.filter(([, words]) => policies.some(({ policy }) => words(policy) !== ''))
  if (rows.length === 0) return ''
  const columns: Column<(typeof fields)[number]>[] = [
    { title: 'limit', cell: ([name]) => name },
    ...policies.map(({ title, policy }) => ({
      title,
      cell: ([, words]: (typeof fields)[number]) => words(policy) || '–',
      isName: true,
    })),
  ]
  return tableOf(columns, rows, width)
}

/** The limits of a policy in a few words, for a line of a list. */
export function policyInShort(policy: Policy): string {
  const { models, endpoints, addresses, maxTokens, concurrency, rates = {} } = policy
  return [
    models && models.slice(0, 2).join(',') + (models.length > 2 ? ',…' : ''),
    endpoints && `${endpoints.length} endpoints`,
    addresses && `${addresses.length} networks`,
    ...rateFlags.map(([flag, name]) => rates[name] && `${count(rates[name])} ${flag}`),
    maxTokens && `${count(maxTokens)} tokens`,
    concurrency && `${count(concurrency)} at once`,
  ]
    .filter(Boolean)
    .join(' · ')
}

const fields: readonly (readonly [name: string, words: (policy: Policy) => string])[] = [
  ['models', ({ models = [] }) => models.join(', ')],
  ['endpoints', ({ endpoints = [] }) => endpoints.join(', ')],
  ['addresses', ({ addresses = [] }) => addresses.join(', ')],
  ['tokens of an answer', ({ maxTokens }) => number(maxTokens)],
  ...rateFlags.map(
    ([, name, words]) => [words, ({ rates }: Policy) => number(rates?.[name])] as const,
  ),
  ['requests at once', ({ concurrency }) => number(concurrency)],
  [
    'content logging',
    ({ contentLogging }) => (contentLogging === undefined ? '' : contentLogging ? 'on' : 'off'),
  ],
  [
    'tags',
    ({ tags = {} }) =>
      Object.entries(tags)
        .map(([name, value]) => `${name}=${value}`)
        .join(', '),
  ],
]

function number(value: number | undefined): string {
  return value === undefined ? '' : value.toLocaleString('en')
}
