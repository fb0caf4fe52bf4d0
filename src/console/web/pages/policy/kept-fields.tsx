import { Choice } from '#console/web/parts/choice.tsx'
import { FieldGroup } from '#console/web/parts/field-group.tsx'

import { joined, parentHint } from './parent-hint.ts'
import type { PolicyPartProps } from './policy-form.tsx'
import { TagFieldsEditor } from './tag-fields.tsx'

/** Whether what is said is kept, and by what usage is told apart. */
export function KeptFields({ fields, problems, parents, set }: PolicyPartProps) {
  return (
    <FieldGroup legend="What is kept and told apart">
      <div className="form-stack">
        <Choice
          label="Keep what is said"
          options={[
            ['', parents.length > 0 ? 'As those above say' : 'Not said here'],
            ['on', 'Yes, keep it'],
            ['off', 'No, never'],
          ]}
          hint={joined(
            'Whether the words of questions and answers may be stored.',
            parentHint(parents, 'contentLogging'),
          )}
          error={problems['contentLogging']}
          value={fields.contentLogging}
          onChoose={(value) =>
            set({ contentLogging: value === 'on' || value === 'off' ? value : '' })
          }
        />
        <TagFieldsEditor
          tags={fields.tags}
          error={problems['tags']}
          onChange={(tags) => set({ tags })}
        />
      </div>
    </FieldGroup>
  )
}
