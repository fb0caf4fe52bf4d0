import { z } from 'zod'

import { AdminProblem } from '#console/access/problem.ts'
import { reads, streams } from '#console/api/route.ts'
import { shownConfig } from '#console/api/shown-config.ts'

import { exchange } from './exchange-shape.ts'
import { liveEvents } from './live.ts'
import { count, money, time } from './shapes.ts'
import { targetState } from './target-state.ts'

const origin = z
  .strictObject({
    path: z.array(z.string()),
    from: z.enum(['file', 'environment', 'command-line']),
  })
  .meta({ id: 'Origin', description: 'Of what has none, the default is in force.' })

const price = z.looseObject({
  model: z.string(),
  input: z.number(),
  output: z.number(),
  since: z.string(),
  source: z.string(),
})

const sums = { exchanges: count, failed: count, input: count, output: count, cost: money }

const liveEvent = z
  .union([
    z.strictObject({
      at: time,
      intervalMs: z.number(),
      inFlight: count,
      ...sums,
      targets: z.array(z.strictObject({ target: z.string().nullable(), ...sums })),
      health: z.array(targetState),
    }),
    z.strictObject({ exchanges: z.array(exchange), skipped: count }),
    z.strictObject({ at: time }),
  ])
  .meta({ id: 'LiveEvent', description: 'Of `counters`, `exchanges` or `signed-out`' })

/** The gateway itself: what it offers, how it fares, what is in force. */
export const gatewayRoutes = {
  health: reads({
    path: '/healthz',
    role: 'anyone',
    tenant: 'none',
    summary: 'Whether the process lives.',
    answer: z.strictObject({ status: z.literal('ok') }),
    handle: async () => ({ status: 'ok' as const }),
  }),
  ready: reads({
    path: '/readyz',
    role: 'anyone',
    tenant: 'none',
    summary: 'Whether exchanges can be answered: whether what is used can be written down.',
    answer: z.strictObject({ status: z.literal('ready') }),
    async handle({ parts }) {
      const failure = parts.failure()
      if (failure === undefined) return { status: 'ready' as const }
      throw new AdminProblem('unavailable', 'The ledger cannot be written.', { cause: failure })
    },
  }),
  'prices-list': reads({
    path: '/api/prices',
    role: 'viewer',
    tenant: 'none',
    summary: 'List every price in force: micro-dollars for a million tokens.',
    answer: z.strictObject({ prices: z.array(price) }),
    handle: async ({ parts }) => ({
      prices: parts
        .prices()
        .list()
        .map(({ model: of, price: terms }) => ({ model: of, ...terms })),
    }),
  }),
  'config-show': reads({
    path: '/api/config',
    role: 'admin',
    tenant: 'whole',
    summary: 'Show the config in force, and who said what of it. Secrets are not in it.',
    answer: z.strictObject({
      config: z.record(z.string(), z.unknown()),
      file: z.string().nullable(),
      origins: z.array(origin).nullable(),
    }),
    async handle({ parts }) {
      const { path, origins } = parts.configOrigins() ?? {}
      return { config: shownConfig(parts.config()), file: path ?? null, origins: origins ?? null }
    },
  }),
  live: streams({
    path: '/api/live',
    role: 'viewer',
    tenant: 'projects',
    summary: 'What is happening: counters every second, and exchanges as they end.',
    answer: liveEvent,
    handle: async (asked) => liveEvents(asked),
  }),
}
