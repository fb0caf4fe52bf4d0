import { GatewayError } from '#chat/error.ts'

/** The refusal of what would mean something else if it were left out. */
export function unsayable(param: string, why: string): GatewayError {
  return new GatewayError(
    'not-expressible',
    `'${param}' cannot be passed on to this target: ${why}. Leave it out, or ask a target that takes it.`,
    { param, detail: 'unsupported_parameter' },
  )
}
