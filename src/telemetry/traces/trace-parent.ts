/** What a caller's `traceparent` says (W3C Trace Context, version 00; a later one is read as far as it is the same). */
export interface TraceParent {
  /** 32 lower-case hexadecimal digits. */
  readonly traceId: string
  /** 16 of them. */
  readonly spanId: string
  readonly isSampled: boolean
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const noTrace = '0'.repeat(32)
const noSpan = '0'.repeat(16)

/** A longer one is nothing but a burden to whoever is sent it. */
const longestState = 512

/** Reads the header. Undefined for what is malformed: such a caller has no trace. */
export function parseTraceParent(header: string | null): TraceParent | undefined {
  if (header === null || header.length < 55 || header.length > 200) return undefined
  const [, version, traceId = '', spanId = '', flags = '', rest] = form.exec(header) ?? []
  if (version === undefined || version === 'ff') return undefined
  if (version === '00' && rest !== undefined) return undefined
  if (traceId === noTrace || spanId === noSpan) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** The header `traceparent` of a span. */
export function traceParentText({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

/** A `tracestate` that may be passed on; undefined for one that no list of vendors can look like. */
export function cleanTraceState(header: string | null): string | undefined {
  if (header === null || header.length > longestState) return undefined
  return /^[a-z0-9][\x20-\x7e]*=[\x20-\x7e]*$/.test(header) ? header : undefined
}

/**
 * What the last 14 digits of a trace id have to reach for the trace to be sampled, as text: those 56 bits are random in
 * every id (W3C Trace Context, level 2). One that nothing reaches where the share is 0.
 */
export function samplingThreshold(ratio: number): string {
  if (ratio <= 0) return 'never'
  const least = Math.min(2 ** 56 - 1, Math.round((1 - Math.min(1, ratio)) * 2 ** 56))
  return BigInt(least).toString(16).padStart(14, '0')
}

/** Whether a trace is one of those that are sampled. Everybody who asks of the same trace is told the same. */
export function isSampled(traceId: string, threshold: string): boolean {
  return traceId.slice(18) >= threshold
}
