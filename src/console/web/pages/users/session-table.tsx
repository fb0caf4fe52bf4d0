import { Badge, Button } from '@radix-ui/themes'

import type { Answer } from '#console/web/api/contract.ts'
import { useMe } from '#console/web/api/me.ts'
import { Nothing } from '#console/web/parts/amounts.tsx'
import { type Column, DataTable } from '#console/web/parts/data-table.tsx'
import { Empty } from '#console/web/parts/empty.tsx'
import { When } from '#console/web/parts/when.tsx'

import { agentWords } from './agent-words.ts'

export type Session = Answer<'GET /api/me/sessions'>['sessions'][number]

export interface SessionTableProps {
  readonly sessions: readonly Session[]
  /** Whether they are of several users, whose names stand in a column then. */
  readonly isOfAll?: boolean
  readonly onEnd: (session: Session) => void
  /** The one that is being ended. */
  readonly busyId: string | undefined
}

/** Who is signed in, from where, and the way to end that. */
export function SessionTable({ sessions, isOfAll = false, onEnd, busyId }: SessionTableProps) {
  const { user } = useMe()
  const columns: readonly Column<Session>[] = [
    ...(isOfAll ? [userColumn] : []),
    {
      id: 'agent',
      title: 'Browser',
      cell: ({ id, agent }) => (
        <span title={agent ?? ''}>
          {agentWords(agent)} {id === user.sessionId && <Badge color="green">this one</Badge>}
        </span>
      ),
    },
    {
      id: 'address',
      title: 'From',
      cell: ({ address }) => address ?? <Nothing />,
      isMinor: true,
    },
    { id: 'seen', title: 'Last seen', cell: ({ seenAt }) => <When at={seenAt} as="ago" /> },
    {
      id: 'created',
      title: 'Signed in',
      cell: ({ createdAt }) => <When at={createdAt} />,
      isMinor: true,
    },
    {
      id: 'ends',
      title: 'Ends',
      cell: ({ endsAt }) => <When at={endsAt} as="ago" />,
      isMinor: true,
    },
    {
      id: 'end',
      title: 'Action',
      cell: (session) =>
        session.id !== user.sessionId && (
          <Button
            size="1"
            variant="soft"
            color="red"
            loading={session.id === busyId}
            aria-label={`End the session of ${agentWords(session.agent)} from ${session.address ?? 'an unknown address'}`}
            onClick={() => onEnd(session)}
          >
            End
          </Button>
        ),
    },
  ]
  return (
    <DataTable
      caption="Sessions"
      rows={sessions}
      idOf={({ id }) => id}
      columns={columns}
      empty={<Empty title="Nobody is signed in here." />}
    />
  )
}

const userColumn: Column<Session> = {
  id: 'user',
  title: 'User',
  cell: ({ userName }) => userName,
}
