import type { OtlpSettings } from '#telemetry/settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The URLs of both signals; absent where nothing says where a signal goes. */
export interface OtlpTargets {
  readonly traces?: string
  readonly metrics?: string
}

/** What the config says wins over the environment, and there what is said of a signal over what is said of all. */
export function otlpTargets(
  { endpoint }: Pick<OtlpSettings, 'endpoint'>,
  environment: Environment,
): OtlpTargets {
  if (environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return {}
  const traces = urlOf('traces', endpoint, environment)
  const metrics = urlOf('metrics', endpoint, environment)
  return {
    ...(traces !== undefined && { traces }),
    ...(metrics !== undefined && { metrics }),
  }
}

function urlOf(
  signal: 'traces' | 'metrics',
  endpoint: string | undefined,
  environment: Environment,
): string | undefined {
  const upper = signal.toUpperCase()
  if (environment[`OTEL_${upper}_EXPORTER`] === 'none') return undefined
  const own = environment[`OTEL_EXPORTER_OTLP_${upper}_ENDPOINT`] || undefined
  if (endpoint === undefined && own !== undefined) return own
  const base = endpoint ?? (environment['OTEL_EXPORTER_OTLP_ENDPOINT'] || undefined)
  return base === undefined ? undefined : `${base.replace(/\/+$/, '')}/v1/${signal}`
}

/** The attributes of `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME`; what has no form of its own is left out. */
export function resourceAttributes(environment: Environment): Readonly<Record<string, string>> {
  const pairs = (environment['OTEL_RESOURCE_ATTRIBUTES'] ?? '').split(',').flatMap((pair) => {
    const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
    return name === undefined || value === undefined ? [] : [[name, decoded(value)] as const]
  })
  const service = environment['OTEL_SERVICE_NAME'] || undefined
  return {
    'service.name': 'parley',
    ...Object.fromEntries(pairs),
    ...(service !== undefined && { 'service.name': service }),
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // A stray percent sign: then it is part of the value.
    return value
  }
}
