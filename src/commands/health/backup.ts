import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

import { Command } from 'commander'
import pc from 'picocolors'

import { CommandFailure, exitCodes } from '#commands/exit-codes.ts'
import { size } from '#commands/models/progress-line.ts'
import { type Outside, processOutside } from '#commands/outside.ts'
import { type JsonFlag, jsonText, withState } from '#commands/state.ts'
import { count } from '#commands/table.ts'
import { contentFile } from '#content/content-store.ts'
import { verify } from '#ledger/conservation.ts'
import { connect } from '#storage/connection.ts'
import { copyDatabase } from '#storage/copy-database.ts'
import { Storage } from '#storage/database.ts'
import { databaseFile, homeFolder } from '#storage/home.ts'
import { StorageError } from '#storage/storage-error.ts'

interface BackupFlags extends JsonFlag {
  readonly content?: boolean
}

/** What is in a backup. */
interface Backup {
  readonly folder: string
  readonly bytes: number
  readonly exchanges: number
  /** How many were under way at that moment: a server that starts on the copy takes them for crashed. */
  readonly underWay: number
  /** Holders whose books do not add up, in the copy as where it comes from. */
  readonly wrong: number
  readonly hasContent: boolean
}

/** `parley backup`: a copy of the database, taken while servers run. */
export function backupCommand(outside: Outside = processOutside()): Command {
  return new Command('backup')
    .description(
      'Copy the database into a folder while servers run: keys, projects, budgets, the ledger, users and the audit log. The folder can serve as PARLEY_HOME.',
    )
    .argument('<folder>', 'one that is not there yet, or is empty')
    .option('--content', 'also what was kept of what was said')
    .option('--json', jsonText)
    .action(async (folder: string, { content = false, json }: BackupFlags) => {
      const made = await backUp(outside, resolve(folder), content)
      outside.print(json === true ? JSON.stringify(made) : words(made))
      if (made.wrong > 0)
        outside.hint(
          `parley: The books of ${made.wrong} holders do not add up, here as in the backup. See "parley usage verify".`,
        )
    })
}

async function backUp(outside: Outside, folder: string, content: boolean): Promise<Backup> {
  const home = homeFolder(outside.environment)
  if (!existsSync(databaseFile(home)))
    throw new CommandFailure(
      exitCodes.missing,
      `There is no database in ${home}. Set PARLEY_HOME to the folder that a server runs on.`,
    )
  prepare(folder)
  const copy = databaseFile(folder)
  await withState(outside, async ({ storage }) => copyDatabase(storage.database, copy))
  const hasContent = content && copyContent(databaseFile(home), copy)
  // Opened as a server would, so that what cannot be used is found today.
  using storage = await Storage.open(copy, { check: true })
  const { exchanges, underWay, wrong } = await verify(storage)
  const bytes = statSync(copy).size
  return { folder, bytes, exchanges, underWay, wrong: wrong.length, hasContent }
}

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (readdirSync(folder).length === 0) return
  } catch (error) {
    throw StorageError.from(error, folder)
  }
  throw new CommandFailure(
    exitCodes.cannotCreate,
    `${folder} is not empty. Name a folder that is not there yet: no backup is written over another.`,
  )
}

/** Returns whether there was any. */
function copyContent(from: string, to: string): boolean {
  const [source, target] = [contentFile(from), contentFile(to)]
  if (source === undefined || target === undefined || !existsSync(source)) return false
  const database = connect(source)
  try {
    copyDatabase(database, target)
    return true
  } finally {
    database.close()
  }
}

function words({ folder, bytes, exchanges, underWay, hasContent }: Backup): string {
  const open = underWay === 0 ? '' : `, ${count(underWay)} under way`
  const content = hasContent ? ', and what was said' : ''
  return `${pc.green('✓')} ${count(exchanges)} exchanges${open}${content}: ${size(bytes)} in ${folder}`
}
