import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pino from 'pino'

import type { KeptContent } from '#content/kept-content.ts'
import { readContent } from '#content/read-content.ts'
import type { Policy } from '#keys/policy.ts'

import { startGateway, type TestConfig, type TestGateway } from './start-gateway.ts'
import { until } from './until.ts'

/** A gateway with a home on the disk, and keys of any policy. */
export interface ContentRig extends AsyncDisposable {
  readonly home: string
  readonly gateway: TestGateway
  /** The same gateway as somebody calls it whose key has this policy. */
  readonly as: (policy: Policy) => Promise<TestGateway>
  /** What is kept of so many exchanges, once they are all on the disk, by their request ids. */
  readonly kept: (exchanges: number) => Promise<ReadonlyMap<string, KeptContent>>
  /** Files of the home, its subfolders too, that have these bytes in them. */
  readonly filesWith: (marker: string) => string[]
}

export const logging: Policy = { contentLogging: true }

/** `logged` is told every line of the log. */
export async function contentRig(
  config: TestConfig,
  logged: (line: string) => void = () => {},
): Promise<ContentRig> {
  const home = mkdtempSync(join(tmpdir(), 'parley-content-'))
  const log = pino({ level: 'trace' }, { write: logged })
  const gateway = await startGateway(config, join(home, 'parley.db'), log, { home })
  const { keys, storage, content } = gateway.gateway
  return {
    home,
    gateway,
    async as(policy) {
      const { key } = await keys.issue({ name: 'caller', policy })
      const shown = key.reveal()
      const headers = { authorization: `Bearer ${shown}` }
      const post: TestGateway['post'] = (path, body, more = {}) =>
        gateway.post(path, body, { ...headers, ...more })
      return { ...gateway, key: shown, post }
    },
    async kept(exchanges) {
      await until(() => content.counts.kept >= exchanges)
      const ids = storage.database
        .query<{ id: string }, []>('SELECT id FROM ledger ORDER BY seq')
        .all()
      const found = new Map<string, KeptContent>()
      for (const { id } of ids) {
        const one = await readContent(storage, id)
        if (one !== undefined) found.set(id, one)
      }
      return found
    },
    filesWith: (marker) => filesWith(home, marker),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Files of a folder, its subfolders too, that have these bytes in them. */
export function filesWith(folder: string, marker: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .filter((name) => readFileSync(join(folder, name)).includes(marker))
}

/** The text of an answer's blocks of a kind, as it is kept. */
export function textOf({ answer }: KeptContent, type: string): string {
  return answer.blocks
    .filter((block) => block.type === type)
    .map(({ text }) => text)
    .join('')
}

/** The only one of them. */
export function onlyOf(kept: ReadonlyMap<string, KeptContent>): KeptContent {
  const [only, ...others] = kept.values()
  if (only === undefined || others.length > 0) throw new Error(`There are ${kept.size}.`)
  return only
}
