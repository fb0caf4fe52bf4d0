import { Command } from 'commander'
import pc from 'picocolors'

import { CommandFailure, exitCodes } from '#commands/exit-codes.ts'
import type { Outside } from '#commands/outside.ts'
import { iso, type JsonFlag, jsonText, type State, withState } from '#commands/state.ts'
import { minute } from '#commands/table.ts'
import type { KeyRecord } from '#keys/key-record.ts'
import type { Keys } from '#keys/keys.ts'

import { budgetTable } from './budget-words.ts'
import { factsOf } from './facts.ts'
import { policyTable } from './policy-words.ts'

/** `parley keys show`: all that is known of one key, what it is held to, and what it has spent. */
export function showKeyCommand(outside: Outside): Command {
  return new Command('show')
    .description('Show a key, what it may do, and what it has spent.')
    .argument('<id>', 'the id, as "parley keys list" shows it')
    .option('--json', jsonText)
    .action(async (id: string, flags: JsonFlag) =>
      withState(outside, async (state) =>
        showKey(outside, state, { key: await findKey(state.keys, id), ...flags }),
      ),
    )
}

/** Prints a key as `parley keys show` does. */
export async function showKey(
  outside: Outside,
  { keys, budgets }: State,
  { key, json }: JsonFlag & { readonly key: KeyRecord },
): Promise<void> {
  const project = await keys.projects.find(key.projectId)
  const organisation = await keys.projects.organisation()
  const held = await budgets.list(`key:${key.id}`)
  if (json === true)
    return outside.print(
      JSON.stringify({
        ...keyAsJson(key),
        parents: { project: project?.policy ?? {}, organisation: organisation.policy },
        budgets: held,
      }),
    )
  const policies = [
    { title: 'this key', policy: key.policy },
    { title: `project ${key.projectName}`, policy: project?.policy ?? {} },
    { title: 'organisation', policy: organisation.policy },
  ]
  const parts = [
    factsOf(keyFacts(key)),
    policyTable(policies, outside.columns),
    budgetTable(held, outside),
  ]
  outside.print(parts.filter((part) => part !== '').join('\n\n'))
}

/** The key of that id. Throws with exit code 66 if there is none. */
export async function findKey(keys: Keys, id: string): Promise<KeyRecord> {
  const key = await keys.find(id)
  if (key !== undefined) return key
  throw new CommandFailure(
    exitCodes.missing,
    `There is no key ${id}. "parley keys list" shows the keys there are.`,
  )
}

const statusColours = {
  active: pc.green,
  early: pc.yellow,
  expired: pc.yellow,
  archived: pc.red,
  revoked: pc.red,
} as const satisfies Record<KeyRecord['status'], (text: string) => string>

export function statusWord({ status }: KeyRecord): string {
  return statusColours[status](status)
}

/** A key as JSON has it: dates as text, `null` for what there is none of. */
export function keyAsJson({ createdAt, ...key }: KeyRecord) {
  const { owner, notBefore, expiresAt, revokedAt, lastUsedAt, formerUntil, ...rest } = key
  return {
    ...rest,
    owner: owner ?? null,
    createdAt: iso(createdAt),
    notBefore: iso(notBefore),
    expiresAt: iso(expiresAt),
    revokedAt: iso(revokedAt),
    lastUsedAt: iso(lastUsedAt),
    ...(formerUntil !== undefined && { formerUntil: iso(formerUntil) }),
  }
}

function keyFacts(key: KeyRecord): readonly (readonly [string, string | undefined])[] {
  return [
    ['id', key.id],
    ['name', key.name],
    ['status', statusWord(key)],
    ['project', key.projectName],
    ['owner', key.owner],
    ['created', minute(key.createdAt)],
    ['valid from', moment(key.notBefore)],
    ['expires', moment(key.expiresAt)],
    ['revoked', moment(key.revokedAt)],
    ['last used', minute(key.lastUsedAt)],
    ['former text valid until', moment(key.formerUntil)],
  ]
}

function moment(time: number | undefined): string | undefined {
  return time === undefined ? undefined : minute(time)
}
