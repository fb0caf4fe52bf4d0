import { PlusIcon } from '@radix-ui/react-icons'
import { Badge, Button } from '@radix-ui/themes'
import { Link } from 'react-router'

import { useMe } from '#console/web/api/me.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { Answered } from '#console/web/parts/answered.tsx'
import { type Column, DataTable } from '#console/web/parts/data-table.tsx'
import { Page, Section } from '#console/web/parts/page.tsx'
import { When } from '#console/web/parts/when.tsx'

import { EverySession } from './users/every-session.tsx'
import type { User } from './users/user-fields.ts'

/** Those who administer, and who of them is signed in. */
export function Users() {
  const query = useAsk('GET /api/users')
  const { user: me } = useMe()
  return (
    <Page
      title="Users"
      description="Those who administer here. Whoever only calls models needs a key, and no account."
      actions={
        <Button asChild>
          <Link to="/users/new">
            <PlusIcon aria-hidden="true" /> New user
          </Link>
        </Button>
      }
    >
      <Answered query={query}>
        {({ users }) => (
          <DataTable
            caption="Users"
            rows={users}
            idOf={({ id }) => id}
            columns={columnsFor(me.userId)}
          />
        )}
      </Answered>
      <Section title="Who is signed in">
        <EverySession />
      </Section>
    </Page>
  )
}

function columnsFor(ownId: string): readonly Column<User>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      cell: ({ id, name }) => (
        <>
          <Link to={`/users/${id}`}>{name}</Link> {id === ownId && <Badge color="green">you</Badge>}
        </>
      ),
      sortBy: ({ name }) => name,
    },
    { id: 'role', title: 'Role', cell: ({ role }) => role, sortBy: ({ role }) => role },
    {
      id: 'projects',
      title: 'Projects',
      cell: ({ projects }) => projectWords(projects),
      isMinor: true,
    },
    {
      id: 'status',
      title: 'Status',
      cell: ({ disabledAt }) =>
        disabledAt === null ? (
          <Badge color="green">may sign in</Badge>
        ) : (
          <Badge color="gray">disabled</Badge>
        ),
    },
    {
      id: 'created',
      title: 'Created',
      cell: ({ createdAt }) => <When at={createdAt} as="date" />,
      isMinor: true,
    },
  ]
}

function projectWords(projects: readonly string[] | null): string {
  if (projects === null) return 'all'
  if (projects.length === 0) return 'none'
  return projects.length === 1 ? 'bound to 1' : `bound to ${projects.length}`
}
