import type { ErrorCode } from '#chat/error.ts'
import type { ProtocolName } from '#chat/names.ts'
import type { Act, RecordedRequest, Script } from '#test/scripted-upstream.ts'

import { goodFrames } from './answers.ts'
import type { Seen } from './seen.ts'

/** Who asks whom, and how: every fault is met in all of these that it can happen in. */
export interface Variant {
  readonly caller: ProtocolName
  readonly upstream: ProtocolName
  readonly isStream: boolean
  /** Whether there is a second target, which is well. */
  readonly hasNext: boolean
}

/** What an upstream is asked at the moment of its fault. */
export interface Serving {
  readonly protocol: ProtocolName
  readonly isStream: boolean
  /** The frames of the good stream. */
  readonly frames: readonly string[]
  readonly request: RecordedRequest
}

/**
 * What a caller with this one target sees: the whole answer; the code of a failure that is told with a status of its
 * own; or one that comes after the first words, which is a frame and then the end of the connection.
 */
export type Sees =
  | 'whole'
  | 'garbled'
  | ErrorCode
  | { readonly broken: ErrorCode }
  /** Any of these: the bytes and the end of the connection race. */
  | { readonly either: readonly Sees[] }

export interface UpstreamFault {
  readonly name: string
  /** The row of the fault model that it belongs to. */
  readonly kind: string
  /** What the upstream does in place of the good answer. */
  readonly script?: (serving: Serving) => Script | AsyncIterable<Act>
  /** Where the upstream is said to be, if it is none of HTTP. */
  readonly at?: (places: Places) => string
  readonly only?: Partial<Variant> & { readonly lane?: 'same' | 'other' }
  readonly sees: Sees | ((variant: Variant) => Sees)
  /** The text of a whole answer, if it is not the usual one. */
  readonly text?: string
  /** What the ledger has of a whole answer; what the upstream counts by default. */
  readonly counted?: 'exact' | 'estimated' | ((variant: Variant) => 'exact' | 'estimated')
  readonly deadlines?: Readonly<Record<string, string>>
  /** Looks at what else must be so, and says what is wrong. */
  readonly inspect?: (seen: Seen, variant: Variant) => string | undefined
  /** What is known to be wrong here, and told apart from what is not known yet. */
  readonly known?: string
  /** Only where there is time. */
  readonly isSlow?: boolean
}

/** Ports at which there is something other than a server of HTTP. */
export interface Places {
  readonly closed: number
  readonly resetsAtOnce: number
  readonly closesAtOnce: number
  /** Resets after so many bytes of the request. */
  readonly resetsAfter: ReadonlyMap<number, number>
  readonly closesAfterHead: number
  readonly resetsAfterHead: number
  readonly blackHole: number
}

/** Failures after which another target is asked (reliability: what may be retried). */
export const mendable: ReadonlySet<string> = new Set([
  'upstream-unreachable',
  'upstream-unauthorised',
  'upstream-busy',
  'upstream-failed',
  'upstream-overloaded',
  'upstream-lost',
  'upstream-timeout',
])

/** Those after which a target without another is asked once more. */
export const repeatable: ReadonlySet<string> = new Set(['upstream-failed', 'upstream-overloaded'])

const protocols: readonly ProtocolName[] = ['chat-completions', 'messages']
const yesAndNo: readonly boolean[] = [true, false]

/** All the variants in which a fault can be met. */
export function variantsOf({ only = {} }: UpstreamFault): Variant[] {
  const all = protocols.flatMap((caller) =>
    protocols.flatMap((upstream) =>
      yesAndNo.flatMap((isStream) =>
        yesAndNo.map((hasNext) => ({ caller, upstream, isStream, hasNext })),
      ),
    ),
  )
  const { lane, ...fixed } = only
  return all.filter(
    (variant) =>
      (lane === undefined || (lane === 'same') === (variant.caller === variant.upstream)) &&
      Object.entries(fixed).every(([name, value]) => variant[name as keyof Variant] === value),
  )
}

/** What a request is served with, as a fault's script is told it. */
export function servingOf(request: RecordedRequest): Serving {
  const protocol = request.path.endsWith('/messages') ? 'messages' : 'chat-completions'
  const { stream } = request.json() as { readonly stream?: boolean }
  return { protocol, isStream: stream === true, frames: goodFrames[protocol], request }
}

export function expectationOf({ sees }: UpstreamFault, variant: Variant): Sees {
  return typeof sees === 'function' ? sees(variant) : sees
}

/** Faults of one kind, with what they have in common. */
export function ofKind<const Row extends Partial<UpstreamFault>>(
  shared: Row & Pick<UpstreamFault, 'kind'>,
  rows: readonly (Pick<UpstreamFault, 'name'> & Omit<Partial<UpstreamFault>, 'kind'>)[],
): UpstreamFault[] {
  return rows.map((row) => ({
    sees: 'whole' as const,
    ...shared,
    ...row,
    ...((shared.only ?? row.only) !== undefined && { only: { ...shared.only, ...row.only } }),
  }))
}
