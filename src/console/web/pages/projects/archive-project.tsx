import type { Project } from '#console/web/api/contract.ts'
import { useChange } from '#console/web/api/use-ask.ts'
import { ConfirmDialog } from '#console/web/parts/confirm-dialog.tsx'

export interface ArchiveProjectProps {
  readonly project: Project
  readonly onClose: () => void
}

/** Ends a project for good with all of its keys, once somebody has typed its name. */
export function ArchiveProject({ project: { id, name, keys }, onClose }: ArchiveProjectProps) {
  const archive = useChange('POST /api/projects/{id}/archive', [
    'GET /api/projects',
    'GET /api/projects/{id}',
    'GET /api/keys',
    'GET /api/keys/{id}',
  ])
  return (
    <ConfirmDialog
      isOpen
      title={`Archive the project “${name}”?`}
      action="Archive for good"
      typed={name}
      onConfirm={() => archive.mutateAsync({ params: { id } })}
      onClose={onClose}
    >
      {keys === 1 ? 'Its one key is' : `All of its ${keys} keys are`} refused from now on. There is
      no way back. What was used stays in the books.
    </ConfirmDialog>
  )
}
