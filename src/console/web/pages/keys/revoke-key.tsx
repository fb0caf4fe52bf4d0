import { useChange } from '#console/web/api/use-ask.ts'
import { ConfirmDialog } from '#console/web/parts/confirm-dialog.tsx'

export interface RevokeKeyProps {
  readonly id: string
  readonly name: string
  readonly onClose: () => void
}

/** Ends a key for good, once somebody has typed its name. */
export function RevokeKey({ id, name, onClose }: RevokeKeyProps) {
  const revoke = useChange('POST /api/keys/{id}/revoke', [
    'GET /api/keys',
    'GET /api/keys/{id}',
    'GET /api/projects',
  ])
  return (
    <ConfirmDialog
      isOpen
      title={`Revoke the key “${name}”?`}
      action="Revoke for good"
      typed={name}
      onConfirm={() => revoke.mutateAsync({ params: { id } })}
      onClose={onClose}
    >
      Whoever shows it is refused from now on, within a second. There is no way back: a revoked key
      cannot be made valid again. What it used stays in the books.
    </ConfirmDialog>
  )
}
