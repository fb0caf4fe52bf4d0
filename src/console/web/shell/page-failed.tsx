import { Button } from '@radix-ui/themes'
import { useRouteError } from 'react-router'

import { ConsoleProblem } from '#console/web/api/console-problem.ts'
import { Page } from '#console/web/parts/page.tsx'
import { Problem } from '#console/web/parts/problem.tsx'

/** Instead of a page that could not be fetched or drawn. */
export function PageFailed() {
  const error = useRouteError()
  return (
    <Page title="This page failed">
      <Problem error={isFetchFailure(error) ? updated(error) : error} />
      <Button onClick={() => location.reload()}>Load it again</Button>
    </Page>
  )
}

/** What browsers throw where the code of a page is not there (any more). */
function isFetchFailure(error: unknown): boolean {
  return error instanceof TypeError && /module|fetch|import/i.test(error.message)
}

function updated(cause: unknown): ConsoleProblem {
  return new ConsoleProblem(
    'The code of this page could not be fetched. The gateway may have been updated since the console was opened.',
    { code: 'page-missing', cause },
  )
}
