import { Badge } from '@radix-ui/themes'

import type { Key } from '#console/web/api/contract.ts'

type Status = Key['status']

/** What each status is called. */
export const statusWords = {
  active: 'active',
  early: 'not valid yet',
  expired: 'expired',
  archived: 'project archived',
  revoked: 'revoked',
} as const satisfies Record<Status, string>

const colors = {
  active: 'green',
  early: 'amber',
  expired: 'gray',
  archived: 'gray',
  revoked: 'red',
} as const satisfies Record<Status, string>

/** Whether a key lets anybody in, and why not. */
export function KeyStatus({ status }: { readonly status: Status }) {
  return <Badge color={colors[status]}>{statusWords[status]}</Badge>
}
