import { Button, Flex } from '@radix-ui/themes'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'

import type { Answer, Project } from '#console/web/api/contract.ts'
import { useMe } from '#console/web/api/me.ts'
import { useAsk, useChange } from '#console/web/api/use-ask.ts'
import type { PolicyOf } from '#console/web/pages/policy/policy-table.tsx'
import { Answered } from '#console/web/parts/answered.tsx'
import { Empty } from '#console/web/parts/empty.tsx'
import { FormFrame } from '#console/web/parts/form-frame.tsx'
import { Page } from '#console/web/parts/page.tsx'
import { SecretOnce } from '#console/web/parts/secret-once.tsx'
import { useForm } from '#console/web/parts/use-form.ts'

import { isKeyField, newKeyFields, readKeyOrder } from './key-fields.ts'
import { KeyForm } from './key-form.tsx'

type Made = Answer<'POST /api/keys'> & { readonly name: string }

/** Makes a key, and shows its text this once. */
export function NewKey() {
  const projects = useAsk('GET /api/projects')
  const [made, setMade] = useState<Made>()
  if (made !== undefined) return <MadeKey made={made} onAnother={() => setMade(undefined)} />
  return (
    <Page title="New key" description="Its text is shown once, after it is made.">
      <Answered query={projects}>
        {({ projects: all }) => <NewKeyForm projects={all} onMade={setMade} />}
      </Answered>
    </Page>
  )
}

interface NewKeyFormProps {
  readonly projects: readonly Project[]
  readonly onMade: (made: Made) => void
}

function NewKeyForm({ projects, onMade }: NewKeyFormProps) {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const open = projects.filter(({ archivedAt }) => archivedAt === undefined)
  const wished = open.find(({ id }) => id === params.get('projectId'))
  const usual = wished ?? open.find(({ id }) => id === 'default') ?? open[0]
  const form = useForm({
    initial: newKeyFields(usual?.id ?? ''),
    isField: isKeyField,
    keepsDraft: true,
  })
  const create = useChange('POST /api/keys', ['GET /api/keys', 'GET /api/projects'])
  const parents = useParents(open.find(({ id }) => id === form.fields.projectId))
  if (usual === undefined)
    return (
      <Empty title="There is no project that a key could belong to.">
        Ask an administrator to bind your account to one.
      </Empty>
    )
  const save = async (): Promise<void> => {
    const read = readKeyOrder(form.fields)
    if (read.type === 'problems') return form.tell(read.problems)
    const made = await form.save(() => create.mutateAsync({ body: read.body }))
    if (made !== undefined) onMade({ ...made, name: read.body.name })
  }
  return (
    <FormFrame
      form={form}
      action="Create key"
      onSave={save}
      onCancel={() => void navigate('/keys')}
    >
      <KeyForm form={form} parents={parents} projects={open} />
    </FormFrame>
  )
}

/** Whose limits hold besides. Whoever is bound to projects is not told of the organisation's. */
function useParents(project: Project | undefined): readonly PolicyOf[] {
  const { seesAll } = useMe()
  const organisation = useAsk('GET /api/organisation', {}, { enabled: seesAll }).data?.organisation
  return [
    ...(project === undefined
      ? []
      : [{ called: `The project ${project.name}`, policy: project.policy }]),
    ...(organisation === undefined
      ? []
      : [{ called: 'The organisation', policy: organisation.policy }]),
  ]
}

interface MadeKeyProps {
  readonly made: Made
  readonly onAnother: () => void
}

function MadeKey({ made: { id, key, name }, onAnother }: MadeKeyProps) {
  return (
    <Page title="The key is made" description="It can be used at once, unless it begins later.">
      <SecretOnce label={`The text of the key “${name}”`} secret={key} />
      <Flex gap="3" wrap="wrap">
        <Button asChild>
          <Link to={`/keys/${id}`}>I have kept it: show the key</Link>
        </Button>
        <Button variant="soft" color="gray" onClick={onAnother}>
          Make another
        </Button>
      </Flex>
    </Page>
  )
}
