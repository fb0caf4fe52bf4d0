import { accessRoutes } from '#console/routes/access-routes.ts'
import { auditRoutes } from '#console/routes/audit-routes.ts'
import { contentRoutes } from '#console/routes/content-routes.ts'
import { engineRoutes } from '#console/routes/engine-routes.ts'
import { gatewayRoutes } from '#console/routes/gateway-routes.ts'
import { keyRoutes } from '#console/routes/key-routes.ts'
import { openapiRoutes } from '#console/routes/openapi-routes.ts'
import { playgroundRoutes } from '#console/routes/playground-routes.ts'
import { projectRoutes } from '#console/routes/project-routes.ts'
import { upstreamRoutes } from '#console/routes/upstream-routes.ts'
import { usageRoutes } from '#console/routes/usage-routes.ts'
import { userRoutes } from '#console/routes/user-routes.ts'

import type { Route } from './route.ts'

/** Every route there is, by its name. What has no row here does not exist. */
export const routes = {
  ...accessRoutes,
  ...userRoutes,
  ...keyRoutes,
  ...projectRoutes,
  ...usageRoutes,
  ...contentRoutes,
  ...gatewayRoutes,
  ...upstreamRoutes,
  ...engineRoutes,
  ...playgroundRoutes,
  ...auditRoutes,
  ...openapiRoutes,
} as const satisfies Readonly<Record<string, Route>>

export type RouteName = keyof typeof routes
