import { useNavigate } from 'react-router'

import { useAsk, useChange } from '#console/web/api/use-ask.ts'
import { Page } from '#console/web/parts/page.tsx'
import { useForm } from '#console/web/parts/use-form.ts'

import { fieldsOfHolder, isHolderField, newHolder, readProjectOrder } from './holder-fields.ts'
import { HolderForm } from './holder-form.tsx'

/** Makes a project. */
export function NewProject() {
  const navigate = useNavigate()
  const form = useForm({
    initial: fieldsOfHolder(newHolder),
    isField: isHolderField,
    keepsDraft: true,
  })
  const create = useChange('POST /api/projects', ['GET /api/projects'])
  const organisation = useAsk('GET /api/organisation').data?.organisation
  const save = async (): Promise<void> => {
    const read = readProjectOrder(form.fields)
    if (read.type === 'problems') return form.tell(read.problems)
    const made = await form.save(() => create.mutateAsync({ body: read.body }))
    if (made !== undefined) await navigate(`/projects/${made.id}`)
  }
  return (
    <Page title="New project" description="Its limits hold for all of its keys together.">
      <HolderForm
        form={form}
        parents={
          organisation === undefined
            ? []
            : [{ called: 'The organisation', policy: organisation.policy }]
        }
        action="Create project"
        isChange={false}
        onSave={save}
        onCancel={() => void navigate('/projects')}
      />
    </Page>
  )
}
