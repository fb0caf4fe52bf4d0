import { type ReactNode, useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'

import { ConfirmDialog } from './confirm-dialog.tsx'

export interface UnsavedProps {
  /** Asked at the moment somebody leaves. */
  readonly hasUnsaved: () => boolean
  /** What is lost, where it is something else than what was typed. */
  readonly title?: string
  /** Told when somebody leaves all the same. */
  readonly onLeave?: () => void
  readonly children?: ReactNode
}

/** Asks before what was typed is lost: by a link, by the way back, or by closing the page. */
export function Unsaved({ hasUnsaved, title, onLeave, children }: UnsavedProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      hasUnsaved() && currentLocation.pathname !== nextLocation.pathname,
  )
  const isLeaving = useRef(false)
  const stay = (): void => {
    if (blocker.state === 'blocked' && !isLeaving.current) blocker.reset()
  }
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (hasUnsaved()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [hasUnsaved])
  return (
    <ConfirmDialog
      isOpen={blocker.state === 'blocked'}
      title={title ?? 'Leave without saving?'}
      action="Leave"
      onConfirm={async () => {
        isLeaving.current = true
        onLeave?.()
        blocker.proceed?.()
      }}
      onClose={stay}
    >
      {children ?? 'What you have typed here is not saved, and will be lost.'}
    </ConfirmDialog>
  )
}
