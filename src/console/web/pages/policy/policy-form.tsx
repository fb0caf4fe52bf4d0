import type { FieldProblems } from '#console/web/parts/form-problems.ts'

import { AmountFields } from './amount-fields.tsx'
import { AskFields } from './ask-fields.tsx'
import { KeptFields } from './kept-fields.tsx'
import type { PolicyFields } from './policy-fields.ts'
import type { PolicyOf } from './policy-table.tsx'

export interface PolicyFormProps {
  readonly fields: PolicyFields
  readonly problems: FieldProblems
  /** Those above, whose limits hold besides. */
  readonly parents: readonly PolicyOf[]
  readonly onChange: (fields: PolicyFields) => void
}

/** Everything that a policy can say, in fields. What is left empty, only those above limit. */
export function PolicyForm({ fields, problems, parents, onChange }: PolicyFormProps) {
  const part: PolicyPartProps = {
    fields,
    problems,
    parents,
    set: (change) => onChange({ ...fields, ...change }),
  }
  return (
    <>
      <AskFields {...part} />
      <AmountFields {...part} />
      <KeptFields {...part} />
    </>
  )
}

/** What every part of the form is given. */
export interface PolicyPartProps extends Omit<PolicyFormProps, 'onChange'> {
  readonly set: (change: Partial<PolicyFields>) => void
}
