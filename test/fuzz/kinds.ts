import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Chance, seeded } from '#test/crash/seeded.ts'

import { httpRequest } from './http-requests.ts'
import { newHttpRig } from './http-rig.ts'
import { jsonBody } from './json-bodies.ts'
import { checkBodies } from './json-checks.ts'
import { checkStream } from './sse-checks.ts'
import { sseStream } from './sse-streams.ts'

/** A kind of input that is tried: how one is made, and what is wrong with what becomes of it. */
export interface Kind extends AsyncDisposable {
  readonly make: (chance: Chance) => Uint8Array
  readonly failureOf: (input: Uint8Array) => Promise<string | undefined>
  /** How many are tried at once. */
  readonly atOnce: number
  /** What has come of it so far, in words. */
  readonly report: () => string
}

export const kindNames = ['sse', 'json', 'http'] as const
export type KindName = (typeof kindNames)[number]

export const kinds: Readonly<Record<KindName, () => Promise<Kind>>> = {
  sse: async () => ({
    ...alone,
    make: sseStream,
    failureOf: async (bytes) => failureIn(() => checkStream(bytes, seeded(bytes.length))),
  }),
  json: async () => ({
    ...alone,
    make: (chance) => Buffer.from(jsonBody(chance).text),
    failureOf: async (bytes) => failureIn(() => checkBodies(Buffer.from(bytes).toString())),
  }),
  http: async () => {
    const rig = await newHttpRig()
    return {
      make: httpRequest,
      failureOf: rig.failureOf,
      atOnce: 40,
      report: () =>
        [...rig.statuses]
          .toSorted(([one], [other]) => one - other)
          .map(([status, count]) => `${status}: ${count}`)
          .join(', '),
      [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
    }
  },
}

const alone = { atOnce: 1, report: () => '', [Symbol.asyncDispose]: async () => {} } as const

function failureIn(act: () => void): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const folder = new URL('corpus', import.meta.url).pathname

/** The inputs that were worth keeping: what each of them once broke is in its name. */
export function corpusOf(kind: KindName): { readonly name: string; readonly bytes: Uint8Array }[] {
  return readdirSync(join(folder, kind))
    .toSorted()
    .map((name) => ({ name, bytes: readFileSync(join(folder, kind, name)) }))
}

export function corpusFile(kind: KindName, name: string): string {
  return join(folder, kind, name)
}
