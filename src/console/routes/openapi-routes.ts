import { z } from 'zod'

import { openApiOf } from '#console/api/open-api.ts'
import { reads } from '#console/api/route.ts'

/** What all of this is, for programs. */
export const openapiRoutes = {
  openapi: reads({
    path: '/api/openapi.json',
    role: 'viewer',
    tenant: 'none',
    summary: 'This API as an OpenAPI 3.1 document.',
    answer: z.looseObject({ openapi: z.literal('3.1.0') }),
    handle: async ({ parts }) => openApiOf(parts.routes()),
  }),
}
