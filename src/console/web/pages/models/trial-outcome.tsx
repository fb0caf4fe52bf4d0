import { Callout, Text } from '@radix-ui/themes'

import type { Answer } from '#console/web/api/contract.ts'
import { tookText } from '#console/web/parts/amounts.tsx'

type Outcome = Answer<'POST /api/upstream-trials'>

const mostNames = 12

/** What came of trying an upstream. */
export function TrialOutcome({ outcome }: { readonly outcome: Outcome }) {
  const { isWell, message, names, models, tookMs } = outcome
  if (!isWell)
    return (
      <Callout.Root color="red" size="1" role="alert">
        <Callout.Text>{message ?? 'It does not answer.'}</Callout.Text>
      </Callout.Root>
    )
  const more = (models ?? 0) - Math.min(names.length, mostNames)
  return (
    <Callout.Root color="green" size="1" role="status">
      <Callout.Text>
        {models === 0
          ? 'It answers, and lists no models. Name those that it has under `serves` in the config.'
          : `It answers after ${tookText(tookMs)} and lists ${models} ${models === 1 ? 'model' : 'models'}.`}
      </Callout.Text>
      {names.length > 0 && (
        <Text as="p" size="1" className="models-name">
          {names.slice(0, mostNames).join(', ')}
          {more > 0 && ` and ${more} more`}
        </Text>
      )}
    </Callout.Root>
  )
}
