import { z } from 'zod'

import type { UpstreamModel } from '#chat/names.ts'
import { AdminProblem, invalid, notFound } from '#console/access/problem.ts'
import type { AdminParts, SeenUpstream, TriedUpstream } from '#console/api/parts.ts'
import { does, reads } from '#console/api/route.ts'
import { brandAs } from '#std/brand.ts'

import { count } from './shapes.ts'
import { targetState } from './target-state.ts'

const protocol = z.enum(['chat-completions', 'messages'])

const terms = z
  .looseObject({ input: z.number(), output: z.number(), since: z.string(), source: z.string() })
  .meta({ id: 'PriceTerms', description: 'Micro-dollars for a million tokens' })

const model = z
  .strictObject({
    id: z.string(),
    upstream: z.string(),
    ownedBy: z.string().exactOptional(),
    created: z.number().exactOptional(),
    displayName: z.string().exactOptional(),
    maxInput: z.number().exactOptional(),
    maxOutput: z.number().exactOptional(),
    strategy: z.string().nullable().meta({ description: 'Null for what no config names' }),
    targets: z.array(
      z.strictObject({
        target: z.string(),
        weight: z.number(),
        isRescue: z.boolean(),
        price: terms.nullable().meta({ description: 'Null where nobody says what it costs' }),
      }),
    ),
  })
  .meta({ id: 'Model' })

const upstream = z
  .strictObject({
    name: z.string(),
    vendor: z.string().nullable(),
    protocol: z.enum(['chat-completions', 'messages', 'engine']),
    targets: z.array(targetState),
  })
  .meta({ id: 'Upstream' })

const vendor = z
  .strictObject({
    name: z.string(),
    speaks: z.array(z.strictObject({ protocol, url: z.string().nullable() })),
    keyVariable: z.string().nullable(),
  })
  .meta({ id: 'Vendor' })

const tested = z.strictObject({
  isWell: z.boolean(),
  tookMs: count,
  models: count.nullable(),
  message: z.string().nullable(),
})

/** A test of an upstream is given up after this. */
const testWithinMs = 10_000

/** So many names are enough to see whether it is the right place. */
const mostNames = 200

/** What can be asked for, who answers, and how they fare. */
export const upstreamRoutes = {
  'models-list': reads({
    path: '/api/models',
    role: 'viewer',
    tenant: 'none',
    summary: 'List every model that can be asked for, with its targets and what they cost.',
    answer: z.strictObject({ models: z.array(model) }),
    async handle({ parts }) {
      const prices = parts.prices()
      const models = (await parts.models()).map(({ strategy, targets, ...card }) => ({
        ...card,
        strategy: strategy ?? null,
        targets: targets.map(({ model: of, ...rest }) => {
          const price = prices.of(of)
          return {
            ...rest,
            target: `${of.upstream}/${of.model}`,
            price: price ? { ...price } : null,
          }
        }),
      }))
      return { models }
    },
  }),
  'upstreams-list': reads({
    path: '/api/upstreams',
    role: 'viewer',
    tenant: 'none',
    summary:
      'List the upstreams, and how those of their models fare that were asked since the start: this only to those who see all projects.',
    answer: z.strictObject({ upstreams: z.array(upstream) }),
    async handle({ parts, actor }) {
      // Whoever asked made these names, and how they fare shows when they are asked.
      const states = actor.projects === 'all' ? parts.health.states() : []
      const upstreams = parts.upstreams().map((one) => {
        // What kind it is does not depend on the model.
        const kind = one.target(brandAs<UpstreamModel>(''))
        return {
          name: one.name,
          vendor: kind.vendor ?? null,
          protocol: kind.protocol,
          targets: states.filter(({ target }) => target.startsWith(`${one.name}/`)),
        }
      })
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
    answer: tested,
    objectOf: ({ params }) => ({ object: `upstream:${params.name}` }),
    async handle({ parts, params, signal }) {
      const found = parts.upstreams().find(({ name }) => name === params.name)
      if (found === undefined) throw notFound(`upstream ${params.name}`)
      const { names, ...outcome } = await asked(found, signal)
      return { ...outcome, models: names?.length ?? null }
    },
  }),
  'vendors-list': reads({
    path: '/api/vendors',
    role: 'viewer',
    tenant: 'none',
    summary: 'List the vendors that an upstream can be of, and what each brings with it.',
    answer: z.strictObject({ vendors: z.array(vendor) }),
    handle: async ({ parts }) => ({ vendors: parts.vendors() }),
  }),
  // It writes nothing, and nothing here writes the config. The file stays the operator's: it may be generated, kept
  // under version control or mounted read-only. And whoever may write both a URL and `${NAME}` into it can send any
  // variable of the gateway's environment anywhere, which a stolen session of the console must not be able to.
  'upstreams-try': does({
    method: 'POST',
    path: '/api/upstream-trials',
    role: 'admin',
    tenant: 'whole',
    action: 'upstream-try',
    summary:
      'Ask an upstream that is in no config for its models. The key is used this once and kept nowhere.',
    body: z.strictObject({
      name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
      vendor: z.string().max(100).exactOptional(),
      protocol: protocol.exactOptional(),
      url: z.string().max(2000).exactOptional(),
      key: z
        .string()
        .max(4000)
        .regex(/^[\x21-\x7e]+$/, { error: 'expected a key of one line' })
        .exactOptional(),
    }),
    answer: tested.extend({ names: z.array(z.string()) }),
    // Neither the key nor the URL, in which some people put one.
    objectOf: ({ body: { name, vendor: of, protocol: spoken } }) => ({
      object: `upstream:${name}`,
      details: { vendor: of ?? null, protocol: spoken ?? null },
    }),
    async handle({ parts, body, signal }) {
      const { names, ...outcome } = await asked(trialOf(parts, body), signal)
      return { ...outcome, models: names?.length ?? null, names: names?.slice(0, mostNames) ?? [] }
    },
  }),
}

interface Outcome {
  readonly isWell: boolean
  readonly tookMs: number
  readonly names: readonly string[] | null
  readonly message: string | null
}

/** Asks for its models. What it says of a failure is in the outcome: to be told of is what a test is for. */
async function asked(upstreamAsked: SeenUpstream, signal: AbortSignal): Promise<Outcome> {
  const startedAt = performance.now()
  const tookMs = (): number => Math.round(performance.now() - startedAt)
  try {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(testWithinMs)])
    const asking = upstreamAsked.askModels?.(patience) ?? upstreamAsked.listModels(patience)
    const cards = await asking
    return { isWell: true, tookMs: tookMs(), names: cards.map(({ id }) => id), message: null }
  } catch (error) {
    return { isWell: false, tookMs: tookMs(), names: null, message: failureWords(error) }
  }
}

function trialOf({ trial, upstreams }: AdminParts, body: TriedUpstream): SeenUpstream {
  if (upstreams().some(({ name }) => name === body.name))
    throw new AdminProblem('conflict', `There is an upstream ${body.name} already.`, {
      param: 'name',
    })
  try {
    return trial(body)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw invalid(`The upstream cannot be asked: ${error.message}.`, paramIn(error.message))
  }
}

/** The field that a message about settings begins with. */
function paramIn(message: string): string | undefined {
  return /`(url|vendor|protocol|key)`/.exec(message)?.[1]
}

function failureWords(error: unknown): string {
  if (error instanceof DOMException) return `No answer within ${testWithinMs / 1000} s.`
  return AdminProblem.from(error).message
}
