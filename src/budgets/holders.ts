import type { Kysely } from 'kysely'

import type { Schema } from '#storage/schema.ts'

/** Whoever has a balance and may have budgets: `org`, `project:<id>` or `key:<id>`. The narrowest first. */
export function holdersOf(keyId: string, projectId: string): readonly [string, string, string] {
  return [`key:${keyId}`, `project:${projectId}`, organisation]
}

export const organisation = 'org'

/** `key`, `project` or `org`, and the id of the first two. Undefined for what names no holder. */
export function readHolder(
  holder: string,
): { readonly kind: 'org' | 'project' | 'key'; readonly id: string } | undefined {
  if (holder === organisation) return { kind: 'org', id: '' }
  const [, kind, id = ''] = /^(project|key):(.+)$/s.exec(holder) ?? []
  if (kind === 'project' || kind === 'key') return { kind, id }
  return undefined
}

/** Whom a holder belongs to: nobody, the organisation, or a project and the organisation. */
export async function parentsOf(query: Kysely<Schema>, holder: string): Promise<readonly string[]> {
  const read = readHolder(holder)
  if (read === undefined || read.kind === 'org') return []
  if (read.kind === 'project') return [organisation]
  const key = await query
    .selectFrom('keys')
    .select('project_id')
    .where('id', '=', read.id)
    .executeTakeFirst()
  return key === undefined ? [organisation] : [`project:${key.project_id}`, organisation]
}
