import { z } from 'zod'

import { Pattern } from '#redaction/pattern.ts'
import { builtInRules } from '#redaction/rule.ts'

import { byteSize, text, wholeNumber } from './units.ts'

const yesOrNo = z.boolean({ error: 'expected `true` or `false`' })

const patternSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, {
        error: 'expected a name of lower-case letters, digits and `-`',
      })
      .describe('What stands in the place of what was found: `[redacted: <name>]`.'),
    pattern: text('a pattern such as `ACME-\\d+`').describe(
      'A regular expression without looking around, references back and lazy repetition.',
    ),
    ignoreCase: yesOrNo.default(false).describe('Whether small and capital letters are the same.'),
  })
  .superRefine(({ pattern, ignoreCase }, context) => {
    const problem = problemOf(pattern, ignoreCase)
    if (problem !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['pattern'],
        message: `expected a pattern that can be used: this one ${problem}`,
      })
  })
  .transform(({ name, pattern, ignoreCase }) => ({ name, pattern, ignoresCase: ignoreCase }))

/** More would make every exchange that is kept a burden. */
const mostPatterns = 50

export const privacySchema = z
  .strictObject({
    maxBytes: byteSize
      .refine((bytes) => bytes <= 16 * 1024 * 1024, { error: 'expected 16MiB at most' })
      .default(64 * 1024)
      .describe('How much is kept of a request, and of an answer. The rest is cut, and marked so.'),
    retainDays: wholeNumber(1, 3650)
      .default(30)
      .describe('For how many days content is kept. Then it is deleted.'),
    queueBytes: byteSize
      .default(64 * 1024 * 1024)
      .describe('How much may wait in memory to be kept. What comes on top is not kept.'),
    rules: z
      .array(z.enum(builtInRules), {
        error: `expected a list of some of ${builtInRules.map((rule) => `\`${rule}\``).join(', ')}`,
      })
      .default([...builtInRules])
      .describe('What is taken out before anything is kept.'),
    redact: z
      .array(patternSchema, { error: 'expected a list of patterns, each with a `name`' })
      .max(mostPatterns, { error: `expected ${mostPatterns} patterns at most` })
      .default([])
      .describe('What is taken out besides.'),
  })
  .describe('How the content of exchanges is kept, for the keys whose policy has it on.')

function problemOf(pattern: string, ignoresCase: boolean): string | undefined {
  try {
    void new Pattern(pattern, { ignoresCase })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
