import { Button, Flex } from '@radix-ui/themes'
import { useState } from 'react'

import { ConsoleProblem } from '#console/web/api/console-problem.ts'
import { useMe } from '#console/web/api/me.ts'
import { useChange } from '#console/web/api/use-ask.ts'
import { dollarsToType, readDollars } from '#console/web/pages/budgets/typed-dollars.ts'
import { ConfirmDialog } from '#console/web/parts/confirm-dialog.tsx'
import { Field } from '#console/web/parts/field.tsx'

import type { EndedExchange } from './opened-exchange.ts'

/** Changes what an exchange is charged, for whoever may. Its row stays as it is; the change is written beside it. */
export function CorrectButton({ exchange }: { readonly exchange: EndedExchange }) {
  const { may, seesAll } = useMe()
  const { id, cost, corrected } = exchange
  const [isAsking, setAsking] = useState(false)
  const [typed, setTyped] = useState(dollarsToType(cost + corrected))
  const [reason, setReason] = useState('')
  const correct = useChange('POST /api/exchanges/{id}/corrections', [
    'GET /api/exchanges/{id}',
    'GET /api/exchanges',
    'GET /api/usage',
  ])
  if (!may('admin') || !seesAll) return null
  const read = readDollars(typed)
  const send = async (): Promise<void> => {
    if (read.type === 'problem') throw new ConsoleProblem(read.words, { code: 'request-invalid' })
    await correct.mutateAsync({ params: { id }, body: { cost: read.amount, reason } })
  }
  return (
    <>
      <Button size="1" variant="soft" color="gray" mt="2" onClick={() => setAsking(true)}>
        Correct the charge
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title="Correct the charge"
        action="Correct"
        isDangerous={false}
        onConfirm={send}
        onClose={() => setAsking(false)}
      >
        <Flex direction="column" gap="3">
          What is charged changes, and with it what is left of budgets. The change is written down
          with its reason and your name.
          <Field
            label="Charged, in dollars"
            inputMode="decimal"
            value={typed}
            error={read.type === 'problem' ? read.words : undefined}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Field
            label="Reason"
            required
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Flex>
      </ConfirmDialog>
    </>
  )
}
