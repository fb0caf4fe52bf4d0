import { Text } from '@radix-ui/themes'

import type { Model } from '#console/web/api/contract.ts'
import { DataTable } from '#console/web/parts/data-table.tsx'
import { Empty } from '#console/web/parts/empty.tsx'

import { modelColumns } from './model-columns.tsx'
import type { TargetState } from './target-state.ts'

export interface ModelTableProps {
  readonly models: readonly Model[]
  readonly states: ReadonlyMap<string, TargetState>
  /** What is looked for, or empty. */
  readonly search: string
}

/** So many models are drawn; whoever looks for another one searches. */
const mostShown = 200

/** What callers may ask for, who answers, how that fares and what it costs. */
export function ModelTable({ models, states, search }: ModelTableProps) {
  const fitting = models.filter((model) => fits(model, search.toLowerCase()))
  const rows = fitting.slice(0, mostShown)
  return (
    <>
      {fitting.length > rows.length && (
        <Text as="p" size="2" color="gray" mb="2">
          {rows.length} of {fitting.length} are shown. Search for the others.
        </Text>
      )}
      <DataTable
        caption="Models"
        rows={rows}
        idOf={({ id }) => id}
        columns={modelColumns(states)}
        empty={
          search === '' ? (
            <Empty title="There are no models yet.">
              Add an upstream below, or pull a model for the engine.
            </Empty>
          ) : (
            <Empty title="No model is called like this.">
              Search for another part of its name, or of the name of its target.
            </Empty>
          )
        }
      />
    </>
  )
}

function fits({ id, targets }: Model, part: string): boolean {
  return [id, ...targets.map(({ target }) => target)].some((text) =>
    text.toLowerCase().includes(part),
  )
}
