import { Button } from '@radix-ui/themes'
import { Link } from 'react-router'

import { useMe } from '#console/web/api/me.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { BudgetList } from '#console/web/pages/budgets/budget-list.tsx'
import { PolicyTable } from '#console/web/pages/policy/policy-table.tsx'
import { Answered } from '#console/web/parts/answered.tsx'
import { Page, Section } from '#console/web/parts/page.tsx'

import { NarrowedNote } from './narrowed.tsx'

/** What every project and key is held to. */
export function OrganisationPage() {
  const { may } = useMe()
  const query = useAsk('GET /api/organisation', {}, { refetchInterval: 15_000 })
  return (
    <Page
      title="Organisation"
      description="Its limits and budgets hold for every project and key, whatever those say."
      actions={
        <>
          {may('admin') && (
            <Button asChild variant="soft">
              <Link to="/organisation/edit">Change</Link>
            </Button>
          )}
          <Button asChild variant="soft" color="gray">
            <Link to="/projects">Projects</Link>
          </Button>
        </>
      }
    >
      <NarrowedNote />
      <Answered query={query}>
        {({ organisation, budgets }) => (
          <>
            <BudgetList
              holder="org"
              called="The organisation"
              budgets={budgets}
              mayChange={may('operator')}
            />
            <Section title="Limits">
              <PolicyTable holders={[{ called: organisation.name, policy: organisation.policy }]} />
            </Section>
          </>
        )}
      </Answered>
    </Page>
  )
}
