import { z } from 'zod'

import { does, reads } from '#console/api/route.ts'

import { count, time } from './shapes.ts'

/** That something is kept of what was said, without a word of it. */
export const contentNote = z
  .strictObject({
    keptAt: time,
    requestBytes: count,
    answerBytes: count,
    isCut: z.boolean(),
  })
  .meta({ id: 'ContentNote', description: 'That the content of an exchange was kept' })

const block = z.strictObject({
  type: z.enum(['text', 'reasoning', 'refusal', 'call', 'other']),
  text: z.string().meta({ description: 'Of a call, its arguments' }),
  name: z.string().nullable(),
  id: z.string().nullable(),
})

const content = z
  .strictObject({
    keptAt: time,
    request: z.strictObject({
      bytes: count.meta({ description: 'Of the body as it came' }),
      isCut: z.boolean(),
      body: z.unknown(),
    }),
    answer: z.strictObject({
      isCut: z.boolean(),
      blocks: z.array(block),
      end: z.string().nullable().meta({ description: 'null where it broke off' }),
      error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
      vectors: z.strictObject({ count, width: count }).nullable(),
    }),
    redacted: z.array(z.strictObject({ rule: z.string(), count })),
  })
  .meta({ id: 'Content', description: 'What was said in an exchange, redacted' })

/** What was said, where a key allows it to be kept. */
export const contentRoutes = {
  'content-show': reads({
    path: '/api/exchanges/{id}/content',
    role: 'operator',
    tenant: 'projects',
    summary: 'Show what was said in an exchange. That it was read is written down.',
    answer: z.strictObject({ content: content.nullable() }),
    async handle({ data, params, actor, record }) {
      const kept = await data.usage.content(params.id)
      if (kept === undefined) return { content: null }
      const deed = { action: 'content-read', object: `exchange:${params.id}` }
      await record({ id: actor.userId, name: actor.name }, async () => ({ result: kept, deed }))
      return { content: kept }
    },
  }),
  'content-erase': does({
    method: 'DELETE',
    path: '/api/exchanges/{id}/content',
    role: 'admin',
    tenant: 'whole',
    action: 'content-erase',
    summary: 'Delete what was said in an exchange. Its row in the ledger stays.',
    answer: z.strictObject({ erased: count }),
    objectOf: ({ params }) => ({ object: `exchange:${params.id}` }),
    async handle({ parts, params }) {
      return { erased: await parts.content.erase({ exchangeId: params.id }) }
    },
  }),
}
