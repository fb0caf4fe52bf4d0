import { Grid } from '@radix-ui/themes'

import { Field } from '#console/web/parts/field.tsx'
import type { FieldProblems } from '#console/web/parts/form-problems.ts'

import { rateWords } from './limit-words.ts'
import { type PolicyFields, rateNames } from './policy-fields.ts'

export interface RateFieldsProps {
  readonly rates: PolicyFields['rates']
  readonly problems: FieldProblems
  readonly hintOf: (limit: string) => string | undefined
  readonly onChange: (rates: PolicyFields['rates']) => void
}

/** The eight rates: four things counted, by the minute and by the day. */
export function RateFields({ rates, problems, hintOf, onChange }: RateFieldsProps) {
  return (
    <Grid columns={{ initial: '1', xs: '2' }} gap="4">
      {rateNames.map((rate) => (
        <Field
          key={rate}
          label={rateWords[rate]}
          inputMode="numeric"
          hint={hintOf(`rates.${rate}`)}
          error={problems[`rates.${rate}`]}
          value={rates[rate]}
          onChange={(event) => onChange({ ...rates, [rate]: event.currentTarget.value })}
        />
      ))}
    </Grid>
  )
}
