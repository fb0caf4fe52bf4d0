import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'

import type { Project } from '#console/web/api/contract.ts'
import { useAsk, useChange } from '#console/web/api/use-ask.ts'
import { AnsweredAfresh } from '#console/web/parts/answered-afresh.tsx'
import { Page } from '#console/web/parts/page.tsx'
import { useForm } from '#console/web/parts/use-form.ts'

import { fieldsOfHolder, isHolderField, readHolderChange } from './holder-fields.ts'
import { HolderForm } from './holder-form.tsx'

/** Changes the name and the limits of a project. */
export function EditProject() {
  const { id = '' } = useParams()
  const query = useAsk('GET /api/projects/{id}', { params: { id } })
  const name = query.data?.project.name
  return (
    <Page
      title={name === undefined ? 'Change a project' : `Change the project ${name}`}
      description="In force within a second, for all of its keys."
    >
      <AnsweredAfresh query={query}>
        {({ project }) => <EditProjectForm project={project} />}
      </AnsweredAfresh>
    </Page>
  )
}

function EditProjectForm({ project: found }: { readonly project: Project }) {
  // Only what is typed here is sent: what somebody else changes meanwhile stays as they want it.
  const [project] = useState(found)
  const navigate = useNavigate()
  const form = useForm({
    initial: fieldsOfHolder(project),
    isField: isHolderField,
    keepsDraft: true,
  })
  const organisation = useAsk('GET /api/organisation').data?.organisation
  const update = useChange('PATCH /api/projects/{id}', [
    'GET /api/projects',
    'GET /api/projects/{id}',
    'GET /api/keys',
    'GET /api/keys/{id}',
  ])
  const back = `/projects/${project.id}`
  const save = async (): Promise<void> => {
    const read = readHolderChange(project, form.fields)
    if (read.type === 'problems') return form.tell(read.problems)
    const { body } = read
    const saved = await form.save(() => update.mutateAsync({ params: { id: project.id }, body }))
    if (saved !== undefined) await navigate(back, { state: { narrowed: saved.narrowed } })
  }
  return (
    <HolderForm
      form={form}
      parents={
        organisation === undefined
          ? []
          : [{ called: 'The organisation', policy: organisation.policy }]
      }
      action="Save"
      isChange
      onSave={save}
      onCancel={() => void navigate(back)}
    />
  )
}
