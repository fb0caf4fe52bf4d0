import { Callout } from '@radix-ui/themes'
import type { ReactNode } from 'react'

import { FormFoot } from './form-foot.tsx'
import { Unsaved } from './unsaved.tsx'
import type { Form } from './use-form.ts'

export interface FormFrameProps {
  readonly form: Pick<
    Form<object>,
    'isBusy' | 'problems' | 'failure' | 'hasUnsaved' | 'isRestored' | 'discard'
  >
  /** What is done: "Save", "Create key". */
  readonly action: string
  /** Nothing to save: the button waits. */
  readonly isIdle?: boolean
  readonly onSave: () => Promise<void>
  readonly onCancel: () => void
  readonly children: ReactNode
}

/** A form that fills a page: it asks before what was typed is lost, and ends with what is wrong and what can be done. */
export function FormFrame(props: FormFrameProps) {
  const { form, action, isIdle = false, onSave, onCancel, children } = props
  return (
    <>
      {/* Beside the form, not in it: the question has a form of its own. */}
      <Unsaved hasUnsaved={form.hasUnsaved} onLeave={form.discard} />
      {form.isRestored && (
        <Callout.Root color="indigo" size="1" role="status">
          <Callout.Text>
            What you had typed before you were signed out is here again. It is not saved yet.
          </Callout.Text>
        </Callout.Root>
      )}
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!form.isBusy) void onSave()
        }}
      >
        {children}
        <FormFoot {...form} action={action} isIdle={isIdle} onCancel={onCancel} />
      </form>
    </>
  )
}
