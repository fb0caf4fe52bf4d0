import { GatewayError } from '#chat/error.ts'
import type { ProtocolName } from '#chat/names.ts'

/** The name that goes upstream, and the neutral name of the specification. */
const versionNames = ['anthropic-version', 'altvendor-version'] as const

const alwaysAccepted = ['2023-06-01', '2023-01-01', '2026-10-21']

export interface VersionRules {
  readonly isRequired: boolean
  /** Values beyond those that this gateway knows. */
  readonly alsoAccepted: readonly string[]
}

/** Every credential that a request shows, `x-api-key` first: it is the more deliberate of the two. */
export function credentialsOf(headers: Headers): string[] {
  const shown: string[] = []
  const key = headers.get('x-api-key')?.trim()
  if (key) shown.push(key)
  const authorization = headers.get('authorization')
  if (authorization !== null && /^bearer\s/i.test(authorization)) {
    const token = authorization.slice(7).trim()
    if (token.length > 0 && token !== key) shown.push(token)
  }
  return shown
}

/** How long an exchange may take, by the clock of `performance.now`, and what the caller says of it. */
export interface Patience {
  readonly deadlineAt: number
  /** Until then the caller waits for a whole answer, or for a stream to begin; absent where that is no earlier. */
  readonly waitsUntil?: number
  /** How often the caller has sent this request before. */
  readonly repeats: number
}

/** The official SDKs of both protocols say how long they wait; no exchange takes longer than `totalMs` for that. */
export function patienceOf(headers: Headers, totalMs: number): Patience {
  const now = performance.now()
  const waitMs = Number(headers.get('x-stainless-timeout') ?? Number.NaN) * 1000
  const repeats = Number(headers.get('x-stainless-retry-count') ?? 0)
  return {
    deadlineAt: now + totalMs,
    ...(waitMs > 0 && waitMs < totalMs && { waitsUntil: now + waitMs }),
    repeats: repeats > 0 ? repeats : 0,
  }
}

/** In which a caller may ask for nothing of its exchange to be kept, and is told where something is. */
export const contentHeader = 'x-parley-content-logging'

/** Whether the caller asks for nothing of its exchange to be kept. */
export function refusesContent(headers: Headers): boolean {
  return /^\s*off\s*$/i.test(headers.get(contentHeader) ?? '')
}

/** Whether the caller speaks the messages protocol on a path that both protocols have. */
export function speaksMessages(headers: Headers): boolean {
  if (versionNames.some((name) => headers.has(name))) return true
  return (
    headers.has('anthropic-beta') || (headers.has('x-api-key') && !headers.has('authorization'))
  )
}

/**
 * The headers of a caller that belong to its protocol and go on to an upstream of the same one, under the names
 * that upstreams know. Throws `version-invalid` for a version header that is missing, unknown or contradictory.
 */
export function protocolHeaders(
  protocol: ProtocolName,
  headers: Headers,
  rules: VersionRules,
): ReadonlyMap<string, string> {
  if (protocol === 'chat-completions') return noHeaders
  const known = new Map<string, string>()
  const version = versionOf(headers, rules)
  if (version !== undefined) known.set('anthropic-version', version)
  const betas = headers.get('anthropic-beta')
  if (betas !== null) known.set('anthropic-beta', betas)
  return known
}

const noHeaders: ReadonlyMap<string, string> = new Map()

function versionOf(headers: Headers, rules: VersionRules): string | undefined {
  const shown = versionNames.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [{ name, value: withoutRepeats(value) }]
  })
  const [first, second] = shown
  if (first === undefined) {
    if (!rules.isRequired) return undefined
    throw new GatewayError(
      'version-invalid',
      'anthropic-version: header is required. Send `anthropic-version: 2023-06-01` (or the same under `altvendor-version`).',
    )
  }
  if (second !== undefined && second.value !== first.value) {
    throw new GatewayError(
      'version-invalid',
      `${first.name}: "${first.value}" and ${second.name}: "${second.value}" differ. Send one of them, or both with the same value.`,
    )
  }
  if (!alwaysAccepted.includes(first.value) && !rules.alsoAccepted.includes(first.value)) {
    throw new GatewayError(
      'version-invalid',
      `${first.name}: "${first.value}" is not a valid version. Known are ${[...alwaysAccepted, ...rules.alsoAccepted].join(', ')}.`,
    )
  }
  return first.value
}

/** Some proxies join a header that was sent twice; equal values are one value. */
function withoutRepeats(value: string): string {
  const parts = new Set(value.split(',').map((part) => part.trim()))
  return [...parts].join(', ')
}
