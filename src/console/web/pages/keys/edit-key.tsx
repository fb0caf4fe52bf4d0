import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'

import type { Answer } from '#console/web/api/contract.ts'
import { useAsk, useChange } from '#console/web/api/use-ask.ts'
import { AnsweredAfresh } from '#console/web/parts/answered-afresh.tsx'
import { FormFrame } from '#console/web/parts/form-frame.tsx'
import { Page } from '#console/web/parts/page.tsx'
import { useForm } from '#console/web/parts/use-form.ts'

import { fieldsOfKey, isKeyField, readKeyChange } from './key-fields.ts'
import { KeyForm } from './key-form.tsx'

/** Changes what a key is called, how long it is valid, and what it may do. */
export function EditKey() {
  const { id = '' } = useParams()
  const query = useAsk('GET /api/keys/{id}', { params: { id } })
  const name = query.data?.key.name
  return (
    <Page
      title={name === undefined ? 'Change a key' : `Change the key ${name}`}
      description="In force within a second. Its budgets are set on its own page."
    >
      <AnsweredAfresh query={query}>{(data) => <EditKeyForm data={data} />}</AnsweredAfresh>
    </Page>
  )
}

function EditKeyForm({ data }: { readonly data: Answer<'GET /api/keys/{id}'> }) {
  // Only what is typed here is sent: what somebody else changes meanwhile stays as they want it.
  const [{ key, parents }] = useState(data)
  const navigate = useNavigate()
  const form = useForm({ initial: fieldsOfKey(key), isField: isKeyField, keepsDraft: true })
  const update = useChange('PATCH /api/keys/{id}', ['GET /api/keys', 'GET /api/keys/{id}'])
  const back = `/keys/${key.id}`
  const save = async (): Promise<void> => {
    const read = readKeyChange(key, form.fields)
    if (read.type === 'problems') return form.tell(read.problems)
    const { body } = read
    const saved = await form.save(() => update.mutateAsync({ params: { id: key.id }, body }))
    if (saved !== undefined) await navigate(back)
  }
  return (
    <FormFrame
      form={form}
      action="Save"
      isIdle={!form.isDirty}
      onSave={save}
      onCancel={() => void navigate(back)}
    >
      <KeyForm
        form={form}
        parents={[
          { called: `The project ${key.projectName}`, policy: parents.project },
          { called: 'The organisation', policy: parents.organisation },
        ]}
      />
    </FormFrame>
  )
}
