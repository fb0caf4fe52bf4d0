import { Budgets } from '#budgets/budgets.ts'
import { Keys } from '#keys/keys.ts'
import { Storage } from '#storage/database.ts'
import { databaseFile, homeFolder } from '#storage/home.ts'

import { CommandFailure, exitCodes } from './exit-codes.ts'
import type { Outside } from './outside.ts'

/** What the commands on callers work with. */
export interface State {
  readonly storage: Storage
  readonly keys: Keys
  readonly budgets: Budgets
}

export interface JsonFlag {
  readonly json?: boolean
}

export interface YesFlag {
  readonly yes?: boolean
}

export const jsonText = 'print JSON for programs'

/** Opens the home's database for one piece of work, beside a running server or without one. */
export async function withState<Result>(
  outside: Outside,
  work: (state: State) => Promise<Result>,
): Promise<Result> {
  using storage = await Storage.open(databaseFile(homeFolder(outside.environment)))
  const { now } = outside
  return await work({
    storage,
    keys: new Keys(storage, { now }),
    budgets: new Budgets(storage, now),
  })
}

/** Asks before what cannot be undone, if somebody is there to be asked. Throws if the answer is no. */
export async function confirm(outside: Outside, question: string, { yes }: YesFlag): Promise<void> {
  if (yes === true || !outside.isInteractive) return
  const answer = await outside.ask(`${question} [y/N] `)
  if (!/^y(es)?$/i.test(answer.trim()))
    throw new CommandFailure(exitCodes.usage, 'Nothing was changed.')
}

/** A time as JSON has it. */
export function iso(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString()
}
