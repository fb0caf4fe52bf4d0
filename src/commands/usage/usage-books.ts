import { Command, InvalidArgumentError } from 'commander'

import { CommandFailure, exitCodes } from '#commands/exit-codes.ts'
import { factsOf } from '#commands/keys/facts.ts'
import type { Outside } from '#commands/outside.ts'
import { confirm, type JsonFlag, jsonText, withState, type YesFlag } from '#commands/state.ts'
import { count, minute, tableOf } from '#commands/table.ts'
import { timeAgo } from '#commands/times.ts'
import { countContent } from '#content/read-content.ts'
import { repair, verify, type Verification } from '#ledger/conservation.ts'
import { chargedFor, correct } from '#ledger/corrections.ts'
import type { Mismatch } from '#ledger/proof.ts'
import { dollars, microdollars } from '#prices/money.ts'
import { prunable, prunableAtEnd, prune } from '#usage/retention.ts'

import { eraseBy } from './usage-content.ts'

interface CorrectFlags extends JsonFlag, YesFlag {
  readonly cost: number
  readonly reason: string
}

/** `parley usage correct`: changes what an exchange is charged, and says why for good. */
export function correctCommand(outside: Outside): Command {
  return new Command('correct')
    .description('Change what an exchange is charged. The change is written down beside it.')
    .argument('<id>', 'the request id of the exchange')
    .requiredOption('--cost <dollars>', 'what it is to have cost', dollarsOf)
    .requiredOption('--reason <words>', 'why')
    .option('--yes', 'do not ask')
    .option('--json', jsonText)
    .action(async (id: string, { cost, reason, yes, json }: CorrectFlags) => {
      await withState(outside, async ({ storage }) => {
        const before = await chargedFor(storage.query, id)
        if (before === undefined)
          throw new CommandFailure(
            exitCodes.missing,
            `There is no exchange ${id} that has ended. "parley usage list" shows the latest.`,
          )
        await confirm(
          outside,
          `Charge ${dollars(cost)} for ${id} instead of ${dollars(before)}?`,
          flagsOf(yes),
        )
        const actor = outside.environment['USER'] ?? 'command line'
        const correction = { exchangeId: id, cost, reason, actor }
        const changed = await correct(storage, correction, outside.now())
        outside.print(
          json === true
            ? JSON.stringify({ id, ...changed })
            : `${id} is charged ${dollars(changed.after)} instead of ${dollars(changed.before)}.`,
        )
      })
    })
}

interface PruneFlags extends JsonFlag, YesFlag {
  readonly before: number
}

/** `parley usage prune`: takes old rows out of the ledger. What they cost stays in every balance. */
export function pruneCommand(outside: Outside): Command {
  return new Command('prune')
    .description(
      'Delete exchanges that began before a date, and what was said in them. Balances keep what they cost.',
    )
    .requiredOption(
      '--before <when>',
      'a date or a time ago: 2026-01-31, 400d',
      timeAgo(outside.now()),
    )
    .option('--yes', 'do not ask')
    .option('--json', jsonText)
    .action(async ({ before, yes, json }: PruneFlags) => {
      await withState(outside, async (state) => {
        const { storage } = state
        const found = prunable(storage, before)
        const what = `${count(found.exchanges)} exchanges from before ${minute(before)} UTC`
        if (found.exchanges > 0)
          await confirm(
            outside,
            `Delete ${what} (${dollars(found.charged)}) for good?`,
            flagsOf(yes),
          )
        const whose = { before, exchangeIds: prunableAtEnd(storage, before) }
        const isKept = (await countContent(storage, whose)) > 0
        const content = isKept ? await eraseBy(outside, state, whose) : 0
        const pruned = { ...(await prune(storage, before)), ...(content > 0 && { content }) }
        outside.print(
          json === true
            ? JSON.stringify(pruned)
            : `${count(pruned.exchanges)} exchanges are deleted. The ${dollars(pruned.charged)} they cost stay in the balances.`,
        )
      })
    })
}

interface VerifyFlags extends JsonFlag, YesFlag {
  readonly repair?: boolean
}

/** `parley usage verify`: adds up everything, from the first row on. */
export function verifyCommand(outside: Outside): Command {
  return new Command('verify')
    .description('Check that every row of the ledger adds up to every balance.')
    .option('--repair', 'make the balances what the rows say')
    .option('--yes', 'do not ask')
    .option('--json', jsonText)
    .action(async ({ repair: isRepair, yes, json }: VerifyFlags) => {
      await withState(outside, async ({ storage }) => {
        const found = await verify(storage)
        if (json !== true) outside.print(words(found))
        else outside.print(JSON.stringify(found))
        if (found.wrong.length === 0 && isRepair !== true) return
        if (json !== true && found.wrong.length > 0)
          outside.print(tableOf(wrongColumns, found.wrong, outside.columns))
        if (isRepair !== true)
          throw new CommandFailure(
            exitCodes.data,
            `The balances of ${found.wrong.length} holders are not what their rows add up to. "parley usage verify --repair" makes them so.`,
          )
        await confirm(outside, 'Make the balances what the rows say?', flagsOf(yes))
        const repaired = await repair(storage, outside.now())
        outside.hint(`${count(repaired.length)} balances are put right.`)
      })
    })
}

function words(found: Verification): string {
  return factsOf([
    ['exchanges', `${count(found.exchanges)}, charged ${dollars(found.charged)}`],
    ['pruned', found.retired === 0 ? undefined : dollars(found.retired)],
    ['corrections', found.corrected === 0 ? undefined : dollars(found.corrected)],
    ['under way', `${count(found.underWay)}, holding ${dollars(found.held)}`],
    [
      'holders',
      `${count(found.holders)}, ${found.wrong.length === 0 ? 'all as they should be' : `${found.wrong.length} of them wrong`}`,
    ],
  ])
}

const wrongColumns = [
  { title: 'holder', cell: ({ holder }: Mismatch) => holder, isName: true },
  { title: 'rows say', cell: ({ charged }: Mismatch) => dollars(charged), isNumber: true },
  { title: 'balance says', cell: ({ used }: Mismatch) => dollars(used), isNumber: true },
  { title: 'under way', cell: ({ underWay }: Mismatch) => dollars(underWay), isNumber: true },
  { title: 'held', cell: ({ held }: Mismatch) => dollars(held), isNumber: true },
] as const

function dollarsOf(text: string): number {
  const amount = microdollars(text)
  if (amount === undefined) throw new InvalidArgumentError('expected dollars, such as 0 or 1.25')
  return amount
}

function flagsOf(yes: boolean | undefined): YesFlag {
  return yes === undefined ? {} : { yes }
}
