import { z } from 'zod'

import { efforts, families } from '#chat/conversation.ts'
import type { Profile } from '#chat/profile.ts'
import { rawJson } from '#std/json.ts'

import { given, wholeNumber } from './units.ts'

const tokens = wholeNumber(1, 100_000_000)
const yesOrNo = z.boolean({ error: 'expected `true` or `false`' })

/** What an operator may say of a target's abilities: any member of its profile. */
export const profileSchema = z
  .strictObject({
    family: z.enum(families),
    maxOutput: tokens.describe('The largest answer of the model, in tokens.'),
    defaultMaxTokens: tokens.describe(
      'What a messages upstream is told when the caller sets no limit and `maxOutput` is not known.',
    ),
    sampling: z
      .enum(['all', 'one', 'none'])
      .describe('Which of temperature and top_p it takes: both, one at a time, or neither.'),
    topK: yesOrNo,
    midSystem: z
      .enum(['native', 'user'])
      .describe('A system message after the first turn: taken in place, or said by the user.'),
    prefill: z
      .enum(['native', 'continue', 'prefix', 'refuse'])
      .describe('How an answer that the caller began is continued.'),
    structuredOutput: z.enum(['native', 'instruction']),
    strictTools: yesOrNo,
    callIds: z.enum(['any', 'word', 'nine']).describe('Which ids of tool calls it accepts.'),
    toolNameLimit: wholeNumber(1, 1024),
    forwardUnknown: yesOrNo.describe('Pass on members that Parley does not know.'),
    fetchesUrls: yesOrNo.describe('It fetches images by their URLs itself.'),
    retell: yesOrNo.describe('Its answers break official clients and are told again.'),
    embeddingBatch: wholeNumber(1, 100_000).describe('How many texts one request may embed.'),
    contextSize: tokens.describe('Tokens that fit into it, prompt and answer together.'),
    takesImages: yesOrNo.describe('It takes images; unless said it is asked and may refuse.'),
    takesTools: yesOrNo.describe('It takes tools.'),
    dropsEmpty: yesOrNo.describe('It refuses empty lists and options of nothing; leave them out.'),
    maxTokensField: z.enum(['max_tokens', 'max_completion_tokens']),
    systemRole: z.enum(['system', 'developer']),
    textParts: yesOrNo.describe('Content may be a list of parts.'),
    emptyContent: z.enum(['null', 'string']),
    toolResultImages: z.enum(['inline', 'after']),
    streamUsage: yesOrNo.describe('It takes stream_options.include_usage.'),
    reasoningReplay: z.enum(['none', 'reasoning_content', 'reasoning', 'required']),
    reasoningControl: z.enum(['effort', 'none']),
    highestEffort: z
      .enum(efforts)
      .describe('The hardest thinking that it can be asked for by effort.'),
    reasoningOff: z
      .record(z.string(), z.json())
      .transform((members) => rawJson(members))
      .describe('Members to add so that a model which thinks by default does not.'),
    callerFields: yesOrNo.describe('It understands user, metadata and the like.'),
    maxStops: wholeNumber(0, 1024),
    schemaNeedsProperties: yesOrNo,
    thinking: z.enum(['adaptive', 'budget', 'none']),
    firstParty: yesOrNo.describe('It is the first party of the messages protocol.'),
    version: z.string().describe('The version header to send in place of a newer one.'),
  } satisfies Record<keyof Profile, z.ZodType>)
  .partial()
  .transform(given)
