import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'

import { useMe } from '#console/web/api/me.ts'
import { useAsk, useChange } from '#console/web/api/use-ask.ts'
import { AnsweredAfresh } from '#console/web/parts/answered-afresh.tsx'
import { CheckField } from '#console/web/parts/check-field.tsx'
import { FieldGroup } from '#console/web/parts/field-group.tsx'
import { FormFrame } from '#console/web/parts/form-frame.tsx'
import { Page } from '#console/web/parts/page.tsx'
import { useForm } from '#console/web/parts/use-form.ts'

import { fieldsOfUser, isUserField, readUserChange, type User } from './user-fields.ts'
import { UserForm } from './user-form.tsx'
import { YourPassword } from './your-password.tsx'

/** Changes the name, the role or the projects of a user, or lets them in no more. */
export function EditUser() {
  const { id = '' } = useParams()
  const query = useAsk('GET /api/users/{id}', { params: { id } })
  const name = query.data?.user.name
  return (
    <Page
      title={name === undefined ? 'Change a user' : `Change the user ${name}`}
      description="Whoever may do other things from now on has to sign in again."
    >
      <AnsweredAfresh query={query}>{({ user }) => <EditUserForm user={user} />}</AnsweredAfresh>
    </Page>
  )
}

function EditUserForm({ user: found }: { readonly user: User }) {
  // Only what is typed here is sent: what somebody else changes meanwhile stays as they want it.
  const [user] = useState(found)
  const navigate = useNavigate()
  const { user: me } = useMe()
  const form = useForm({ initial: fieldsOfUser(user), isField: isUserField, keepsDraft: true })
  const update = useChange('PATCH /api/users/{id}', [
    'GET /api/users',
    'GET /api/users/{id}',
    'GET /api/sessions',
  ])
  const back = `/users/${user.id}`
  const save = async (): Promise<void> => {
    const read = readUserChange(user, form.fields)
    if (read.type === 'problems') return form.tell(read.problems)
    const { body } = read
    const saved = await form.save(() => update.mutateAsync({ params: { id: user.id }, body }))
    if (saved !== undefined) await navigate(back)
  }
  return (
    <FormFrame
      form={form}
      action="Save"
      isIdle={!form.isDirty}
      onSave={save}
      onCancel={() => void navigate(back)}
    >
      <UserForm form={form} />
      {user.id !== me.userId && (
        <FieldGroup legend="Whether they may sign in">
          <CheckField
            label="Disabled"
            hint="Nobody can sign in with this account, and its sessions end."
            isOn={form.fields.isDisabled}
            onSwitch={(isDisabled) => form.change({ isDisabled })}
          />
        </FieldGroup>
      )}
      <YourPassword form={form} />
    </FormFrame>
  )
}
