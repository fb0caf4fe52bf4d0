import { Button, Flex, Text } from '@radix-ui/themes'
import { type ReactNode, useState } from 'react'

import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { Problem } from './problem.tsx'

export interface Confirmed {
  /** The user's own password, where it was asked for; else empty. */
  readonly yourPassword: string
}

export interface ConfirmDialogProps {
  /** Shown while this is true. */
  readonly isOpen: boolean
  readonly title: string
  /** What will happen, and whether there is a way back. */
  readonly children: ReactNode
  /** The word on the button: what is done. */
  readonly action: string
  /** What has to be typed first, for what cannot be undone: the name of the thing. */
  readonly typed?: string
  /** Whether the API asks for the password again. */
  readonly asksPassword?: boolean
  readonly isDangerous?: boolean
  /** Does it. What it throws is shown in the dialog; when it resolves, the dialog closes. */
  readonly onConfirm: (confirmed: Confirmed) => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before something is done. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, onClose } = props
  return (
    <Dialog isOpen={isOpen} title={title} onClose={onClose}>
      <ConfirmForm {...props} />
    </Dialog>
  )
}

function ConfirmForm(props: ConfirmDialogProps) {
  const { children, typed, asksPassword = false } = props
  const [words, setWords] = useState('')
  const [yourPassword, setPassword] = useState('')
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const isReady = (typed === undefined || words === typed) && (!asksPassword || yourPassword !== '')
  const confirm = async (): Promise<void> => {
    setBusy(true)
    setError(undefined)
    try {
      await props.onConfirm({ yourPassword })
      props.onClose()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !isBusy) void confirm()
      }}
    >
      <Flex direction="column" gap="4">
        <Text as="div" size="2">
          {children}
        </Text>
        {typed !== undefined && (
          <Field
            label={`Type “${typed}” to go on`}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
            autoComplete="off"
            autoFocus
          />
        )}
        {asksPassword && (
          <Field
            label="Your password"
            type="password"
            autoComplete="current-password"
            value={yourPassword}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoFocus={typed === undefined}
          />
        )}
        {error !== undefined && <Problem error={error} />}
        <DialogButtons {...props} isReady={isReady} isBusy={isBusy} />
      </Flex>
    </form>
  )
}

interface DialogButtonsProps {
  readonly action: string
  readonly isDangerous?: boolean
  readonly isReady: boolean
  readonly isBusy: boolean
  readonly onClose: () => void
}

/** The way back, and the deed. */
export function DialogButtons(props: DialogButtonsProps) {
  const { action, isDangerous = true, isReady, isBusy, onClose } = props
  return (
    <Flex gap="3" justify="end">
      <Button type="button" variant="soft" color="gray" onClick={onClose}>
        Cancel
      </Button>
      <Button
        type="submit"
        {...(isDangerous && { color: 'red' as const })}
        disabled={!isReady}
        loading={isBusy}
      >
        {action}
      </Button>
    </Flex>
  )
}
