import { Text } from '@radix-ui/themes'

import { useMe } from '#console/web/api/me.ts'
import { Page, Section } from '#console/web/parts/page.tsx'
import { ThemeToggle } from '#console/web/shell/theme-toggle.tsx'

import { ConfigInForce } from './settings/config-in-force.tsx'
import { OrganisationLimits } from './settings/organisation-limits.tsx'
import { OwnPassword } from './settings/own-password.tsx'
import { OwnSessions } from './settings/own-sessions.tsx'

/** One's own account, what everybody is held to, and the config that is in force. */
export function Settings() {
  const { user, may, seesAll } = useMe()
  return (
    <Page title="Settings" description={`Signed in as ${user.name}, ${user.role}.`}>
      <Section title="Appearance">
        <ThemeToggle />
        <Text as="p" size="1" color="gray" mt="1">
          Kept in this browser.
        </Text>
      </Section>
      <Section title="Your password">
        <OwnPassword />
      </Section>
      <Section title="Where you are signed in">
        <OwnSessions />
      </Section>
      {seesAll && <OrganisationLimits />}
      {may('admin') && seesAll && <ConfigInForce />}
    </Page>
  )
}
