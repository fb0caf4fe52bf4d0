import { Button, Callout, Code, Flex, Text } from '@radix-ui/themes'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { ask } from '#console/web/api/ask.ts'
import type { Answer } from '#console/web/api/contract.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { CopyButton } from '#console/web/parts/copy-button.tsx'
import { Field } from '#console/web/parts/field.tsx'
import { Problem } from '#console/web/parts/problem.tsx'

/** Works out every seal of the log again, and shows the last one, to be kept somewhere else. */
export function VerifyChain() {
  const newest = useAsk('GET /api/audit', { query: { limit: 1 } }).data?.rows[0]
  const [known, setKnown] = useState('')
  const [wrong, setWrong] = useState<string>()
  const verify = useMutation({
    mutationFn: (head: string) =>
      ask('GET /api/audit/verify', head === '' ? {} : { query: { head } }),
  })
  const start = (): void => {
    const head = known.trim().toLowerCase()
    if (head !== '' && !/^[0-9a-f]{64}$/.test(head))
      return setWrong('A head has 64 digits and letters from a to f.')
    setWrong(undefined)
    verify.mutate(head)
  }
  return (
    <section className="verify" aria-label="The chain">
      {newest !== undefined && (
        <Flex gap="3" align="center" wrap="wrap">
          <Text size="2">
            The chain ends with{' '}
            <Code variant="ghost" className="verify-head">
              {newest.hash}
            </Code>
          </Text>
          <CopyButton text={newest.hash} label="Copy the head" />
        </Flex>
      )}
      <form
        noValidate
        className="verify-form"
        onSubmit={(event) => {
          event.preventDefault()
          start()
        }}
      >
        <Field
          label="A head that was kept elsewhere, if you have one"
          autoComplete="off"
          spellCheck={false}
          placeholder="64 digits and letters"
          error={wrong}
          value={known}
          onChange={(event) => setKnown(event.currentTarget.value)}
        />
        <Button type="submit" variant="soft" loading={verify.isPending}>
          Verify the chain
        </Button>
      </form>
      {verify.isError && <Problem error={verify.error} onRetry={start} />}
      {verify.data !== undefined && <Verdict verdict={verify.data} head={verify.variables} />}
    </section>
  )
}

interface VerdictProps {
  readonly verdict: Answer<'GET /api/audit/verify'>
  /** The one that was kept elsewhere; empty for none. */
  readonly head: string
}

function Verdict({ verdict: { rows, head: last, broken }, head }: VerdictProps) {
  if (broken !== undefined)
    return (
      <Callout.Root color="red" size="1" role="alert">
        <Callout.Text>
          The log is not what was written. Row {broken.seq}: {broken.why}. Keep a copy of the
          database as it is, and find out who could write to it.
        </Callout.Text>
      </Callout.Root>
    )
  return (
    <Callout.Root color="green" size="1" role="status">
      <Callout.Text>
        All {rows.toLocaleString('en-US')} rows are as they were written
        {head !== '' && ', and the head that you kept is one of them'}. The last one is sealed with{' '}
        <Code variant="ghost" className="verify-head">
          {last}
        </Code>
        . Keep it elsewhere: it proves later that none of them was changed.
      </Callout.Text>
    </Callout.Root>
  )
}
