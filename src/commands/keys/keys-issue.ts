import { Command } from 'commander'
import pc from 'picocolors'

import type { Outside } from '#commands/outside.ts'
import { type JsonFlag, jsonText, withState, type YesFlag } from '#commands/state.ts'
import { timeAhead } from '#commands/times.ts'
import type { KeyChange } from '#keys/key-order.ts'
import type { NewKey } from '#keys/key-register.ts'
import { changedPolicy } from '#keys/policy-schema.ts'
import { Secret } from '#std/secret.ts'

import { applyBudgets, type BudgetFlags, confirmBudgets, withBudgetFlags } from './budget-flags.ts'
import { findKey, showKey } from './keys-show.ts'
import {
  none,
  type None,
  orNull,
  policyChangeOf,
  type PolicyFlags,
  withPolicyFlags,
} from './policy-flags.ts'
import { findProject } from './projects.ts'

interface CreateFlags extends JsonFlag, PolicyFlags, BudgetFlags {
  readonly name: string
  readonly project?: string
  readonly owner?: string
  readonly notBefore?: number | None
  readonly expires?: number | None
  readonly key?: string
}

/** `parley keys create`. */
export function createKeyCommand(outside: Outside): Command {
  const command = new Command('create')
    .description('Issue a key. It is shown once and stored nowhere.')
    .requiredOption('--name <name>', 'who or what it is for')
    .option('--project <id or name>', 'what it belongs to (else the default project)')
    .option(
      '--key <text>',
      'use this text instead of a new one, for callers that have a key already',
    )
  return withLimits(command, outside)
    .option('--json', jsonText)
    .action(async (flags: CreateFlags) => {
      const issued = await issue(outside, flags)
      if (flags.key !== undefined && flags.key.length < shortestSafe)
        outside.hint(
          'A key as short as this can be guessed. Use it only where no stranger can reach the gateway.',
        )
      showNew(outside, issued, flags)
    })
}

interface UpdateFlags extends JsonFlag, YesFlag, PolicyFlags, BudgetFlags {
  readonly name?: string
  readonly owner?: string
  readonly notBefore?: number | None
  readonly expires?: number | None
}

/** `parley keys update`. */
export function updateKeyCommand(outside: Outside): Command {
  const command = new Command('update')
    .description('Change a key. What is not named stays; "none" removes. In force within a second.')
    .argument('<id>', 'the id, as "parley keys list" shows it')
    .option('--name <name>', 'who or what it is for')
  return withLimits(command, outside)
    .option('--yes', 'do not ask')
    .option('--json', jsonText)
    .action(async (id: string, flags: UpdateFlags) =>
      withState(outside, async (state) => {
        const former = await findKey(state.keys, id)
        await confirmBudgets(outside, `the key ${id} (${former.name})`, flags)
        const undo = await applyBudgets(state.budgets, `key:${id}`, flags)
        try {
          const key = await state.keys.update(id, changeOf(flags))
          await showKey(outside, state, { ...flags, key })
        } catch (error) {
          await undo()
          throw error
        }
      }),
    )
}

/** Shows a key for the one time that its text is known. */
export function showNew(outside: Outside, { id, key }: NewKey, { json }: JsonFlag): void {
  if (json === true) return outside.print(JSON.stringify({ id, key: key.reveal() }))
  outside.print(`${pc.dim('id ')}  ${id}\n${pc.dim('key')}  ${pc.green(key.reveal())}`)
  outside.hint(pc.dim('Keep it now: it is not shown again.'))
}

function withLimits(command: Command, outside: Outside): Command {
  const ahead = timeAhead(outside.now())
  const time = (text: string): number | None => (text === none ? none : ahead(text))
  command
    .option('--owner <words>', 'who answers for it')
    .option('--not-before <when>', 'when it begins to be valid: 2027-01-31, 12h', time)
    .option('--expires <when>', 'a date or a time from now: 2027-01-31, 30d', time)
  return withBudgetFlags(withPolicyFlags(command))
}

async function issue(outside: Outside, flags: CreateFlags): Promise<NewKey> {
  const { name, project, owner, notBefore, expires, key } = flags
  return withState(outside, async ({ keys, budgets }) => {
    const chosen = project === undefined ? undefined : await findProject(keys, project)
    const order = {
      name,
      policy: changedPolicy({}, policyChangeOf(flags)),
      ...(chosen !== undefined && { projectId: chosen.id }),
      ...(owner !== undefined && owner !== none && { owner }),
      ...(typeof notBefore === 'number' && { notBefore }),
      ...(typeof expires === 'number' && { expiresAt: expires }),
      ...(key !== undefined && { chosen: new Secret(key) }),
    }
    return keys.issue(order, async (id) => {
      await applyBudgets(budgets, `key:${id}`, flags)
    })
  })
}

function changeOf(flags: UpdateFlags): KeyChange {
  const { name, owner, notBefore, expires } = flags
  const policy = policyChangeOf(flags)
  return {
    ...(name !== undefined && { name }),
    ...(owner !== undefined && { owner: orNull(owner) }),
    ...(notBefore !== undefined && { notBefore: orNull(notBefore) }),
    ...(expires !== undefined && { expiresAt: orNull(expires) }),
    ...(Object.keys(policy).length > 0 && { policy }),
  }
}

const shortestSafe = 24
