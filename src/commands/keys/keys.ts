import { Command } from 'commander'

import { type Outside, processOutside } from '#commands/outside.ts'
import { confirm, type JsonFlag, jsonText, withState, type YesFlag } from '#commands/state.ts'
import { minute, tableOf } from '#commands/table.ts'
import { lengthOfTime } from '#commands/times.ts'
import { eraseBy } from '#commands/usage/usage-content.ts'
import { usualOption } from '#commands/usual-option.ts'
import type { KeyRecord } from '#keys/key-record.ts'
import { longestOverlapMs } from '#keys/key-register.ts'

import { createKeyCommand, showNew, updateKeyCommand } from './keys-issue.ts'
import { findKey, keyAsJson, showKeyCommand, statusWord } from './keys-show.ts'
import { policyInShort } from './policy-words.ts'
import { findProject } from './projects.ts'

/** `parley keys`: issues, changes, lists, ends and renews keys, beside a running server or without one. */
export function keysCommand(outside: Outside = processOutside()): Command {
  return new Command('keys')
    .description('Issue, change, list, revoke and rotate the keys that callers show.')
    .addCommand(createKeyCommand(outside))
    .addCommand(listCommand(outside))
    .addCommand(showKeyCommand(outside))
    .addCommand(updateKeyCommand(outside))
    .addCommand(revokeCommand(outside))
    .addCommand(rotateCommand(outside))
}

function listCommand(outside: Outside): Command {
  return new Command('list')
    .description('List the keys, the newest first.')
    .option('--project <id or name>', 'only those of a project')
    .option('--json', jsonText)
    .action(async ({ project, json }: JsonFlag & { readonly project?: string }) => {
      const rows = await withState(outside, async ({ keys }) => {
        const chosen = project === undefined ? undefined : await findProject(keys, project)
        return keys.list(chosen?.id)
      })
      if (json === true) return outside.print(JSON.stringify(rows.map(keyAsJson)))
      if (rows.length === 0)
        return outside.print('There are no keys yet. Issue one: parley keys create --name <name>')
      outside.print(tableOf(listColumns, rows, outside.columns))
    })
}

function revokeCommand(outside: Outside): Command {
  return new Command('revoke')
    .description('End a key for good. Every server notices within a second.')
    .argument('<id>', 'the id, as "parley keys list" shows it')
    .option('--erase', 'also delete what is kept of what was said with it')
    .option('--yes', 'do not ask')
    .option('--json', jsonText)
    .action(async (id: string, flags: JsonFlag & YesFlag & { readonly erase?: boolean }) => {
      await withState(outside, async (state) => {
        const { name } = await findKey(state.keys, id)
        const question = `Revoke the key ${id} (${name})? Its callers are refused from then on.`
        await confirm(outside, question, flags)
        await state.keys.revoke(id)
        if (flags.erase === true) await eraseBy(outside, state, { keyId: id })
      })
      outside.print(
        flags.json === true
          ? JSON.stringify({ id, status: 'revoked' })
          : `The key ${id} is revoked.`,
      )
    })
}

function rotateCommand(outside: Outside): Command {
  return new Command('rotate')
    .description('Give a key a new text. The old one stays valid for a while.')
    .argument('<id>', 'the id, as "parley keys list" shows it')
    .addOption(
      usualOption('--overlap <time>', {
        description: 'how long the old text stays valid, 7d at most',
        parse: overlap,
        usual: '24h',
      }),
    )
    .option('--json', jsonText)
    .action(async (id: string, flags: JsonFlag & { readonly overlap: number }) => {
      const issued = await withState(outside, async ({ keys }) => {
        await findKey(keys, id)
        return keys.rotate(id, flags.overlap)
      })
      outside.hint(
        `The old text of ${id} is valid until ${minute(outside.now() + flags.overlap)} UTC.`,
      )
      showNew(outside, issued, flags)
    })
}

function overlap(text: string): number {
  return Math.min(lengthOfTime(text), longestOverlapMs)
}

const listColumns = [
  { title: 'id', cell: ({ id }: KeyRecord) => id },
  { title: 'name', cell: ({ name }: KeyRecord) => name, isName: true },
  { title: 'project', cell: ({ projectName }: KeyRecord) => projectName, isName: true },
  { title: 'status', cell: statusWord },
  { title: 'limits', cell: ({ policy }: KeyRecord) => policyInShort(policy) || '–', isName: true },
  { title: 'expires', cell: ({ expiresAt }: KeyRecord) => minute(expiresAt) },
  { title: 'last used', cell: ({ lastUsedAt }: KeyRecord) => minute(lastUsedAt) },
] as const
