import { Badge, Text } from '@radix-ui/themes'

import { Bytes, Nothing, Tokens } from '#console/web/parts/amounts.tsx'
import { type Column, DataTable } from '#console/web/parts/data-table.tsx'
import { Empty } from '#console/web/parts/empty.tsx'

import type { EngineStatus, LoadedModel } from './engine-model.ts'
import { UnloadButton } from './unload-button.tsx'

export interface LoadedModelsProps {
  readonly status: EngineStatus
  readonly mayChange: boolean
}

/** The models in memory, who works with them and who waits. */
export function LoadedModels({ status, mayChange }: LoadedModelsProps) {
  return (
    <DataTable
      caption="Models in memory"
      rows={status.models}
      idOf={({ name }) => name}
      columns={mayChange ? [...columns(status), change] : columns(status)}
      empty={
        <Empty title="No model is in memory.">
          One is loaded when somebody asks for it, and let go when nobody has for a while.
        </Empty>
      }
    />
  )
}

function columns({ queueLimit }: EngineStatus): readonly Column<LoadedModel>[] {
  return [
    { id: 'name', title: 'Model', cell: (model) => <ModelName model={model} /> },
    { id: 'working', title: 'Answers at once', cell: (model) => <Sequences model={model} /> },
    {
      id: 'waiting',
      title: 'Waiting',
      isNumber: true,
      cell: ({ waiting }) => `${waiting} of ${queueLimit}`,
    },
    {
      id: 'context',
      title: 'Context of each',
      isNumber: true,
      isMinor: true,
      cell: ({ facts }) => <Tokens count={facts?.contextSize} />,
    },
    {
      id: 'memory',
      title: 'Memory',
      isNumber: true,
      cell: ({ facts }) => <Bytes count={facts?.memoryBytes} />,
    },
  ]
}

const change: Column<LoadedModel> = {
  id: 'unload',
  title: 'Change',
  cell: (model) => <UnloadButton model={model} />,
}

function ModelName({ model: { name, state, facts } }: { readonly model: LoadedModel }) {
  return (
    <>
      {name} {state === 'loading' && <Badge color="amber">loading</Badge>}
      {facts !== undefined && (
        <Text as="div" size="1" color="gray">
          {facts.kind === 'chat' ? 'answers chats' : 'embeds texts'}
        </Text>
      )}
    </>
  )
}

/** As many boxes as answers may be given at once, and those full that are. */
function Sequences({ model: { working, facts } }: { readonly model: LoadedModel }) {
  if (facts === undefined) return <Nothing />
  const { sequences } = facts
  return (
    <span className="engine-sequences">
      {sequences <= mostBoxes &&
        Array.from({ length: sequences }, (_, at) => (
          <span key={at} aria-hidden="true" className={at < working ? 'engine-busy' : ''} />
        ))}
      <span className="number">
        {working} of {sequences}
      </span>
    </span>
  )
}

const mostBoxes = 16
