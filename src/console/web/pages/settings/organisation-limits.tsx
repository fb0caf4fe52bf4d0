import { Button } from '@radix-ui/themes'
import { Link } from 'react-router'

import { useMe } from '#console/web/api/me.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { PolicyTable } from '#console/web/pages/policy/policy-table.tsx'
import { Answered } from '#console/web/parts/answered.tsx'
import { Section } from '#console/web/parts/page.tsx'

/** What every project and key is held to, and the way to change it. */
export function OrganisationLimits() {
  const { may } = useMe()
  const query = useAsk('GET /api/organisation')
  return (
    <Section
      title="What everybody is held to"
      actions={
        <Button asChild size="1" variant="soft">
          <Link to={may('admin') ? '/organisation/edit' : '/organisation'}>
            {may('admin') ? 'Change the organisation' : 'Organisation'}
          </Link>
        </Button>
      }
    >
      <Answered query={query}>
        {({ organisation: { name, policy } }) => (
          <PolicyTable holders={[{ called: name, policy }]} />
        )}
      </Answered>
    </Section>
  )
}
