import { z } from 'zod'

const milliseconds = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const
const bytes = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
} as const

/** A length of time, `90s` or `2m`, as milliseconds. */
export const duration = z
  .string({ error: 'expected a time such as `500ms`, `90s`, `2m` or `1h`' })
  .regex(/^\d+(\.\d+)?(ms|s|m|h)$/, {
    error: 'expected a time such as `500ms`, `90s`, `2m` or `1h`',
  })
  .transform((text) => Math.round(measured(text, milliseconds)))
  .refine((ms) => ms > 0, { error: 'expected a time above zero' })

/** A number of bytes, plain or as `32MiB`. */
export const byteSize = z
  .union(
    [
      z.int().min(1),
      z
        .string()
        .regex(/^\d+(\.\d+)?(B|[KMG]i?B)$/)
        .transform((text) => Math.round(measured(text, bytes))),
    ],
    { error: 'expected a number of bytes, or a size such as `512KiB` or `32MiB`' },
  )
  .refine((size) => size > 0, { error: 'expected a size above zero' })

/** A whole number; one that came from the environment is still text. */
export function wholeNumber(min: number, max: number) {
  const error = `expected a whole number from ${min} to ${max}`
  const fromText = z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max)
  return z.union([z.int().min(min, { error }).max(max, { error }), fromText], { error })
}

/** Text that is not empty. `what` completes the sentence "expected …". */
export function text(what: string) {
  return z
    .string({ error: `expected ${what}` })
    .trim()
    .min(1, { error: `expected ${what}` })
}

/** A mapping without the members that were not given, which its type then says too. */
export function given<Members extends object>(members: Members): Given<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  // Only members that may be absent can be, so what is left has the type.
  return Object.fromEntries(entries) as Given<Members>
}

type Given<Members> = { readonly [Name in keyof Members]: Exclude<Members[Name], undefined> }

function measured(written: string, units: Readonly<Record<string, number>>): number {
  const [, amount = '', unit = ''] = /^([\d.]+)(\w+)$/.exec(written) ?? []
  return Number(amount) * (units[unit] ?? 1)
}
