import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'

import { Setup } from '#console/web/doors/setup.tsx'
import { SignIn } from '#console/web/doors/sign-in.tsx'
import { type PageEntry, pages } from '#console/web/pages.ts'

import { NoSuchPage } from './no-such-page.tsx'
import { PageFailed } from './page-failed.tsx'
import { PageLoading } from './page-loading.tsx'
import { Permitted } from './permitted.tsx'
import { Shell } from './shell.tsx'

/** Which address shows what: the two doors, and every page of the table inside of the shell. */
export function consoleRouter() {
  return createBrowserRouter([
    { path: '/login', element: <SignIn /> },
    { path: '/setup', element: <Setup /> },
    { path: '/index.html', element: <Navigate to="/" replace /> },
    {
      element: <Shell />,
      errorElement: <PageFailed />,
      hydrateFallbackElement: <PageLoading />,
      children: [
        {
          errorElement: <PageFailed />,
          children: [...pages.map(routeOf), { path: '*', element: <NoSuchPage /> }],
        },
      ],
    },
  ])
}

function routeOf(entry: PageEntry): RouteObject {
  return {
    path: entry.path,
    lazy: async () => {
      const Page = await entry.load()
      return {
        element: (
          <Permitted entry={entry}>
            <Page />
          </Permitted>
        ),
      }
    },
  }
}
