import { FieldGroup } from '#console/web/parts/field-group.tsx'
import { Field } from '#console/web/parts/field.tsx'
import type { Form } from '#console/web/parts/use-form.ts'

import type { UserFields } from './user-fields.ts'

/** Rights are changed by whoever knows the password, not by whoever sits at an open browser. */
export function YourPassword({ form }: { readonly form: Form<UserFields> }) {
  const { fields, problems, change } = form
  return (
    <FieldGroup legend="That it is you">
      <Field
        label="Your password"
        type="password"
        autoComplete="current-password"
        error={problems['yourPassword']}
        value={fields.yourPassword}
        onChange={(event) => change({ yourPassword: event.currentTarget.value })}
      />
    </FieldGroup>
  )
}
