import { Flex, Text } from '@radix-ui/themes'
import { useState } from 'react'

import { useChange } from '#console/web/api/use-ask.ts'
import { Choice } from '#console/web/parts/choice.tsx'
import { ConfirmDialog } from '#console/web/parts/confirm-dialog.tsx'

export interface RotateKeyProps {
  readonly id: string
  readonly name: string
  /** Told the new text, which is nowhere else. */
  readonly onSecret: (secret: string) => void
  readonly onClose: () => void
}

const hourMs = 3_600_000

/** How long the old text may stay valid, up to what the gateway allows. */
const overlaps = [
  [String(24 * hourMs), 'for 24 hours more'],
  [String(hourMs), 'for an hour more'],
  [String(3 * 24 * hourMs), 'for 3 days more'],
  [String(7 * 24 * hourMs), 'for 7 days more'],
  ['0', 'not any more'],
] as const

/** Gives a key a new text, while the old one stays valid for a time. */
export function RotateKey({ id, name, onSecret, onClose }: RotateKeyProps) {
  const [overlap, setOverlap] = useState<string>(overlaps[0][0])
  const rotate = useChange('POST /api/keys/{id}/rotate', ['GET /api/keys', 'GET /api/keys/{id}'])
  return (
    <ConfirmDialog
      isOpen
      title={`Give the key “${name}” a new text?`}
      action="Rotate"
      isDangerous={overlap === '0'}
      onConfirm={async () => {
        const { key } = await rotate.mutateAsync({
          params: { id },
          body: { overlapMs: Number(overlap) },
        })
        onSecret(key)
      }}
      onClose={onClose}
    >
      <Flex direction="column" gap="4">
        <Text size="2">
          The new text is shown once. Limits, budgets and usage stay with the key. Callers can be
          changed one by one for as long as both texts are valid.
        </Text>
        <Choice
          label="The old text is valid"
          options={overlaps}
          value={overlap}
          onChoose={setOverlap}
        />
      </Flex>
    </ConfirmDialog>
  )
}
