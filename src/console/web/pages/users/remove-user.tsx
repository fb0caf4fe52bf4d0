import { useChange } from '#console/web/api/use-ask.ts'
import { ConfirmDialog } from '#console/web/parts/confirm-dialog.tsx'

import type { User } from './user-fields.ts'

export interface RemoveUserProps {
  readonly user: User
  readonly onRemoved: () => void
  readonly onClose: () => void
}

/** Removes a user with all sessions, once somebody has typed the name. */
export function RemoveUser({ user: { id, name }, onRemoved, onClose }: RemoveUserProps) {
  const remove = useChange('DELETE /api/users/{id}', ['GET /api/users', 'GET /api/sessions'])
  return (
    <ConfirmDialog
      isOpen
      title={`Remove the user “${name}”?`}
      action="Remove"
      typed={name}
      onConfirm={async () => {
        await remove.mutateAsync({ params: { id } })
        onRemoved()
      }}
      onClose={onClose}
    >
      All of their sessions end at once. What they did stays in the audit log. To keep the account
      and let nobody in with it, disable it instead.
    </ConfirmDialog>
  )
}
