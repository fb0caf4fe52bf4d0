import './console.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { config } from 'zod/v4/core'

import { watchAttendance } from './api/attendance.ts'
import { consoleQueries } from './api/console-queries.ts'
import { consoleRouter } from './shell/console-router.tsx'
import { Themed } from './shell/themed.tsx'

// Schemas compile themselves where they may; our policy forbids that, and reports even the attempt.
config({ jitless: true })

watchAttendance()

const root = document.querySelector('#console')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <Themed>
        <QueryClientProvider client={consoleQueries()}>
          <RouterProvider router={consoleRouter()} />
        </QueryClientProvider>
      </Themed>
    </StrictMode>,
  )
