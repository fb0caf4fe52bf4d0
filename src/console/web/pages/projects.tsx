import { PlusIcon } from '@radix-ui/react-icons'
import { Badge, Button } from '@radix-ui/themes'
import { Link } from 'react-router'

import type { Project } from '#console/web/api/contract.ts'
import { useMe } from '#console/web/api/me.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { Money, Tokens } from '#console/web/parts/amounts.tsx'
import { Answered } from '#console/web/parts/answered.tsx'
import { type Column, DataTable } from '#console/web/parts/data-table.tsx'
import { Empty } from '#console/web/parts/empty.tsx'
import { Page } from '#console/web/parts/page.tsx'
import { When } from '#console/web/parts/when.tsx'

/** What keys belong to, and the way to what all of them are held to. */
export function Projects() {
  const { may, seesAll } = useMe()
  const query = useAsk('GET /api/projects')
  const spent = useSpent()
  const isMaker = may('operator') && seesAll
  const newProject = (
    <Button asChild>
      <Link to="/projects/new">
        <PlusIcon aria-hidden="true" /> New project
      </Link>
    </Button>
  )
  return (
    <Page
      title="Projects"
      description="What keys belong to, with limits and budgets for all of them together."
      actions={
        <>
          {seesAll && (
            <Button asChild variant="soft">
              <Link to="/organisation">Organisation</Link>
            </Button>
          )}
          {isMaker && newProject}
        </>
      }
    >
      <Answered query={query}>
        {({ projects }) => (
          <DataTable
            caption="Projects"
            rows={projects}
            idOf={({ id }) => id}
            columns={columnsWith(spent)}
            empty={
              <Empty title="There is no project that you see.">
                An administrator can bind your account to one.
              </Empty>
            }
          />
        )}
      </Answered>
    </Page>
  )
}

/** What each project was charged in the last 30 days. Undefined until that is known. */
function useSpent(): ReadonlyMap<string, number> | undefined {
  const { data } = useAsk('GET /api/usage', { query: { by: 'project' } })
  return data && new Map(data.usage.map(({ projectId = '', cost }) => [projectId, cost]))
}

function columnsWith(spent: ReadonlyMap<string, number> | undefined): readonly Column<Project>[] {
  const spentBy = ({ id }: Project) => spent && (spent.get(id) ?? 0)
  return [
    {
      id: 'name',
      title: 'Name',
      cell: ({ id, name }) => <Link to={`/projects/${id}`}>{name}</Link>,
      sortBy: ({ name }) => name,
    },
    {
      id: 'status',
      title: 'Status',
      cell: ({ archivedAt }) =>
        archivedAt === undefined ? (
          <Badge color="green">open</Badge>
        ) : (
          <Badge color="gray">archived</Badge>
        ),
    },
    {
      id: 'keys',
      title: 'Keys',
      cell: ({ keys }) => <Tokens count={keys} />,
      sortBy: ({ keys }) => keys,
      isNumber: true,
    },
    {
      id: 'spent',
      title: 'Last 30 days',
      cell: (project) => <Money micro={spentBy(project)} />,
      sortBy: spentBy,
      isNumber: true,
    },
    {
      id: 'created',
      title: 'Created',
      // The default project has been there since before there was a clock to say when.
      cell: ({ createdAt }) => <When at={createdAt === 0 ? undefined : createdAt} as="date" />,
      isMinor: true,
    },
  ]
}
