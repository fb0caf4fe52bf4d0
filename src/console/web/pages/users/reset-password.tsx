import { Flex, Text } from '@radix-ui/themes'

import { useChange } from '#console/web/api/use-ask.ts'
import { Dialog } from '#console/web/parts/dialog.tsx'
import { Field } from '#console/web/parts/field.tsx'
import { FormFoot } from '#console/web/parts/form-foot.tsx'
import { useForm } from '#console/web/parts/use-form.ts'

import { FirstPassword } from './first-password.tsx'
import type { User } from './user-fields.ts'

export interface ResetPasswordProps {
  readonly user: User
  readonly onClose: () => void
}

/** Gives somebody else a new password, and ends all of their sessions. */
export function ResetPassword(props: ResetPasswordProps) {
  return (
    <Dialog isOpen title={`A new password for “${props.user.name}”`} onClose={props.onClose}>
      <ResetForm {...props} />
    </Dialog>
  )
}

const initial = { password: '', yourPassword: '' }

function ResetForm({ user, onClose }: ResetPasswordProps) {
  const form = useForm({ initial, isField: (name) => name in initial })
  const { fields, problems, change } = form
  const reset = useChange('PUT /api/users/{id}/password', ['GET /api/sessions'])
  const save = async (): Promise<void> => {
    const missing = {
      ...(fields.password === '' && { password: 'Give a password.' }),
      ...(fields.yourPassword === '' && {
        yourPassword: 'Your own password is asked for once more.',
      }),
    }
    if (Object.keys(missing).length > 0) return form.tell(missing)
    const saved = await form.save(() =>
      reset.mutateAsync({ params: { id: user.id }, body: fields }),
    )
    if (saved !== undefined) onClose()
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Flex direction="column" gap="4">
        <Text as="p" size="2">
          They are signed out everywhere, and sign in with this one.
        </Text>
        {/* Password stores look for the name that belongs to what is typed. */}
        <input
          className="unseen"
          autoComplete="username"
          value={user.name}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <FirstPassword
          label="Their new password"
          value={fields.password}
          error={problems['password']}
          onChange={(password) => change({ password })}
        />
        <Field
          label="Your password"
          type="password"
          autoComplete="current-password"
          error={problems['yourPassword']}
          value={fields.yourPassword}
          onChange={(event) => change({ yourPassword: event.currentTarget.value })}
        />
        <FormFoot {...form} action="Set password" onCancel={onClose} />
      </Flex>
    </form>
  )
}
