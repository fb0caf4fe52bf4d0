import type { ProtocolName } from '#chat/names.ts'

import { type ClientStep, type EndedBy, type Heard, say } from './raw-client.ts'
import { bodyFor, headersFor, paths } from './rig.ts'

/** How the upstream is, that the client's fault happens in front of. */
export type Behaviour =
  /** Answers at once. */
  | 'good'
  /** Answers after a moment. */
  | 'slow'
  /** Never says a word. */
  | 'silent'
  /** Streams a word every few milliseconds, and never ends. */
  | 'endless'
  /** Streams as fast as it can, whoever listens. */
  | 'pouring'
  /** Gives all of its answer but the end. */
  | 'unended'

export interface ClientVariant {
  readonly caller: ProtocolName
  readonly isStream: boolean
}

/** What is to come of it. Everything that is left out may be as it will. */
export interface Due {
  /** Of the responses in order; empty for none at all. */
  readonly status?: readonly (number | readonly number[])[]
  /** Whether the first answer is the whole one. */
  readonly isWhole?: boolean
  /** The result in the ledger; `none` for no row. */
  readonly row?: readonly string[]
  /** How many requests reach the upstream. */
  readonly hits?: number | 'any'
  readonly endedBy?: readonly EndedBy[]
  /** Tokens that the row has at least. */
  readonly input?: number
  readonly output?: number
  readonly within?: number
}

export interface ClientFault {
  readonly name: string
  /** The row of the fault model that it belongs to. */
  readonly kind: string
  readonly steps: (kit: Kit) => readonly ClientStep[]
  readonly due: Due | ((variant: ClientVariant) => Due)
  readonly upstream?: Behaviour
  readonly only?: Partial<ClientVariant>
  /** How long the client waits before it goes by itself, in milliseconds. */
  readonly patienceMs?: number
  readonly isSlow?: boolean
  /** Looks at what else must be so, and says what is wrong. */
  readonly inspect?: (heard: Heard, kit: Kit) => string | undefined
}

export interface Made {
  readonly method?: string
  readonly path?: string
  readonly version?: string
  /** Beside the usual ones, which an undefined value takes out. */
  readonly headers?: Readonly<Record<string, string | number | undefined>>
  /** Whole lines, as they are, before the others. */
  readonly lines?: readonly string[]
  readonly body?: string | Uint8Array
  /** Members of the body beside the usual ones. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** What a fault's steps are made of. */
export interface Kit extends ClientVariant {
  readonly key: string
  /** A second key that is good. */
  readonly otherKey: string
  readonly model: string
  readonly path: string
  /** Bytes that a body may have. */
  readonly bodyLimit: number
  /** The bytes of a request: a good one, but for what is said. */
  readonly request: (made?: Made) => Buffer
  /** A good request that must never be carried out. */
  readonly poison: () => Buffer
  /** Resolves when the upstream has been asked. */
  readonly asked: () => Promise<unknown>
  /** Resolves when the upstream's connection is gone. */
  readonly released: () => Promise<unknown>
}

export function kitFor(
  variant: ClientVariant,
  facts: Pick<Kit, 'key' | 'otherKey' | 'model' | 'asked' | 'released' | 'bodyLimit'> & {
    readonly poisonModel: string
  },
): Kit {
  const { caller, isStream } = variant
  const { poisonModel, ...given } = facts
  const kit: Kit = {
    ...variant,
    ...given,
    path: paths[caller],
    request: (made = {}) => requestBytes(kit, made),
    poison: () =>
      requestBytes(kit, {
        body: JSON.stringify(bodyFor({ protocol: caller, isStream, model: poisonModel })),
      }),
  }
  return kit
}

function requestBytes({ caller, isStream, model, key }: Kit, made: Made): Buffer {
  const plain = { ...bodyFor({ protocol: caller, isStream, model }), ...made.members }
  const body = Buffer.from(made.body ?? JSON.stringify(plain))
  const headers = Object.entries({
    ...headersFor({ key, protocol: caller }, body.length),
    ...made.headers,
  })
  const lines = [
    `${made.method ?? 'POST'} ${made.path ?? paths[caller]} ${made.version ?? 'HTTP/1.1'}`,
    ...(made.lines ?? []),
    ...headers
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body])
}

export function dueOf({ due }: ClientFault, variant: ClientVariant): Due {
  return typeof due === 'function' ? due(variant) : due
}

/** All the variants in which a fault can be met. */
export function clientVariantsOf({ only = {} }: ClientFault): ClientVariant[] {
  return (['chat-completions', 'messages'] as const)
    .flatMap((caller) => [true, false].map((isStream) => ({ caller, isStream })))
    .filter((variant) =>
      Object.entries(only).every(([name, value]) => variant[name as keyof ClientVariant] === value),
    )
}

/** Faults of one kind, with what they have in common. */
export function clientFaults(
  shared: Pick<ClientFault, 'kind'> & Partial<ClientFault>,
  rows: readonly (Pick<ClientFault, 'name' | 'steps'> & Partial<ClientFault>)[],
): ClientFault[] {
  return rows.map((row) => ({ due: {}, ...shared, ...row }))
}

/** A refusal before anything is done. */
export const refused = (status: number | readonly number[]): Due => ({
  status: [status],
  row: ['none'],
  hits: 0,
})
export const whole: Due = { isWhole: true, row: ['complete'], hits: 1 }

/** One request with something about it. */
export function asking(made: Made | ((kit: Kit) => Made)): ClientFault['steps'] {
  return (kit) => [say(kit.request(typeof made === 'function' ? made(kit) : made))]
}
