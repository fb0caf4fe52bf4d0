import { Button } from '@radix-ui/themes'
import { useState } from 'react'
import { Link, useParams } from 'react-router'

import type { Answer, Key } from '#console/web/api/contract.ts'
import { useMe } from '#console/web/api/me.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { BudgetList } from '#console/web/pages/budgets/budget-list.tsx'
import { PolicyTable } from '#console/web/pages/policy/policy-table.tsx'
import { Answered } from '#console/web/parts/answered.tsx'
import { Facts } from '#console/web/parts/facts.tsx'
import { Page, Section } from '#console/web/parts/page.tsx'
import { SecretOnce } from '#console/web/parts/secret-once.tsx'
import { When } from '#console/web/parts/when.tsx'

import { KeyStatus } from './key-status.tsx'
import { RevokeKey } from './revoke-key.tsx'
import { RotateKey } from './rotate-key.tsx'

type KeyInFull = Answer<'GET /api/keys/{id}'>

/** One key: what may be known of it, what it may do and spend, and what can be done with it. */
export function KeyPage() {
  const { id = '' } = useParams()
  const query = useAsk('GET /api/keys/{id}', { params: { id } }, { refetchInterval: 15_000 })
  const [secret, setSecret] = useState<string>()
  const found = query.data?.key
  return (
    <Page
      title={found === undefined ? 'Key' : `Key ${found.name}`}
      {...(found !== undefined && { actions: <KeyActions known={found} onSecret={setSecret} /> })}
    >
      {secret !== undefined && found !== undefined && (
        <SecretOnce label={`The new text of the key “${found.name}”`} secret={secret} />
      )}
      <Answered query={query}>{(data) => <KeyInDetail data={data} />}</Answered>
    </Page>
  )
}

function KeyInDetail({ data: { key, parents, budgets } }: { readonly data: KeyInFull }) {
  const { may } = useMe()
  const isLiving = key.status !== 'revoked' && key.status !== 'archived'
  return (
    <>
      <KeyFacts known={key} />
      <BudgetList
        holder={`key:${key.id}`}
        called="This key"
        budgets={budgets}
        mayChange={may('operator') && isLiving}
      />
      <Section title="Limits">
        <PolicyTable
          holders={[
            { called: 'This key', policy: key.policy },
            { called: 'Its project', policy: parents.project },
            { called: 'Organisation', policy: parents.organisation },
          ]}
        />
      </Section>
    </>
  )
}

function KeyFacts({ known }: { readonly known: Key }) {
  const { may } = useMe()
  const { id, status, projectId, projectName, owner } = known
  const { createdAt, lastUsedAt, notBefore, expiresAt, revokedAt, formerUntil } = known
  const when = (at: number | undefined) => at !== undefined && <When at={at} />
  return (
    <Facts
      facts={[
        ['Status', <KeyStatus key="status" status={status} />],
        [
          'Project',
          <Link key="project" to={`/projects/${projectId}`}>
            {projectName}
          </Link>,
        ],
        ['Owner', owner],
        ['Last used', lastUsedAt === undefined ? 'never' : <When at={lastUsedAt} as="ago" />],
        ['Created', <When key="created" at={createdAt} />],
        ['Valid from', when(notBefore) || undefined],
        ['Valid until', when(expiresAt) || (revokedAt === undefined ? 'it is revoked' : undefined)],
        ['Revoked', when(revokedAt) || undefined],
        ['Former text valid until', when(formerUntil) || undefined],
        ['Id', <code key="id">{id}</code>],
        [
          'Look at',
          <span key="look">
            <Link to={`/usage?keyId=${id}`}>its usage</Link>,{' '}
            <Link to={`/exchanges?keyId=${id}`}>its exchanges</Link>
            {may('admin') && (
              <>
                , <Link to={`/audit?object=key:${id}`}>its history</Link>
              </>
            )}
          </span>,
        ],
      ]}
    />
  )
}

interface KeyActionsProps {
  readonly known: Key
  readonly onSecret: (secret: string) => void
}

/** What whoever may change keys can do with this one, as far as it is not over. */
function KeyActions({ known: { id, name, status }, onSecret }: KeyActionsProps) {
  const { may } = useMe()
  const [asked, setAsked] = useState<'rotate' | 'revoke'>()
  if (!may('operator') || status === 'revoked') return null
  const close = (): void => setAsked(undefined)
  const mayRotate = status === 'active' || status === 'early'
  return (
    <>
      {status !== 'archived' && (
        <Button asChild variant="soft">
          <Link to={`/keys/${id}/edit`}>Change</Link>
        </Button>
      )}
      {mayRotate && (
        <Button variant="soft" onClick={() => setAsked('rotate')}>
          Rotate
        </Button>
      )}
      <Button variant="soft" color="red" onClick={() => setAsked('revoke')}>
        Revoke
      </Button>
      {asked === 'rotate' && <RotateKey id={id} name={name} onSecret={onSecret} onClose={close} />}
      {asked === 'revoke' && <RevokeKey id={id} name={name} onClose={close} />}
    </>
  )
}
