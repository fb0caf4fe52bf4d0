import { Grid } from '@radix-ui/themes'

import { FieldGroup } from '#console/web/parts/field-group.tsx'
import { Field } from '#console/web/parts/field.tsx'

import { parentHint } from './parent-hint.ts'
import type { PolicyPartProps } from './policy-form.tsx'
import { RateFields } from './rate-fields.tsx'

/** How long an answer may be, how many at once, how many in a minute and a day. */
export function AmountFields({ fields, problems, parents, set }: PolicyPartProps) {
  return (
    <FieldGroup legend="How much" hint="What is left empty is not limited here.">
      <Grid columns={{ initial: '1', xs: '2' }} gap="4" mb="4">
        <Field
          label="Tokens of one answer"
          inputMode="numeric"
          hint={parentHint(parents, 'maxTokens')}
          error={problems['maxTokens']}
          value={fields.maxTokens}
          onChange={(event) => set({ maxTokens: event.currentTarget.value })}
        />
        <Field
          label="Exchanges at once"
          inputMode="numeric"
          hint={parentHint(parents, 'concurrency')}
          error={problems['concurrency']}
          value={fields.concurrency}
          onChange={(event) => set({ concurrency: event.currentTarget.value })}
        />
      </Grid>
      <RateFields
        rates={fields.rates}
        problems={problems}
        hintOf={(limit) => parentHint(parents, limit)}
        onChange={(rates) => set({ rates })}
      />
    </FieldGroup>
  )
}
