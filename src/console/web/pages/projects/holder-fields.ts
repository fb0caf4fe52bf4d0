import type { Given } from '#console/web/api/contract.ts'
import { bare, type Read } from '#console/web/pages/keys/key-fields.ts'
import { policyChange } from '#console/web/pages/policy/policy-change.ts'
import {
  fieldsOfPolicy,
  isPolicyField,
  type PolicyFields,
  readPolicyFields,
} from '#console/web/pages/policy/policy-fields.ts'
import type { Policy } from '#keys/policy.ts'

/** A project or the organisation as a form holds it. */
export interface HolderFields {
  readonly name: string
  readonly policy: PolicyFields
}

/** What is changed of, with the policy that is in force. */
export interface NamedPolicy {
  readonly name: string
  readonly policy: Policy
}

export type HolderChange = Given<'PATCH /api/projects/{id}'>['body']

export const newHolder: NamedPolicy = { name: '', policy: {} }

export function fieldsOfHolder({ name, policy }: NamedPolicy): HolderFields {
  return { name, policy: fieldsOfPolicy(policy) }
}

/** What has to be changed so that it is as these fields say, or all that is wrong with them. */
export function readHolderChange(
  former: NamedPolicy,
  { name, policy }: HolderFields,
): Read<HolderChange> {
  const read = readPolicyFields(policy)
  const problems = {
    ...(name.trim() === '' && { name: 'Give it a name.' }),
    ...(read.type === 'problems' && read.problems),
  }
  if (Object.keys(problems).length > 0 || read.type === 'problems')
    return { type: 'problems', problems }
  const change = policyChange(former.policy, read.policy)
  return {
    type: 'body',
    body: {
      ...(name.trim() !== former.name && { name: name.trim() }),
      ...(change !== undefined && { policy: bare(change) }),
    },
  }
}

/** What the API is asked for to make a project, or all that is wrong with it. */
export function readProjectOrder({
  name,
  policy,
}: HolderFields): Read<Given<'POST /api/projects'>['body']> {
  const read = readPolicyFields(policy)
  const checked = readHolderChange(newHolder, { name, policy })
  if (checked.type === 'problems' || read.type === 'problems')
    return checked.type === 'problems' ? checked : { type: 'problems', problems: {} }
  const isLimited = Object.keys(read.policy).length > 0
  return {
    type: 'body',
    body: { name: name.trim(), ...(isLimited && { policy: bare(read.policy) }) },
  }
}

/** Whether the API's name of a field is one of this form's. */
export function isHolderField(name: string): boolean {
  return name === 'name' || isPolicyField(name)
}
