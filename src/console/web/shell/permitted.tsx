import type { ReactNode } from 'react'

import { useMe } from '#console/web/api/me.ts'
import type { PageEntry } from '#console/web/pages.ts'
import { Empty } from '#console/web/parts/empty.tsx'
import { Page } from '#console/web/parts/page.tsx'

/** A page, for those whom it is for. The API decides again, for every request. */
export function Permitted({
  entry,
  children,
}: {
  readonly entry: PageEntry
  readonly children: ReactNode
}) {
  const { may, seesAll, user } = useMe()
  if (may(entry.role) && (entry.isWhole !== true || seesAll)) return children
  const why = may(entry.role)
    ? 'This page is about all projects, and your account is bound to some.'
    : `This page takes the role ${entry.role}; yours is ${user.role}.`
  return (
    <Page title={entry.title}>
      <Empty title="This page is not for your account.">
        {why} An administrator can change that.
      </Empty>
    </Page>
  )
}
