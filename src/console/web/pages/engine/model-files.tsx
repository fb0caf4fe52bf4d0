import { Badge, Text } from '@radix-ui/themes'

import { Bytes, bytesText, Nothing, Tokens } from '#console/web/parts/amounts.tsx'
import { DataTable } from '#console/web/parts/data-table.tsx'
import { Empty } from '#console/web/parts/empty.tsx'

import { type EngineStatus, leastBytes, type ModelFile } from './engine-model.ts'
import { FileActions } from './file-actions.tsx'

export interface ModelFilesProps {
  readonly files: readonly ModelFile[]
  readonly status: EngineStatus
  readonly mayChange: boolean
}

/** The models on disk: what each would take, and what can be done with it. */
export function ModelFiles({ files, status, mayChange }: ModelFilesProps) {
  const states = new Map(status.models.map(({ name, state }) => [name, state]))
  return (
    <DataTable
      caption="Models on disk"
      rows={files}
      idOf={({ name }) => name}
      columns={[
        {
          id: 'name',
          title: 'Model',
          sortBy: ({ name }) => name,
          cell: (file) => <FileName file={file} isLoaded={states.has(file.name)} />,
        },
        {
          id: 'bytes',
          title: 'File',
          isNumber: true,
          sortBy: ({ bytes }) => bytes,
          cell: ({ bytes }) =>
            bytes === 0 ? <Badge color="red">missing</Badge> : <Bytes count={bytes} />,
        },
        {
          id: 'context',
          title: 'Trained context',
          isNumber: true,
          isMinor: true,
          cell: ({ head }) => <Tokens count={numberIn(head, 'contextSize')} />,
        },
        {
          id: 'memory',
          title: 'Memory, at least',
          isNumber: true,
          sortBy: leastBytes,
          cell: (file) => (
            <MemoryNeed file={file} isLoaded={states.has(file.name)} freeBytes={status.freeBytes} />
          ),
        },
        ...(mayChange
          ? [
              {
                id: 'change',
                title: 'Change',
                cell: (file: ModelFile) => <FileActions file={file} status={status} />,
              },
            ]
          : []),
      ]}
      empty={<Empty title="There are no model files.">Pull one to have it here.</Empty>}
    />
  )
}

const origins = {
  box: 'comes with Parley',
  folder: 'pulled',
  config: 'named by the config',
} as const

function FileName({ file, isLoaded }: { readonly file: ModelFile; readonly isLoaded: boolean }) {
  const { name, origin, head, manifest } = file
  const title = textIn(head, 'title')
  const source = textIn(manifest, 'source')
  return (
    <div className="engine-name">
      {name} {isLoaded && <Badge color="green">in memory</Badge>}
      <Text as="div" size="1" color="gray">
        {[title !== name && title, textIn(head, 'architecture'), source ?? origins[origin]]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </div>
  )
}

interface MemoryNeedProps {
  readonly file: ModelFile
  readonly isLoaded: boolean
  readonly freeBytes: number
}

function MemoryNeed({ file, isLoaded, freeBytes }: MemoryNeedProps) {
  const least = leastBytes(file)
  if (least === undefined || file.estimate === null) return <Nothing />
  const { contextSize, sequences } = file.estimate
  return (
    <span title={`${sequences} × ${contextSize.toLocaleString('en-US')} tokens of context`}>
      {bytesText(least)}{' '}
      {!isLoaded && least > freeBytes && <Badge color="red">more than is free</Badge>}
    </span>
  )
}

function textIn(value: Readonly<Record<string, unknown>> | null, name: string): string | undefined {
  const found = value?.[name]
  return typeof found === 'string' ? found : undefined
}

function numberIn(value: Readonly<Record<string, unknown>> | null, name: string): number | null {
  const found = value?.[name]
  return typeof found === 'number' ? found : null
}
