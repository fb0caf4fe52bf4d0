import { Badge, Button } from '@radix-ui/themes'
import { useState } from 'react'
import { Link, useParams } from 'react-router'

import type { Answer, Project } from '#console/web/api/contract.ts'
import { useMe } from '#console/web/api/me.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { BudgetList } from '#console/web/pages/budgets/budget-list.tsx'
import { PolicyTable } from '#console/web/pages/policy/policy-table.tsx'
import { Answered } from '#console/web/parts/answered.tsx'
import { Facts } from '#console/web/parts/facts.tsx'
import { Page, Section } from '#console/web/parts/page.tsx'
import { When } from '#console/web/parts/when.tsx'

import { ArchiveProject } from './archive-project.tsx'
import { NarrowedNote } from './narrowed.tsx'
import { ProjectKeys } from './project-keys.tsx'

/** One project: what it is held to, what it spends, whose keys it has. */
export function ProjectPage() {
  const { id = '' } = useParams()
  const query = useAsk('GET /api/projects/{id}', { params: { id } }, { refetchInterval: 15_000 })
  const found = query.data?.project
  return (
    <Page
      title={found === undefined ? 'Project' : `Project ${found.name}`}
      {...(found !== undefined && { actions: <ProjectActions project={found} /> })}
    >
      <NarrowedNote />
      <Answered query={query}>{(data) => <ProjectInDetail data={data} />}</Answered>
    </Page>
  )
}

function ProjectInDetail({ data }: { readonly data: Answer<'GET /api/projects/{id}'> }) {
  const { project, budgets } = data
  const { may, seesAll } = useMe()
  const organisation = useAsk('GET /api/organisation', {}, { enabled: seesAll }).data?.organisation
  const isOpen = project.archivedAt === undefined
  return (
    <>
      <ProjectFacts project={project} />
      <BudgetList
        holder={`project:${project.id}`}
        called="This project"
        budgets={budgets}
        mayChange={may('operator') && seesAll && isOpen}
      />
      <Section title="Limits">
        <PolicyTable
          holders={[
            { called: 'This project', policy: project.policy },
            ...(organisation === undefined
              ? []
              : [{ called: 'Organisation', policy: organisation.policy }]),
          ]}
        />
      </Section>
      <ProjectKeys project={project} />
    </>
  )
}

function ProjectFacts({ project }: { readonly project: Project }) {
  const { may } = useMe()
  const { id, archivedAt, createdAt, keys } = project
  return (
    <Facts
      facts={[
        [
          'Status',
          archivedAt === undefined ? (
            <Badge key="open" color="green">
              open
            </Badge>
          ) : (
            <Badge key="archived" color="gray">
              archived
            </Badge>
          ),
        ],
        ['Archived', archivedAt === undefined ? undefined : <When at={archivedAt} />],
        ['Created', createdAt === 0 ? undefined : <When at={createdAt} />],
        ['Keys that are not revoked', keys],
        ['Id', <code key="id">{id}</code>],
        [
          'Look at',
          <span key="look">
            <Link to={`/usage?projectId=${id}`}>its usage</Link>,{' '}
            <Link to={`/exchanges?projectId=${id}`}>its exchanges</Link>
            {may('admin') && (
              <>
                , <Link to={`/audit?object=project:${id}`}>its history</Link>
              </>
            )}
          </span>,
        ],
      ]}
    />
  )
}

/** Keys of which nobody says otherwise belong to it, and so it stays. */
const defaultProject = 'default'

function ProjectActions({ project }: { readonly project: Project }) {
  const { id, archivedAt } = project
  const { may, seesAll } = useMe()
  const [isAsked, setAsked] = useState(false)
  if (!may('operator') || !seesAll || archivedAt !== undefined) return null
  return (
    <>
      <Button asChild variant="soft">
        <Link to={`/projects/${id}/edit`}>Change</Link>
      </Button>
      {may('admin') && id !== defaultProject && (
        <Button variant="soft" color="red" onClick={() => setAsked(true)}>
          Archive
        </Button>
      )}
      {isAsked && <ArchiveProject project={project} onClose={() => setAsked(false)} />}
    </>
  )
}
