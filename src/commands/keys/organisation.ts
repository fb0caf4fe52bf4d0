import { Command } from 'commander'

import { type Outside, processOutside } from '#commands/outside.ts'
import { type JsonFlag, jsonText, type State, withState } from '#commands/state.ts'
import type { OrganisationRecord } from '#keys/project-record.ts'

import { applyBudgets, confirmBudgets, withBudgetFlags } from './budget-flags.ts'
import { budgetTable } from './budget-words.ts'
import { factsOf } from './facts.ts'
import { withPolicyFlags } from './policy-flags.ts'
import { policyTable } from './policy-words.ts'
import { type HolderFlags, holderChange, tellNarrowed } from './projects.ts'

const holder = 'org'

/** `parley organisation`: what every project and key is held to. */
export function organisationCommand(outside: Outside = processOutside()): Command {
  return new Command('organisation')
    .alias('org')
    .description('Show and change what every project and every key is held to.')
    .addCommand(showCommand(outside))
    .addCommand(updateCommand(outside))
}

function showCommand(outside: Outside): Command {
  return new Command('show')
    .description('Show the organisation, what it allows, and what it has spent.')
    .option('--json', jsonText)
    .action(async (flags: JsonFlag) =>
      withState(outside, async (state) =>
        show(outside, state, { ...flags, record: await state.keys.projects.organisation() }),
      ),
    )
}

function updateCommand(outside: Outside): Command {
  const command = new Command('update')
    .description(
      'Change the organisation. What is not named stays; "none" removes. In force within a second.',
    )
    .option('--name <name>', 'what it is called')
  return withBudgetFlags(withPolicyFlags(command))
    .option('--yes', 'do not ask')
    .option('--json', jsonText)
    .action(async (flags: HolderFlags) =>
      withState(outside, async (state) => {
        await confirmBudgets(outside, 'the organisation', flags)
        const undo = await applyBudgets(state.budgets, holder, flags)
        try {
          const changed = await state.keys.projects.updateOrganisation(holderChange(flags))
          tellNarrowed(outside, changed.narrowed)
          await show(outside, state, { ...flags, record: changed.record })
        } catch (error) {
          await undo()
          throw error
        }
      }),
    )
}

async function show(
  outside: Outside,
  { budgets }: State,
  { record, json }: JsonFlag & { readonly record: OrganisationRecord },
): Promise<void> {
  const held = await budgets.list(holder)
  if (json === true) return outside.print(JSON.stringify({ ...record, budgets: held }))
  const parts = [
    factsOf([['name', record.name]]),
    policyTable([{ title: 'every key', policy: record.policy }], outside.columns),
    budgetTable(held, outside),
  ]
  outside.print(parts.filter((part) => part !== '').join('\n\n'))
}
