import { Box } from '@radix-ui/themes'
import { Navigate, Outlet, useLocation, useNavigation } from 'react-router'

import { useSignedIn } from '#console/web/api/me.ts'
import { Problem } from '#console/web/parts/problem.tsx'

import { Navigation } from './navigation.tsx'
import { PageLoading } from './page-loading.tsx'
import { TopBar } from './top-bar.tsx'

/** What stands around every page: who is not signed in is shown to the door. */
export function Shell() {
  const me = useSignedIn()
  const { pathname, search } = useLocation()
  const isMoving = useNavigation().state !== 'idle'
  if (me.isPending) return <PageLoading />
  if (me.isError)
    return (
      <Box p="6">
        <Problem error={me.error} onRetry={() => void me.refetch()} />
      </Box>
    )
  if (me.data === null)
    return <Navigate to={`/login?next=${encodeURIComponent(pathname + search)}`} replace />
  return (
    <div className="shell">
      <a className="skip-link" href="#content" onClick={skipToContent}>
        Skip to the content
      </a>
      <TopBar />
      <Navigation />
      <main id="content" className="shell-content" tabIndex={-1} aria-busy={isMoving}>
        <Outlet />
      </main>
    </div>
  )
}

/** Moves the focus without a `#content` in the address, which would be one more step back. */
function skipToContent(event: React.MouseEvent): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#content')?.focus()
}
