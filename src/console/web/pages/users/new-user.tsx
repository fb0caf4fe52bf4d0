import { useNavigate } from 'react-router'

import { useChange } from '#console/web/api/use-ask.ts'
import { FieldGroup } from '#console/web/parts/field-group.tsx'
import { FormFrame } from '#console/web/parts/form-frame.tsx'
import { Page } from '#console/web/parts/page.tsx'
import { useForm } from '#console/web/parts/use-form.ts'

import { FirstPassword } from './first-password.tsx'
import { isUserField, newUserFields, readUserOrder } from './user-fields.ts'
import { UserForm } from './user-form.tsx'
import { YourPassword } from './your-password.tsx'

/** Makes a user. */
export function NewUser() {
  const navigate = useNavigate()
  const form = useForm({ initial: newUserFields, isField: isUserField, keepsDraft: true })
  const create = useChange('POST /api/users', ['GET /api/users'])
  const save = async (): Promise<void> => {
    const read = readUserOrder(form.fields)
    if (read.type === 'problems') return form.tell(read.problems)
    const made = await form.save(() => create.mutateAsync({ body: read.body }))
    if (made !== undefined) await navigate(`/users/${made.id}`)
  }
  return (
    <Page title="New user" description="Somebody who may sign in to this console.">
      <FormFrame
        form={form}
        action="Create user"
        onSave={save}
        onCancel={() => void navigate('/users')}
      >
        <UserForm form={form} />
        <FieldGroup legend="How they sign in first">
          <FirstPassword
            label="Their password"
            value={form.fields.password}
            error={form.problems['password']}
            onChange={(password) => form.change({ password })}
          />
        </FieldGroup>
        <YourPassword form={form} />
      </FormFrame>
    </Page>
  )
}
