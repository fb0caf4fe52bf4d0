import { z } from 'zod'

import { AdminProblem, notFound } from '#console/access/problem.ts'
import { does, reads, streams } from '#console/api/route.ts'
import { shownConfig } from '#console/api/shown-config.ts'

import { exchange } from './exchange-shape.ts'
import { liveEvents } from './live.ts'
import { count, money, time } from './shapes.ts'

const model = z
  .strictObject({
    id: z.string(),
    upstream: z.string(),
    ownedBy: z.string().exactOptional(),
    created: z.number().exactOptional(),
    displayName: z.string().exactOptional(),
    maxInput: z.number().exactOptional(),
    maxOutput: z.number().exactOptional(),
  })
  .meta({ id: 'Model' })

const targetState = z
  .strictObject({
    target: z.string(),
    breaker: z.string(),
    waitMs: z.number(),
    inFlight: count,
    latencyMs: z.number().exactOptional(),
  })
  .meta({ id: 'TargetState' })

const upstream = z.strictObject({ name: z.string(), targets: z.array(targetState) })

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

/** A test of an upstream is given up after this. */
const testWithinMs = 10_000

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
  'models-list': reads({
    path: '/api/models',
    role: 'viewer',
    tenant: 'none',
    summary: 'List every model that can be asked for.',
    answer: z.strictObject({ models: z.array(model) }),
    handle: async ({ parts }) => ({ models: await parts.models() }),
  }),
  'upstreams-list': reads({
    path: '/api/upstreams',
    role: 'viewer',
    tenant: 'none',
    summary:
      'List the upstreams, and how those of their models fare that were asked since the start.',
    answer: z.strictObject({ upstreams: z.array(upstream) }),
    async handle({ parts }) {
      const states = parts.health.states()
      const upstreams = parts.upstreams().map(({ name }) => ({
        name,
        targets: states.filter(({ target }) => target.startsWith(`${name}/`)),
      }))
      return { upstreams }
    },
  }),
  'upstreams-test': does({
    method: 'POST',
    path: '/api/upstreams/{name}/test',
    role: 'operator',
    tenant: 'whole',
    action: 'upstream-test',
    summary: 'Ask an upstream for its models, with its own key at its own address.',
    answer: z.strictObject({
      isWell: z.boolean(),
      tookMs: count,
      models: count.nullable(),
      message: z.string().nullable(),
    }),
    objectOf: ({ params }) => ({ object: `upstream:${params.name}` }),
    async handle({ parts, params, signal }) {
      const tested = parts.upstreams().find(({ name }) => name === params.name)
      if (tested === undefined) throw notFound(`upstream ${params.name}`)
      const startedAt = performance.now()
      const tookMs = (): number => Math.round(performance.now() - startedAt)
      try {
        const patience = AbortSignal.any([signal, AbortSignal.timeout(testWithinMs)])
        const models = (await tested.listModels(patience)).length
        return { isWell: true, tookMs: tookMs(), models, message: null }
      } catch (error) {
        // What it said stands in the answer: to be told of is what a test is for.
        return { isWell: false, tookMs: tookMs(), models: null, message: failureWords(error) }
      }
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
    summary: 'Show the config in force. Secrets are not in it.',
    answer: z.strictObject({ config: z.record(z.string(), z.unknown()) }),
    handle: async ({ parts }) => ({ config: shownConfig(parts.config()) }),
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

function failureWords(error: unknown): string {
  if (error instanceof DOMException) return `No answer within ${testWithinMs / 1000} s.`
  return AdminProblem.from(error).message
}
