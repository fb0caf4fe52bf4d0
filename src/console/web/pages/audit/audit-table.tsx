import { Badge } from '@radix-ui/themes'
import type { ReactNode } from 'react'

import type { Answer } from '#console/web/api/contract.ts'
import { Nothing } from '#console/web/parts/amounts.tsx'
import { type Column, DataTable } from '#console/web/parts/data-table.tsx'
import { When } from '#console/web/parts/when.tsx'

import { AuditDetails } from './audit-details.tsx'
import { AuditObject } from './audit-object.tsx'

export type AuditRow = Answer<'GET /api/audit'>['rows'][number]

export interface AuditTableProps {
  readonly rows: readonly AuditRow[]
  readonly empty: ReactNode
}

/** Rows of the log, the newest first. */
export function AuditTable({ rows, empty }: AuditTableProps) {
  return (
    <DataTable
      caption="Audit log"
      rows={rows}
      idOf={({ seq }) => String(seq)}
      columns={columns}
      empty={empty}
    />
  )
}

const columns: readonly Column<AuditRow>[] = [
  {
    id: 'at',
    title: 'When',
    cell: ({ at }) => (
      <span className="audit-when">
        <When at={at} />
      </span>
    ),
  },
  { id: 'who', title: 'Who', cell: ({ actorName }) => actorName },
  {
    id: 'what',
    title: 'What',
    cell: (row) => (
      <div className="audit-what">
        <span className="audit-action">
          <Badge color={row.action.endsWith('-refused') ? 'red' : 'gray'}>{row.action}</Badge>
        </span>
        <AuditDetails row={row} />
      </div>
    ),
  },
  {
    id: 'object',
    title: 'Object',
    cell: ({ object }) => <AuditObject object={object} />,
    isMinor: true,
  },
  {
    id: 'address',
    title: 'From',
    cell: ({ address }) => address ?? <Nothing />,
    isMinor: true,
  },
]
