import { PlusIcon } from '@radix-ui/react-icons'
import { Button } from '@radix-ui/themes'
import { Link } from 'react-router'

import type { Project } from '#console/web/api/contract.ts'
import { useMe } from '#console/web/api/me.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { KeyTable } from '#console/web/pages/keys/key-table.tsx'
import { Answered } from '#console/web/parts/answered.tsx'
import { Empty } from '#console/web/parts/empty.tsx'
import { Section } from '#console/web/parts/page.tsx'

/** The newest keys of a project, and the way to all of them. */
export function ProjectKeys({ project: { id, archivedAt } }: { readonly project: Project }) {
  const { may } = useMe()
  const query = useAsk('GET /api/keys', { query: { projectId: id, limit: 10 } })
  const newKey = may('operator') && archivedAt === undefined && (
    <Button asChild size="1" variant="soft">
      <Link to={`/keys/new?projectId=${id}`}>
        <PlusIcon aria-hidden="true" /> New key
      </Link>
    </Button>
  )
  return (
    <Section title="Keys" actions={newKey}>
      <Answered query={query}>
        {({ keys, next }) => (
          <>
            <KeyTable
              keys={keys}
              isOfOneProject
              empty={<Empty title="This project has no keys." next={newKey || undefined} />}
            />
            {next !== null && (
              <p className="list-note">
                These are the newest. <Link to={`/keys?projectId=${id}`}>Show all of its keys</Link>
              </p>
            )}
          </>
        )}
      </Answered>
    </Section>
  )
}
