import { Badge, Button } from '@radix-ui/themes'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'

import { useMe } from '#console/web/api/me.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { Answered } from '#console/web/parts/answered.tsx'
import { Facts } from '#console/web/parts/facts.tsx'
import { Page, Section } from '#console/web/parts/page.tsx'
import { When } from '#console/web/parts/when.tsx'

import { EverySession } from './every-session.tsx'
import { RemoveUser } from './remove-user.tsx'
import { ResetPassword } from './reset-password.tsx'
import type { User } from './user-fields.ts'

/** One user: what they may do, where they are signed in, and what can be done about it. */
export function UserPage() {
  const { id = '' } = useParams()
  const query = useAsk('GET /api/users/{id}', { params: { id } })
  const found = query.data?.user
  return (
    <Page
      title={found === undefined ? 'User' : `User ${found.name}`}
      {...(found !== undefined && { actions: <UserActions user={found} /> })}
    >
      <Answered query={query}>
        {({ user }) => (
          <>
            <UserFacts user={user} />
            <Section title="Sessions">
              <EverySession userId={user.id} />
            </Section>
          </>
        )}
      </Answered>
    </Page>
  )
}

function UserFacts({
  user: { id, role, projects, createdAt, disabledAt },
}: {
  readonly user: User
}) {
  const all = useAsk('GET /api/projects').data?.projects ?? []
  const nameOf = (projectId: string) => all.find((one) => one.id === projectId)?.name ?? projectId
  const bound = projects?.map((projectId) => (
    <span key={projectId}>
      <Link to={`/projects/${projectId}`}>{nameOf(projectId)}</Link>{' '}
    </span>
  ))
  return (
    <Facts
      facts={[
        ['Role', role],
        ['Projects', bound === undefined ? 'all' : bound.length === 0 ? 'none' : bound],
        [
          'Status',
          disabledAt === null ? (
            <Badge key="on" color="green">
              may sign in
            </Badge>
          ) : (
            <Badge key="off" color="gray">
              disabled
            </Badge>
          ),
        ],
        ['Disabled', disabledAt === null ? undefined : <When at={disabledAt} />],
        ['Created', <When key="created" at={createdAt} />],
        ['Id', <code key="id">{id}</code>],
        [
          'Look at',
          <Link key="audit" to={`/audit?actor=${id}`}>
            what they did
          </Link>,
        ],
      ]}
    />
  )
}

function UserActions({ user }: { readonly user: User }) {
  const navigate = useNavigate()
  const { user: me } = useMe()
  const [asked, setAsked] = useState<'password' | 'remove'>()
  const close = (): void => setAsked(undefined)
  const isSelf = me.userId === user.id
  return (
    <>
      <Button asChild variant="soft">
        <Link to={`/users/${user.id}/edit`}>Change</Link>
      </Button>
      {isSelf ? (
        <Button asChild variant="soft">
          <Link to="/settings">Your password</Link>
        </Button>
      ) : (
        <>
          <Button variant="soft" onClick={() => setAsked('password')}>
            Reset password
          </Button>
          <Button variant="soft" color="red" onClick={() => setAsked('remove')}>
            Remove
          </Button>
        </>
      )}
      {asked === 'password' && <ResetPassword user={user} onClose={close} />}
      {asked === 'remove' && (
        <RemoveUser user={user} onRemoved={() => void navigate('/users')} onClose={close} />
      )}
    </>
  )
}
