import type { ReactNode } from 'react'
import { Link } from 'react-router'

import type { Key } from '#console/web/api/contract.ts'
import { Nothing } from '#console/web/parts/amounts.tsx'
import { type Column, DataTable } from '#console/web/parts/data-table.tsx'
import { When } from '#console/web/parts/when.tsx'

import { KeyStatus } from './key-status.tsx'

export interface KeyTableProps {
  readonly keys: readonly Key[]
  readonly empty: ReactNode
  /** Where all of them are of one project, its name need not stand in each row. */
  readonly isOfOneProject?: boolean
}

/** Keys, the newest first. */
export function KeyTable({ keys, empty, isOfOneProject = false }: KeyTableProps) {
  return (
    <DataTable
      caption="Keys"
      rows={keys}
      idOf={({ id }) => id}
      columns={isOfOneProject ? columns.filter(({ id }) => id !== 'project') : columns}
      empty={empty}
    />
  )
}

const columns: readonly Column<Key>[] = [
  { id: 'name', title: 'Name', cell: ({ id, name }) => <Link to={`/keys/${id}`}>{name}</Link> },
  { id: 'status', title: 'Status', cell: ({ status }) => <KeyStatus status={status} /> },
  {
    id: 'project',
    title: 'Project',
    cell: ({ projectName }) => <span className="limit-text">{projectName}</span>,
    isMinor: true,
  },
  {
    id: 'owner',
    title: 'Owner',
    cell: ({ owner }) =>
      owner === undefined ? <Nothing /> : <span className="limit-text">{owner}</span>,
  },
  {
    id: 'used',
    title: 'Last used',
    cell: ({ lastUsedAt }) => <When at={lastUsedAt} as="ago" />,
  },
  {
    id: 'expires',
    title: 'Expires',
    cell: ({ expiresAt }) => <When at={expiresAt} as="ago" />,
    isMinor: true,
  },
  {
    id: 'created',
    title: 'Created',
    cell: ({ createdAt }) => <When at={createdAt} as="date" />,
    isMinor: true,
  },
]
