import { PolicyForm } from '#console/web/pages/policy/policy-form.tsx'
import type { PolicyOf } from '#console/web/pages/policy/policy-table.tsx'
import { FieldGroup } from '#console/web/parts/field-group.tsx'
import { Field } from '#console/web/parts/field.tsx'
import { FormFrame } from '#console/web/parts/form-frame.tsx'
import type { Form } from '#console/web/parts/use-form.ts'

import type { HolderFields } from './holder-fields.ts'

export interface HolderFormProps {
  readonly form: Form<HolderFields>
  readonly parents: readonly PolicyOf[]
  readonly action: string
  /** Whether there is nothing to save while nothing was changed. */
  readonly isChange: boolean
  readonly onSave: () => Promise<void>
  readonly onCancel: () => void
}

/** The name and the limits of a project or the organisation. */
export function HolderForm({ form, parents, action, isChange, onSave, onCancel }: HolderFormProps) {
  const { fields, problems, change } = form
  return (
    <FormFrame
      form={form}
      action={action}
      isIdle={isChange && !form.isDirty}
      onSave={onSave}
      onCancel={onCancel}
    >
      <FieldGroup legend="What it is called">
        <Field
          label="Name"
          required
          maxLength={100}
          autoComplete="off"
          error={problems['name']}
          value={fields.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      </FieldGroup>
      <PolicyForm
        fields={fields.policy}
        problems={problems}
        parents={parents}
        onChange={(policy) => change({ policy })}
      />
    </FormFrame>
  )
}
