import { Link } from 'react-router'

import { Empty } from '#console/web/parts/empty.tsx'
import { Page } from '#console/web/parts/page.tsx'

/** An address that no page has. */
export function NoSuchPage() {
  return (
    <Page title="No such page">
      <Empty
        title="There is no page at this address."
        next={<Link to="/">Go to the overview</Link>}
      >
        It may have been moved, or the link was cut off.
      </Empty>
    </Page>
  )
}
