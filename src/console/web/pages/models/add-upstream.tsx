import { Button, Flex, Text } from '@radix-ui/themes'
import { useState } from 'react'

import { useAsk, useChange } from '#console/web/api/use-ask.ts'
import { Answered } from '#console/web/parts/answered.tsx'
import { Dialog } from '#console/web/parts/dialog.tsx'
import { useForm } from '#console/web/parts/use-form.ts'

import { ConfigLines } from './config-lines.tsx'
import { TrialOutcome } from './trial-outcome.tsx'
import {
  emptyUpstream,
  isUpstreamField,
  trialOf,
  upstreamProblems,
  type Vendor,
} from './upstream-fields.ts'
import { UpstreamForm } from './upstream-form.tsx'

/** The way to another upstream: described here, tried for real, and then written into the config by its owner. */
export function AddUpstream() {
  const [isOpen, setOpen] = useState(false)
  const vendors = useAsk('GET /api/vendors', {}, { enabled: isOpen })
  return (
    <>
      <Button variant="soft" onClick={() => setOpen(true)}>
        Add an upstream
      </Button>
      <Dialog isOpen={isOpen} isWide title="Add an upstream" onClose={() => setOpen(false)}>
        <Answered query={vendors}>{(answer) => <Adding vendors={answer.vendors} />}</Answered>
      </Dialog>
    </>
  )
}

function Adding({ vendors }: { readonly vendors: readonly Vendor[] }) {
  const form = useForm({ initial: emptyUpstream, isField: isUpstreamField })
  const trial = useChange('POST /api/upstream-trials')
  const [tried, setTried] = useState<string>()
  const { fields } = form
  const vendor = vendors.find(({ name }) => name === fields.vendor)
  const isAsTried = tried === JSON.stringify(fields)
  const attempt = async (): Promise<void> => {
    const problems = upstreamProblems(fields, vendor)
    if (Object.keys(problems).length > 0) return form.tell(problems)
    const outcome = await form.save(() => trial.mutateAsync({ body: trialOf(fields, vendor) }))
    setTried(outcome === undefined ? undefined : JSON.stringify(fields))
  }
  return (
    <Flex direction="column" gap="5">
      <UpstreamForm form={form} vendors={vendors} vendor={vendor} onTry={attempt} />
      {isAsTried && trial.data !== undefined && (
        <>
          <TrialOutcome outcome={trial.data} />
          <ConfigLines fields={fields} vendor={vendor} isWell={trial.data.isWell} />
        </>
      )}
      {!isAsTried && (
        <Text as="p" size="2" color="gray">
          When it has answered, the lines for the config are here.
        </Text>
      )}
    </Flex>
  )
}
