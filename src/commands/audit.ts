import { Command, InvalidArgumentError } from 'commander'
import pc from 'picocolors'

import { AuditLog } from '#console/access/audit.ts'

import { CommandFailure, exitCodes } from './exit-codes.ts'
import { type Outside, processOutside } from './outside.ts'
import { type JsonFlag, jsonText, withState } from './state.ts'
import { count } from './table.ts'

interface VerifyFlags extends JsonFlag {
  readonly head?: string
}

/** `parley audit`: what was done here, and whether its record is whole. */
export function auditCommand(outside: Outside = processOutside()): Command {
  return new Command('audit')
    .description('Check the record of what was done.')
    .addCommand(verifyCommand(outside))
}

function verifyCommand(outside: Outside): Command {
  return new Command('verify')
    .description('Check that no row of the audit log was changed, removed or moved.')
    .option('--head <hash>', 'a head that was kept elsewhere, which some row has to have', headHash)
    .option('--json', jsonText)
    .action(async ({ head, json }: VerifyFlags) => {
      const verdict = await withState(outside, ({ storage }) => new AuditLog(storage).verify(head))
      if (json === true) outside.print(JSON.stringify(verdict))
      if (verdict.broken !== undefined)
        throw new CommandFailure(
          exitCodes.data,
          `The audit log is broken at row ${verdict.broken.seq}: ${verdict.broken.why}. The ${count(verdict.rows)} rows before it are as they were written.`,
        )
      if (json !== true)
        outside.print(
          `${pc.green('✓')} ${count(verdict.rows)} rows, none changed. The head is ${verdict.head}`,
        )
    })
}

function headHash(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  throw new InvalidArgumentError('expected 64 hexadecimal digits, as an earlier run printed them')
}
