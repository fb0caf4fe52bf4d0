import { Command } from 'commander'

import { CommandFailure, exitCodes } from '#commands/exit-codes.ts'
import type { Outside } from '#commands/outside.ts'
import {
  confirm,
  type JsonFlag,
  jsonText,
  type State,
  withState,
  type YesFlag,
} from '#commands/state.ts'
import { count } from '#commands/table.ts'
import { AuditLog } from '#console/access/audit.ts'
import type { ContentOf, KeptContent } from '#content/kept-content.ts'
import { countContent, eraseContent, readContent } from '#content/read-content.ts'

interface EraseFlags extends JsonFlag, YesFlag {
  readonly key?: string
  readonly exchange?: string
}

/** `parley usage erase`: deletes what was said. What it cost stays in the ledger. */
export function eraseCommand(outside: Outside): Command {
  return new Command('erase')
    .description('Delete what is kept of what was said, for good. The ledger stays as it is.')
    .option('--key <id>', 'of all exchanges of this key')
    .option('--exchange <id>', 'of this exchange')
    .option('--yes', 'do not ask')
    .option('--json', jsonText)
    .action(async (flags: EraseFlags) => {
      const whose = whoseOf(flags)
      await withState(outside, async (state) => {
        const found = await countContent(state.storage, whose)
        const question = `Delete the content of ${count(found)} exchanges for good?`
        if (found > 0) await confirm(outside, question, flags)
        const erased = await eraseBy(outside, state, whose)
        outside.print(
          flags.json === true
            ? JSON.stringify({ erased })
            : `The content of ${count(erased)} exchanges is deleted.`,
        )
      })
    })
}

/** What was said in an exchange, or null. That it was read is written down. */
export async function contentFor(
  outside: Outside,
  { storage }: State,
  exchangeId: string,
): Promise<KeptContent | null> {
  const content = await readContent(storage, exchangeId)
  if (content === undefined) return null
  const deed = { action: 'content-read', object: `exchange:${exchangeId}` }
  await new AuditLog(storage, outside.now).note(doer(outside), deed)
  return content
}

/** Content for a terminal: JSON has no control characters, and of those that it may have none is left. */
export function contentWords(content: KeptContent | null): string {
  if (content === null) return 'Nothing is kept of what was said.'
  return JSON.stringify(content, undefined, 2).replaceAll(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Deletes what is kept of somebody. It is written down first, so that nothing is deleted that is not written down. */
export async function eraseBy(
  outside: Outside,
  { storage }: State,
  whose: ContentOf,
): Promise<number> {
  const object = 'keyId' in whose ? `key:${whose.keyId}` : objectOf(whose)
  await new AuditLog(storage, outside.now).note(doer(outside), { action: 'content-erase', object })
  return eraseContent(storage, whose)
}

function objectOf(whose: Exclude<ContentOf, { readonly keyId: string }>): string {
  return 'exchangeId' in whose ? `exchange:${whose.exchangeId}` : 'ledger'
}

function whoseOf({ key, exchange }: EraseFlags): ContentOf {
  if (key !== undefined && exchange === undefined) return { keyId: key }
  if (exchange !== undefined && key === undefined) return { exchangeId: exchange }
  throw new CommandFailure(exitCodes.usage, 'Say whose: --key <id> or --exchange <id>.')
}

function doer({ environment }: Outside) {
  const by = `command line (${environment['USER'] ?? 'unknown'})`
  return { actor: by, actorName: by, requestId: '' }
}
