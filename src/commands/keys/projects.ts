import { Command } from 'commander'

import { CommandFailure, exitCodes } from '#commands/exit-codes.ts'
import { type Outside, processOutside } from '#commands/outside.ts'
import {
  confirm,
  iso,
  type JsonFlag,
  jsonText,
  type State,
  withState,
  type YesFlag,
} from '#commands/state.ts'
import { count, minute, tableOf } from '#commands/table.ts'
import type { Keys } from '#keys/keys.ts'
import { changedPolicy } from '#keys/policy-schema.ts'
import type { ProjectRecord } from '#keys/project-record.ts'
import type { HolderChange, Narrowed } from '#keys/project-register.ts'

import { applyBudgets, type BudgetFlags, confirmBudgets, withBudgetFlags } from './budget-flags.ts'
import { budgetTable } from './budget-words.ts'
import { factsOf } from './facts.ts'
import { policyChangeOf, type PolicyFlags, withPolicyFlags } from './policy-flags.ts'
import { policyInShort, policyTable } from './policy-words.ts'

/** `parley projects`: what keys belong to, each with limits and budgets that its keys share. */
export function projectsCommand(outside: Outside = processOutside()): Command {
  return new Command('projects')
    .description('Create, change, list and archive the projects that keys belong to.')
    .addCommand(createCommand(outside))
    .addCommand(listCommand(outside))
    .addCommand(showCommand(outside))
    .addCommand(updateCommand(outside))
    .addCommand(archiveCommand(outside))
}

export interface HolderFlags extends JsonFlag, YesFlag, PolicyFlags, BudgetFlags {
  readonly name?: string
}

function createCommand(outside: Outside): Command {
  const command = new Command('create')
    .description('Create a project. What it limits, its keys share.')
    .requiredOption('--name <name>', 'what it is called, as no other project is')
  return withBudgetFlags(withPolicyFlags(command))
    .option('--json', jsonText)
    .action(async (flags: HolderFlags & { readonly name: string }) =>
      withState(outside, async (state) => {
        const { keys, budgets } = state
        const policy = changedPolicy({}, policyChangeOf(flags))
        const project = await keys.projects.create({ name: flags.name, policy }, async (id) => {
          await applyBudgets(budgets, `project:${id}`, flags)
        })
        await showProject(outside, state, { ...flags, project })
      }),
    )
}

function listCommand(outside: Outside): Command {
  return new Command('list')
    .description('List the projects.')
    .option('--json', jsonText)
    .action(async ({ json }: JsonFlag) => {
      const rows = await withState(outside, async ({ keys }) => keys.projects.list())
      if (json === true) return outside.print(JSON.stringify(rows.map(asJson)))
      outside.print(tableOf(listColumns, rows, outside.columns))
    })
}

function showCommand(outside: Outside): Command {
  return new Command('show')
    .description('Show a project, what its keys may do, and what they have spent.')
    .argument('<project>', idOrName)
    .option('--json', jsonText)
    .action(async (named: string, flags: JsonFlag) =>
      withState(outside, async (state) =>
        showProject(outside, state, { ...flags, project: await findProject(state.keys, named) }),
      ),
    )
}

function updateCommand(outside: Outside): Command {
  const command = new Command('update')
    .description(
      'Change a project. What is not named stays; "none" removes. In force within a second.',
    )
    .argument('<project>', idOrName)
    .option('--name <name>', 'what it is called from now on')
  return withBudgetFlags(withPolicyFlags(command))
    .option('--yes', 'do not ask')
    .option('--json', jsonText)
    .action(async (named: string, flags: HolderFlags) =>
      withState(outside, async (state) => {
        const { id, name } = await findProject(state.keys, named)
        await confirmBudgets(outside, `the project ${name}`, flags)
        const undo = await applyBudgets(state.budgets, `project:${id}`, flags)
        try {
          const changed = await state.keys.projects.update(id, holderChange(flags))
          tellNarrowed(outside, changed.narrowed)
          await showProject(outside, state, { ...flags, project: changed.record })
        } catch (error) {
          await undo()
          throw error
        }
      }),
    )
}

function archiveCommand(outside: Outside): Command {
  return new Command('archive')
    .description('End a project for good. All of its keys are refused within a second.')
    .argument('<project>', idOrName)
    .option('--yes', 'do not ask')
    .option('--json', jsonText)
    .action(async (named: string, flags: JsonFlag & YesFlag) => {
      const project = await withState(outside, async ({ keys }) => {
        const found = await findProject(keys, named)
        const keysOfIt = found.keys === 1 ? 'its key is' : `its ${count(found.keys)} keys are`
        const question = `Archive the project ${found.name}? It cannot be undone, and ${keysOfIt} refused from then on.`
        await confirm(outside, question, flags)
        await keys.projects.archive(found.id)
        return found
      })
      outside.print(
        flags.json === true
          ? JSON.stringify({ id: project.id, status: 'archived' })
          : `The project ${project.name} is archived.`,
      )
    })
}

/** The project of that id or name. Throws with exit code 66 if there is none. */
export async function findProject(keys: Keys, named: string): Promise<ProjectRecord> {
  const project = await keys.projects.find(named)
  if (project !== undefined) return project
  throw new CommandFailure(
    exitCodes.missing,
    `There is no project ${named}. "parley projects list" shows the projects there are.`,
  )
}

/** The change that the options ask for. */
export function holderChange(flags: HolderFlags): HolderChange {
  const policy = policyChangeOf(flags)
  return {
    ...(flags.name !== undefined && { name: flags.name }),
    ...(Object.keys(policy).length > 0 && { policy }),
  }
}

/** Says whom a change holds to less than they ask for. */
export function tellNarrowed(outside: Outside, narrowed: readonly Narrowed[]): void {
  if (narrowed.length === 0) return
  const lines = narrowed
    .slice(0, mostTold)
    .map(({ called, fields }) => `  ${called}: ${fields.join(', ')}`)
  const more = narrowed.length - lines.length
  if (more > 0) lines.push(`  and ${count(more)} more`)
  outside.hint(`These ask for more, and are held to the new limits:\n${lines.join('\n')}`)
}

const idOrName = 'the id or the name, as "parley projects list" shows them'
const mostTold = 10

async function showProject(
  outside: Outside,
  { keys, budgets }: State,
  { project, json }: JsonFlag & { readonly project: ProjectRecord },
): Promise<void> {
  const organisation = await keys.projects.organisation()
  const held = await budgets.list(`project:${project.id}`)
  if (json === true)
    return outside.print(
      JSON.stringify({
        ...asJson(project),
        parents: { organisation: organisation.policy },
        budgets: held,
      }),
    )
  const facts = factsOf([
    ['id', project.id],
    ['name', project.name],
    ['status', statusOf(project)],
    ['keys', count(project.keys)],
    ['created', minute(project.createdAt || undefined)],
  ])
  const policies = [
    { title: 'this project', policy: project.policy },
    { title: 'organisation', policy: organisation.policy },
  ]
  const parts = [facts, policyTable(policies, outside.columns), budgetTable(held, outside)]
  outside.print(parts.filter((part) => part !== '').join('\n\n'))
}

function statusOf({ archivedAt }: ProjectRecord): string {
  return archivedAt === undefined ? 'active' : 'archived'
}

function asJson({ createdAt, archivedAt, ...rest }: ProjectRecord) {
  return { ...rest, createdAt: iso(createdAt), archivedAt: iso(archivedAt) }
}

const listColumns = [
  { title: 'id', cell: ({ id }: ProjectRecord) => id },
  { title: 'name', cell: ({ name }: ProjectRecord) => name, isName: true },
  { title: 'status', cell: statusOf },
  { title: 'keys', cell: ({ keys }: ProjectRecord) => count(keys), isNumber: true },
  {
    title: 'limits',
    cell: ({ policy }: ProjectRecord) => policyInShort(policy) || '–',
    isName: true,
  },
  { title: 'created', cell: ({ createdAt }: ProjectRecord) => minute(createdAt || undefined) },
] as const
