import { Button, Callout, Grid } from '@radix-ui/themes'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { meKey } from '#console/web/api/console-queries.ts'
import { useMe } from '#console/web/api/me.ts'
import { useChange } from '#console/web/api/use-ask.ts'
import { Field } from '#console/web/parts/field.tsx'
import { FormFrame } from '#console/web/parts/form-frame.tsx'
import type { FieldProblems } from '#console/web/parts/form-problems.ts'
import { useForm } from '#console/web/parts/use-form.ts'

/** The way to another password, shown when somebody wants it. */
export function OwnPassword() {
  const [state, setState] = useState<'closed' | 'open' | 'changed'>('closed')
  if (state === 'open')
    return (
      <PasswordForm onChanged={() => setState('changed')} onCancel={() => setState('closed')} />
    )
  return (
    <>
      {state === 'changed' && (
        <Callout.Root color="green" size="1" role="status" mb="3">
          <Callout.Text>
            The password is changed. Wherever else you were signed in, you are not any more.
          </Callout.Text>
        </Callout.Root>
      )}
      <Button variant="soft" onClick={() => setState('open')}>
        Change your password
      </Button>
    </>
  )
}

const initial = { yourPassword: '', password: '', again: '' }

interface PasswordFormProps {
  readonly onChanged: () => void
  readonly onCancel: () => void
}

function PasswordForm({ onChanged, onCancel }: PasswordFormProps) {
  const client = useQueryClient()
  const { user } = useMe()
  const form = useForm({ initial, isField: (name) => name in initial })
  const { fields, problems, change } = form
  const put = useChange('PUT /api/me/password', ['GET /api/me/sessions'])
  const save = async (): Promise<void> => {
    const wrong = problemsOf(fields)
    if (Object.keys(wrong).length > 0) return form.tell(wrong)
    const { password, yourPassword } = fields
    const saved = await form.save(() => put.mutateAsync({ body: { password, yourPassword } }))
    if (saved === undefined) return
    // The session has been renewed with it, under another id.
    await client.invalidateQueries({ queryKey: meKey })
    onChanged()
  }
  const fieldOf = (name: keyof typeof initial) => ({
    type: 'password' as const,
    error: problems[name],
    value: fields[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      change({ [name]: event.currentTarget.value }),
  })
  return (
    <FormFrame form={form} action="Change password" onSave={save} onCancel={onCancel}>
      {/* Password stores look for the name that belongs to what is typed. */}
      <input
        className="unseen"
        autoComplete="username"
        value={user.name}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <Grid columns={{ initial: '1', sm: '3' }} gap="4">
        <Field
          label="The one you have"
          autoComplete="current-password"
          autoFocus
          {...fieldOf('yourPassword')}
        />
        <Field
          label="The new one"
          autoComplete="new-password"
          hint="At least twelve characters; four words are good."
          maxLength={256}
          {...fieldOf('password')}
        />
        <Field
          label="The new one again"
          autoComplete="new-password"
          maxLength={256}
          {...fieldOf('again')}
        />
      </Grid>
    </FormFrame>
  )
}

function problemsOf({ yourPassword, password, again }: typeof initial): FieldProblems {
  return {
    ...(yourPassword === '' && { yourPassword: 'Type the password you have now.' }),
    ...(password === '' && { password: 'Type a new password.' }),
    ...(password !== again && { again: 'This is not the same as the new one.' }),
  }
}
