import { Badge, Text } from '@radix-ui/themes'
import type { ReactNode } from 'react'

import type { Model } from '#console/web/api/contract.ts'
import { Took, Tokens } from '#console/web/parts/amounts.tsx'
import type { Column } from '#console/web/parts/data-table.tsx'

import { HealthBadge } from './health-badge.tsx'
import { PriceWords } from './price-words.tsx'
import type { TargetState } from './target-state.ts'

type Target = Model['targets'][number]

/** What is told of a model: its name, then what is told of each of its targets, one below the other. */
export function modelColumns(states: ReadonlyMap<string, TargetState>): readonly Column<Model>[] {
  return [
    {
      id: 'id',
      title: 'Model',
      sortBy: ({ id }) => id,
      cell: (model) => <ModelName model={model} />,
    },
    {
      id: 'targets',
      title: 'Answered by',
      cell: (model) => ofTargets(model, (target) => <TargetName model={model} target={target} />),
    },
    {
      id: 'health',
      title: 'Health',
      cell: (model) => ofTargets(model, ({ target }) => <HealthBadge state={states.get(target)} />),
    },
    {
      id: 'latency',
      title: 'First words',
      isMinor: true,
      isNumber: true,
      cell: (model) =>
        ofTargets(model, ({ target }) => <Took ms={states.get(target)?.latencyMs} />),
    },
    {
      id: 'price',
      title: 'Price per million tokens',
      cell: (model) =>
        ofTargets(model, ({ target, price }) => (
          <PriceWords price={price} isEngine={target.startsWith('engine/')} />
        )),
    },
    {
      id: 'context',
      title: 'Context',
      isMinor: true,
      isNumber: true,
      sortBy: ({ maxInput }) => maxInput,
      cell: ({ maxInput }) => <Tokens count={maxInput} />,
    },
  ]
}

function ModelName({ model: { id, strategy } }: { readonly model: Model }) {
  return (
    <div className="models-name">
      {id}
      {strategy !== null && (
        <Text as="div" size="1" color="gray">
          {strategy}
        </Text>
      )}
    </div>
  )
}

function TargetName({ model, target }: { readonly model: Model; readonly target: Target }) {
  const { target: name, weight, isRescue } = target
  return (
    <>
      {name}
      {model.strategy === 'weighted' && !isRescue && <Badge color="gray">× {weight}</Badge>}
      {isRescue && <Badge color="gray">rescue</Badge>}
    </>
  )
}

/** One line for each target, so that the cells of a row stand in line. */
function ofTargets({ targets }: Model, cell: (target: Target) => ReactNode): ReactNode {
  return (
    <ul className="models-targets">
      {targets.map((target) => (
        <li key={`${target.target} ${target.isRescue}`}>{cell(target)}</li>
      ))}
    </ul>
  )
}
