import { z } from 'zod'

import { Secret } from '#std/secret.ts'

import { duration, text, wholeNumber } from './units.ts'

const yesOrNo = z.boolean({ error: 'expected `true` or `false`' })

/** A header may hold a key of the collector. */
const headerValue = z
  .string({ error: 'expected a value of one line' })
  .regex(/^[\x20-\x7e]*$/, { error: 'expected a value of one line' })
  .transform((value) => new Secret(value))

const metricsSchema = z.strictObject({
  enabled: yesOrNo
    .default(true)
    .describe('Whether metrics are counted, and told at `/metrics` of the admin listener.'),
  token: z
    .string({ error: 'expected a token, best as a reference such as `${METRICS_TOKEN}`' })
    .regex(/^[\x21-\x7e]{16,}$/, { error: 'expected at least 16 characters without blanks' })
    .transform((value) => new Secret(value))
    .optional()
    .describe(
      'What whoever scrapes has to show as a bearer token, from wherever it asks. Without it this machine may ask.',
    ),
  labels: z
    .array(z.enum(['project', 'key'], { error: 'expected `project` or `key`' }), {
      error: 'expected a list of `project` and `key`',
    })
    .default([])
    .describe('Tell exchanges apart by the id of their project or key too.'),
  maxSeries: wholeNumber(10, 100_000)
    .default(2000)
    .describe('How many sets of labels are told apart. What comes on top is counted as `other`.'),
})

const tracesSchema = z.strictObject({
  ratio: z
    .number({ error: 'expected a share from 0 to 1' })
    .min(0, { error: 'expected a share from 0 to 1' })
    .max(1, { error: 'expected a share from 0 to 1' })
    .default(0.01)
    .describe('The share of traces that is recorded, where no caller has decided it.'),
  followCallers: yesOrNo
    .default(true)
    .describe("Go on with a caller's trace, and record it if and only if the caller does."),
  propagate: yesOrNo
    .default(true)
    .describe(
      'Send `traceparent` to upstreams, so that what they record belongs to the same trace.',
    ),
  failures: yesOrNo
    .default(true)
    .describe('Record what failed through no fault of its caller too, up to 20 a second.'),
  slow: duration.optional().describe('Record what takes longer too.'),
})

const otlpSchema = z.strictObject({
  endpoint: text('the URL of a collector such as `http://127.0.0.1:4318`')
    .refine((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), {
      error: 'expected the URL of a collector such as `http://127.0.0.1:4318`',
    })
    .optional()
    .describe(
      'Where traces and metrics are sent over OTLP; else as `OTEL_EXPORTER_OTLP_ENDPOINT` says.',
    ),
  headers: z
    .record(text('the name of a header'), headerValue)
    .default({})
    .describe('Sent with everything that goes there.'),
  every: duration.default(60_000).describe('How often metrics are sent.'),
})

/** What the gateway tells of itself. */
export const telemetrySchema = z
  .strictObject({
    metrics: metricsSchema.prefault({}),
    log: yesOrNo
      .default(true)
      .describe('Write one line for every exchange to the log, if `log.level` is `info` or lower.'),
    serverTiming: yesOrNo
      .default(true)
      .describe('Tell callers in the header `server-timing` what the gateway itself took.'),
    traces: tracesSchema.prefault({}),
    otlp: otlpSchema.prefault({}),
  })
  .describe('Metrics, traces, and the line of each exchange.')
