import { z } from 'zod'

import { forwardingHeaders } from '#addresses/forwarded-address.ts'
import { isNetwork } from '#addresses/network-text.ts'
import { Secret } from '#std/secret.ts'

import { engineSchema } from './engine-schema.ts'
import { pricesSchema } from './prices-schema.ts'
import { privacySchema } from './privacy-schema.ts'
import { profileSchema } from './profile-schema.ts'
import { telemetrySchema } from './telemetry-schema.ts'
import { byteSize, duration, given, text, wholeNumber } from './units.ts'

/** Everything that an operator may set. Vendors are named by the caller: they are data of another part. */
export function configSchema<const VendorName extends string>(vendors: readonly VendorName[]) {
  return z.strictObject({
    listen: listenSchema.prefault({}),
    limits: limitsSchema.prefault({}),
    upstreams: z
      .record(upstreamName, upstreamSchema(vendors))
      .prefault({})
      .describe('What can answer: vendors, and model servers of your own.'),
    models: z
      .record(text('a model name'), aliasSchema)
      .prefault({})
      .describe('Names of your own, each with the targets that answer to it.'),
    engine: engineSchema.prefault({}),
    prices: pricesSchema.prefault({}),
    privacy: privacySchema.prefault({}),
    messages: messagesSchema.prefault({}),
    cors: corsSchema.prefault({}),
    translation: translationSchema.prefault({}),
    log: logSchema.prefault({}),
    telemetry: telemetrySchema.prefault({}),
  })
}

export type Config<VendorName extends string = string> = z.output<
  ReturnType<typeof configSchema<VendorName>>
>

const yesOrNo = z.boolean({ error: 'expected `true` or `false`' })

const listenSchema = z
  .strictObject({
    host: text('a host name or address').default('127.0.0.1'),
    port: wholeNumber(0, 65_535).default(8700),
    adminPort: wholeNumber(0, 65_535).default(8701),
    adminHost: text('a host name or address')
      .default('127.0.0.1')
      .describe('Where the admin API listens. Who is not on this machine needs https in front.'),
    adminUrl: text('an https URL')
      .refine(isHttpsOrigin, {
        error: 'expected an https URL without a path, such as `https://parley.example.com`',
      })
      .optional()
      .describe('The URL by which people reach the admin API through a proxy with https.'),
    trustedProxies: z
      .array(
        z.string().refine(isNetwork, {
          error: 'expected an address or a network such as `10.0.0.0/8` or `fd00::/8`',
        }),
        { error: 'expected a list of addresses and networks' },
      )
      .max(100, { error: 'expected at most 100 entries' })
      .default([])
      .describe('Proxies in front that are believed when they say from where a request comes.'),
    forwardedHeader: z
      .enum(forwardingHeaders, { error: 'expected `x-forwarded-for` or `forwarded`' })
      .default('x-forwarded-for')
      .describe('The header in which those proxies say it. No other is read.'),
  })
  .describe('Where the gateway listens. A change takes effect at the next start.')

function isHttpsOrigin(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { origin, protocol } = new URL(url)
  return protocol === 'https:' && origin === url.replace(/\/$/, '')
}

const limitsSchema = z.strictObject({
  body: byteSize.default(32 * 1024 * 1024).describe('The largest request that is accepted.'),
  keepAlive: duration
    .default(15_000)
    .describe('How long a stream may be silent before callers are told that it is alive.'),
  bodies: byteSize
    .default(256 * 1024 * 1024)
    .describe('How many bytes the requests under way may have, all together.'),
  exchanges: wholeNumber(1, 1_000_000)
    .default(10_000)
    .describe(
      'How many exchanges may be under way, nine tenths of them of one key. Who comes on top is told to come again.',
    ),
  stalled: wholeNumber(1, 1_000_000)
    .default(64)
    .describe(
      'How many callers may take nothing of their streams. Beyond it those are cut that have done so for longest.',
    ),
  total: duration
    .default(600_000)
    .describe('The longest that an exchange may take, all attempts together.'),
})

const upstreamName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, {
  error: 'expected a name of letters, digits, `.`, `_` and `-`',
})

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { error: 'expected the name of a header' })

/** Keys go into a header: a line end or a blank inside would break it, or be somebody else's header. */
const secret = z
  .string({ error: 'expected a key, best as a reference such as `${OPENAI_API_KEY}`' })
  .trim()
  .regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, {
    error: 'expected a key of one line, best as a reference such as `${OPENAI_API_KEY}`',
  })
  .transform((value) => new Secret(value))

const deadlinesSchema = z
  .strictObject({
    firstByte: duration.describe('To the first byte of a stream.'),
    silence: duration.describe('Between two reads of a stream.'),
    progress: duration.describe('Between two reads that are more than a sign of life.'),
    total: duration.describe('For the whole answer.'),
  })
  .partial()
  .transform(({ firstByte, silence, progress, total }) =>
    given({
      firstByteMs: firstByte,
      silenceMs: silence,
      progressMs: progress,
      totalMs: total,
    }),
  )
  .describe('How long the upstream may take.')

function upstreamSchema<const VendorName extends string>(vendors: readonly VendorName[]) {
  return z
    .strictObject({
      vendor: z
        .enum(vendors)
        .describe('Whose API it is: brings URL, form of the key and abilities.'),
      protocol: z.enum(['chat-completions', 'messages']).describe('What it speaks.'),
      url: text('an http or https URL').describe(
        'The base as the SDK of the protocol takes it: with /v1 for chat completions, without for messages.',
      ),
      key: secret,
      auth: z
        .enum(['bearer', 'x-api-key', 'api-key', 'none'])
        .describe('In which header the key goes.'),
      headers: z.record(headerName, text('a value')).describe('Sent with every request.'),
      query: z.record(z.string(), text('a value')).describe('Added to every URL.'),
      profile: profileSchema.describe('What its models can take, where that differs.'),
      models: z
        .record(text('a glob of model names'), profileSchema)
        .describe('The same for the models whose names fit a glob such as `gpt-5*`.'),
      deadlines: deadlinesSchema,
      serves: z
        .array(text('a model name'))
        .describe('Its models, in place of the list that it gives itself.'),
    })
    .partial()
    .superRefine(({ vendor, protocol, url }, context) => {
      if (vendor !== undefined || (protocol !== undefined && url !== undefined)) return
      context.addIssue({
        code: 'custom',
        message: 'expected a `vendor`, or a `protocol` and a `url`',
      })
    })
}

const targetSchema = z
  .string({ error: 'expected a target as `upstream/model`' })
  .regex(/^[^/]+\/.+$/, { error: 'expected a target as `upstream/model`' })
  .transform((target) => {
    const slash = target.indexOf('/')
    return { upstream: target.slice(0, slash), model: target.slice(slash + 1) }
  })

const weightedSchema = z.strictObject({
  target: targetSchema,
  weight: z
    .number({ error: 'expected a number above 0' })
    .positive({ error: 'expected a number above 0' })
    .max(1_000_000)
    .default(1)
    .describe('Its share of the work, beside the weights of the others.'),
})

const aliasTargetSchema = z.union(
  [
    targetSchema.transform((target) => ({ ...target, weight: 1 })),
    weightedSchema.transform(({ target, weight }) => ({ ...target, weight })),
  ],
  { error: 'expected a target as `upstream/model`, or as `{ target: upstream/model, weight: 2 }`' },
)

const rescueText =
  'A target that answers, with a header that says so, when all others have failed and the caller accepts it: `engine/parley-mini`.'

const aliasSchema = z.strictObject({
  targets: z
    .array(aliasTargetSchema, { error: 'expected a list of targets, each as `upstream/model`' })
    .min(1, { error: 'expected at least one target' }),
  strategy: z
    .enum(['fallback', 'weighted', 'least-busy', 'lowest-latency', 'cheapest', 'sticky'], {
      error:
        'expected `fallback`, `weighted`, `least-busy`, `lowest-latency`, `cheapest` or `sticky`',
    })
    .default('fallback')
    .describe(
      'Who is asked first: the first of the list; by chance, by weight; who has least to do; who answers soonest; who costs least; or always the same one for a conversation, so that its prompt cache is met.',
    ),
  rescue: targetSchema.optional().describe(rescueText),
})

const messagesSchema = z.strictObject({
  requireVersion: yesOrNo
    .default(true)
    .describe('Refuse requests of the messages protocol without a version header.'),
  versions: z
    .array(text('a version such as `2023-06-01`'))
    .default([])
    .describe('Versions to accept beside those that Parley knows.'),
})

const corsSchema = z.strictObject({
  origins: z
    .array(text('an origin such as `https://app.example.com`, or `*`'))
    .default([])
    .describe('Web pages that may call the API.'),
})

const translationSchema = z.strictObject({
  strict: yesOrNo
    .default(false)
    .describe(
      'Refuse a request that cannot be passed on exactly, instead of noting what was adapted.',
    ),
})

const logSchema = z.strictObject({
  level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
})
