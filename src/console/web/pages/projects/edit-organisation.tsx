import { useState } from 'react'
import { useNavigate } from 'react-router'

import type { Answer } from '#console/web/api/contract.ts'
import { useAsk, useChange } from '#console/web/api/use-ask.ts'
import { AnsweredAfresh } from '#console/web/parts/answered-afresh.tsx'
import { Page } from '#console/web/parts/page.tsx'
import { useForm } from '#console/web/parts/use-form.ts'

import { fieldsOfHolder, isHolderField, readHolderChange } from './holder-fields.ts'
import { HolderForm } from './holder-form.tsx'

/** Changes the name and the limits of the organisation. */
export function EditOrganisation() {
  const query = useAsk('GET /api/organisation')
  return (
    <Page
      title="Change the organisation"
      description="In force within a second, for every project and key."
    >
      <AnsweredAfresh query={query}>
        {({ organisation }) => <EditOrganisationForm organisation={organisation} />}
      </AnsweredAfresh>
    </Page>
  )
}

interface EditOrganisationFormProps {
  readonly organisation: Answer<'GET /api/organisation'>['organisation']
}

function EditOrganisationForm({ organisation: found }: EditOrganisationFormProps) {
  // Only what is typed here is sent: what somebody else changes meanwhile stays as they want it.
  const [organisation] = useState(found)
  const navigate = useNavigate()
  const form = useForm({
    initial: fieldsOfHolder(organisation),
    isField: isHolderField,
    keepsDraft: true,
  })
  const update = useChange('PATCH /api/organisation', [
    'GET /api/organisation',
    'GET /api/keys/{id}',
  ])
  const save = async (): Promise<void> => {
    const read = readHolderChange(organisation, form.fields)
    if (read.type === 'problems') return form.tell(read.problems)
    const saved = await form.save(() => update.mutateAsync({ body: read.body }))
    if (saved !== undefined)
      await navigate('/organisation', { state: { narrowed: saved.narrowed } })
  }
  return (
    <HolderForm
      form={form}
      parents={[]}
      action="Save"
      isChange
      onSave={save}
      onCancel={() => void navigate('/organisation')}
    />
  )
}
