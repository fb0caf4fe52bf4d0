import { z } from 'zod'

import { count } from './shapes.ts'

/** How a target fares, as the router sees it. */
export const targetState = z
  .strictObject({
    target: z.string(),
    breaker: z.string(),
    waitMs: z.number(),
    inFlight: count,
    latencyMs: z.number().exactOptional(),
  })
  .meta({ id: 'TargetState' })
