import type { Period } from '#budgets/periods.ts'
import type { Given, Key } from '#console/web/api/contract.ts'
import { readDollars } from '#console/web/pages/budgets/typed-dollars.ts'
import { policyChange } from '#console/web/pages/policy/policy-change.ts'
import {
  fieldsOfPolicy,
  isPolicyField,
  type PolicyFields,
  readPolicyFields,
} from '#console/web/pages/policy/policy-fields.ts'
import type { FieldProblems } from '#console/web/parts/form-problems.ts'

import { readTime, timeToType } from './local-time.ts'

/** A key as a form holds it: what somebody typed. */
export interface KeyFields {
  readonly name: string
  readonly owner: string
  readonly projectId: string
  readonly notBefore: string
  readonly expiresAt: string
  readonly policy: PolicyFields
  readonly budgets: readonly BudgetFields[]
}

export interface BudgetFields {
  readonly period: Period
  readonly amount: string
  readonly isStrict: boolean
}

export type KeyOrder = Given<'POST /api/keys'>['body']
export type KeyChange = Given<'PATCH /api/keys/{id}'>['body']

export type Read<Body> =
  | { readonly type: 'body'; readonly body: Body }
  | { readonly type: 'problems'; readonly problems: FieldProblems }

export function newKeyFields(projectId: string): KeyFields {
  return { ...namesOf({ name: '' }), projectId, policy: fieldsOfPolicy({}), budgets: [] }
}

/** The fields that show a key; its budgets are set on their own. */
export function fieldsOfKey(key: Key): KeyFields {
  const { projectId, policy } = key
  return { ...namesOf(key), projectId, policy: fieldsOfPolicy(policy), budgets: [] }
}

function namesOf({ name, owner, notBefore, expiresAt }: Partial<Key>) {
  return {
    name: name ?? '',
    owner: owner ?? '',
    notBefore: timeToType(notBefore),
    expiresAt: timeToType(expiresAt),
  }
}

/** What the API is asked for to make this key, or all that is wrong with it. */
export function readKeyOrder(fields: KeyFields): Read<KeyOrder> {
  const policy = readPolicyFields(fields.policy)
  const times = { notBefore: readTime(fields.notBefore), expiresAt: readTime(fields.expiresAt) }
  const budgets = fields.budgets.map((budget) => ({ ...budget, read: readDollars(budget.amount) }))
  const problems = {
    ...nameProblems(fields),
    ...timeProblems(times),
    ...(policy.type === 'problems' && policy.problems),
    ...budgetProblems(fields.budgets),
  }
  if (Object.keys(problems).length > 0 || policy.type === 'problems')
    return { type: 'problems', problems }
  const owner = fields.owner.trim()
  return {
    type: 'body',
    body: {
      name: fields.name.trim(),
      projectId: fields.projectId,
      ...(owner !== '' && { owner }),
      ...timesOf(times),
      ...(Object.keys(policy.policy).length > 0 && { policy: bare(policy.policy) }),
      budgets: budgets.flatMap(({ period, isStrict, read }) =>
        read.type === 'amount' ? [{ period, isStrict, amount: read.amount }] : [],
      ),
    },
  }
}

/** What of a key has to be changed so that it is as these fields say. An empty body: nothing. */
export function readKeyChange(key: Key, fields: KeyFields): Read<KeyChange> {
  const policy = readPolicyFields(fields.policy)
  const former = fieldsOfKey(key)
  const times = { notBefore: readTime(fields.notBefore), expiresAt: readTime(fields.expiresAt) }
  const problems = {
    ...nameProblems(fields),
    ...timeProblems(times),
    ...(policy.type === 'problems' && policy.problems),
  }
  if (Object.keys(problems).length > 0 || policy.type === 'problems')
    return { type: 'problems', problems }
  const change = policyChange(key.policy, policy.policy)
  const isOther = (field: 'name' | 'owner' | 'notBefore' | 'expiresAt') =>
    fields[field].trim() !== former[field].trim()
  const told = timesOf(times)
  return {
    type: 'body',
    body: {
      ...(isOther('name') && { name: fields.name.trim() }),
      ...(isOther('owner') && { owner: fields.owner.trim() || null }),
      // A field is exact to the minute and a key to the millisecond: what nobody touched is not sent.
      ...(isOther('notBefore') && { notBefore: told.notBefore ?? null }),
      ...(isOther('expiresAt') && { expiresAt: told.expiresAt ?? null }),
      ...(change !== undefined && { policy: bare(change) }),
    },
  }
}

type Times = Readonly<Record<'notBefore' | 'expiresAt', ReturnType<typeof readTime>>>

function timesOf({ notBefore, expiresAt }: Times) {
  return {
    ...(notBefore.type === 'time' && { notBefore: notBefore.at }),
    ...(expiresAt.type === 'time' && { expiresAt: expiresAt.at }),
  }
}

function timeProblems({ notBefore, expiresAt }: Times): FieldProblems {
  const isNever =
    notBefore.type === 'time' && expiresAt.type === 'time' && notBefore.at >= expiresAt.at
  return {
    ...(notBefore.type === 'problem' && { notBefore: notBefore.words }),
    ...(expiresAt.type === 'problem' && { expiresAt: expiresAt.words }),
    ...(isNever && { expiresAt: 'This is before it begins to be valid.' }),
  }
}

function nameProblems({ name }: KeyFields): FieldProblems {
  return name.trim() === '' ? { name: 'Give it a name, such as the service that uses it.' } : {}
}

function budgetProblems(budgets: readonly BudgetFields[]): FieldProblems {
  const problems = budgets.flatMap(({ period, amount }, index) => {
    const read = readDollars(amount)
    const isTwice = budgets.findIndex((other) => other.period === period) < index
    if (isTwice) return [[`budgets.${index}`, 'There is a budget for this period above.'] as const]
    return read.type === 'problem' ? [[`budgets.${index}`, read.words] as const] : []
  })
  return Object.fromEntries(problems)
}

type Bare<Value> = Value extends readonly (infer Item)[]
  ? Bare<Item>[]
  : Value extends object
    ? { -readonly [Member in keyof Value]: Bare<Value[Member]> }
    : Value

/** The schemas of the API have lists that may be changed, and nobody changes these. */
export function bare<Value>(value: Value): Bare<Value> {
  return value as Bare<Value>
}

/** Whether the API's name of a field is one of this form's. */
export function isKeyField(name: string): boolean {
  return keyFieldNames.has(name) || isPolicyField(name) || /^budgets\.\d+$/.test(name)
}

const keyFieldNames = new Set(['name', 'owner', 'projectId', 'project', 'notBefore', 'expiresAt'])
