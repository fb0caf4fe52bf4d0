import { Button, Flex, Heading, Text } from '@radix-ui/themes'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { ask } from '#console/web/api/ask.ts'
import { useMe } from '#console/web/api/me.ts'
import { useChange } from '#console/web/api/use-ask.ts'
import { bytesText } from '#console/web/parts/amounts.tsx'
import { ConfirmDialog } from '#console/web/parts/confirm-dialog.tsx'
import { Problem } from '#console/web/parts/problem.tsx'
import { When } from '#console/web/parts/when.tsx'

import type { EndedExchange } from './opened-exchange.ts'
import { SaidAnswer, SaidRequest } from './said.tsx'

/** What was said in an exchange, where it was kept and one may read it. Whoever reads it is written down, so it is asked for by hand alone. */
export function Content({ exchange }: { readonly exchange: EndedExchange }) {
  const { id, content } = exchange
  // Not a kept question: such are asked again by themselves, and every reading is a row of the audit log.
  const reading = useMutation({
    mutationFn: () => ask('GET /api/exchanges/{id}/content', { params: { id } }),
  })
  if (content === undefined) return null
  const { keptAt, requestBytes, answerBytes, isCut } = content
  const said = reading.data?.content
  return (
    <section>
      <Heading as="h3" size="2" mb="2">
        What was said
      </Heading>
      <Text as="p" size="2" color="gray">
        Kept <When at={keptAt} as="ago" />: {bytesText(requestBytes)} of request,{' '}
        {bytesText(answerBytes)} of answer{isCut && ', a part of what was long left out'}. Reading
        it is written to the audit log.
      </Text>
      <Flex gap="3" mt="2" wrap="wrap">
        {said === undefined && (
          <Button variant="soft" loading={reading.isPending} onClick={() => reading.mutate()}>
            Show what was said
          </Button>
        )}
        <EraseButton id={id} onErased={reading.reset} />
      </Flex>
      {reading.isError && <Problem error={reading.error} />}
      {said === null && (
        <Text as="p" size="2" color="gray" mt="2">
          It is not kept any more.
        </Text>
      )}
      {said !== undefined && said !== null && (
        <Flex direction="column" gap="4" mt="3">
          <SaidRequest content={said} />
          <SaidAnswer content={said} />
        </Flex>
      )}
    </section>
  )
}

function EraseButton({ id, onErased }: { readonly id: string; readonly onErased: () => void }) {
  const { may } = useMe()
  const [isAsking, setAsking] = useState(false)
  const erase = useChange('DELETE /api/exchanges/{id}/content', ['GET /api/exchanges/{id}'])
  if (!may('admin')) return null
  return (
    <>
      <Button variant="soft" color="red" onClick={() => setAsking(true)}>
        Erase it
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title="Erase what was said"
        action="Erase"
        onConfirm={async () => {
          await erase.mutateAsync({ params: { id } })
          onErased()
        }}
        onClose={() => setAsking(false)}
      >
        The text of the request and of the answer is deleted for good. What was used and what it
        cost stays in the ledger.
      </ConfirmDialog>
    </>
  )
}
