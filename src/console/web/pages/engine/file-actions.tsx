import { Button, Flex, Text } from '@radix-ui/themes'
import { useState } from 'react'

import { useMe } from '#console/web/api/me.ts'
import { useChange } from '#console/web/api/use-ask.ts'
import { ConfirmDialog } from '#console/web/parts/confirm-dialog.tsx'

import { engineQuestions, type EngineStatus, leastBytes, type ModelFile } from './engine-model.ts'
import { MemoryBar } from './memory-bar.tsx'

export interface FileActionsProps {
  readonly file: ModelFile
  readonly status: EngineStatus
}

/** Loading and removing a model, each asked about before it is done. */
export function FileActions({ file, status }: FileActionsProps) {
  const { may } = useMe()
  const [asked, setAsked] = useState<'load' | 'remove'>()
  const { name, origin } = file
  const isLoaded = status.models.some((model) => model.name === name)
  const close = (): void => setAsked(undefined)
  return (
    <Flex gap="2" wrap="wrap">
      {!isLoaded && file.bytes > 0 && (
        <Button
          size="1"
          variant="soft"
          onClick={() => setAsked('load')}
          aria-label={`Load ${name}`}
        >
          Load
        </Button>
      )}
      {may('admin') && origin === 'folder' && (
        <Button
          size="1"
          variant="soft"
          color="red"
          disabled={isLoaded}
          title={isLoaded ? 'Unload it first.' : undefined}
          onClick={() => setAsked('remove')}
          aria-label={`Remove ${name}`}
        >
          Remove
        </Button>
      )}
      <LoadDialog file={file} status={status} isOpen={asked === 'load'} onClose={close} />
      <RemoveDialog file={file} isOpen={asked === 'remove'} onClose={close} />
    </Flex>
  )
}

interface DialogState {
  readonly isOpen: boolean
  readonly onClose: () => void
}

function LoadDialog({ file, status, isOpen, onClose }: FileActionsProps & DialogState) {
  const load = useChange('POST /api/engine/models/{name}/load', engineQuestions)
  const { name, estimate } = file
  const taken = status.models.reduce((sum, { facts }) => sum + (facts?.memoryBytes ?? 0), 0)
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Load ${name}`}
      action="Load"
      isDangerous={false}
      onConfirm={() => load.mutateAsync({ params: { name } })}
      onClose={onClose}
    >
      <Flex direction="column" gap="3">
        <MemoryBar
          takenBytes={taken}
          freeBytes={status.freeBytes}
          moreBytes={leastBytes(file) ?? 0}
        />
        <Text as="p" size="2">
          {estimate === null ? 'Its file does not say what it will take.' : contextWords(estimate)}{' '}
          The engine works it out exactly before it loads, and lets go of an idle model where that
          makes room. What has no room is refused, with the figures.
        </Text>
      </Flex>
    </ConfirmDialog>
  )
}

function contextWords({ sequences, contextSize }: NonNullable<ModelFile['estimate']>): string {
  const tokens = contextSize.toLocaleString('en-US')
  return sequences === 1
    ? `For one text at a time, of up to ${tokens} tokens.`
    : `For ${sequences} answers at once with ${tokens} tokens each.`
}

function RemoveDialog({
  file: { name, bytes },
  isOpen,
  onClose,
}: Pick<FileActionsProps, 'file'> & DialogState) {
  const remove = useChange('DELETE /api/engine/models/{name}', engineQuestions)
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Remove ${name}`}
      action="Remove"
      typed={name}
      onConfirm={() => remove.mutateAsync({ params: { name } })}
      onClose={onClose}
    >
      Its file is deleted ({Math.ceil(bytes / 1024 ** 2).toLocaleString('en-US')} MiB). To have it
      again it has to be pulled again, and whoever asks for it until then is told that there is no
      such model.
    </ConfirmDialog>
  )
}
