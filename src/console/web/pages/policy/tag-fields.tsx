import { PlusIcon, TrashIcon } from '@radix-ui/react-icons'
import { Button, Flex, IconButton, TextField } from '@radix-ui/themes'

import { FieldGroup } from '#console/web/parts/field-group.tsx'

import type { TagFields } from './policy-fields.ts'

export interface TagFieldsEditorProps {
  readonly tags: readonly TagFields[]
  readonly error: string | undefined
  readonly onChange: (tags: readonly TagFields[]) => void
}

/** Names with their values, by which usage can be added up later. */
export function TagFieldsEditor({ tags, error, onChange }: TagFieldsEditorProps) {
  const set = (index: number, change: Partial<TagFields>): void =>
    onChange(tags.map((tag, at) => (at === index ? { ...tag, ...change } : tag)))
  return (
    <FieldGroup legend="Tags" hint="Usage can be added up by them: team is search." error={error}>
      <Flex direction="column" gap="2" align="start">
        {tags.map((tag, index) => (
          // Rows have no other name than their place, and only ever one is added or removed.
          <Flex key={index} gap="2" align="center" className="tag-row">
            <TextField.Root
              aria-label={`Name of tag ${index + 1}`}
              placeholder="name"
              value={tag.name}
              onChange={(event) => set(index, { name: event.currentTarget.value })}
            />
            <TextField.Root
              aria-label={`Value of tag ${index + 1}`}
              placeholder="value"
              value={tag.value}
              onChange={(event) => set(index, { value: event.currentTarget.value })}
            />
            <IconButton
              type="button"
              variant="ghost"
              color="gray"
              aria-label={`Remove tag ${index + 1}`}
              onClick={() => onChange(tags.filter((_, at) => at !== index))}
            >
              <TrashIcon />
            </IconButton>
          </Flex>
        ))}
        <Button
          type="button"
          size="1"
          variant="soft"
          color="gray"
          onClick={() => onChange([...tags, { name: '', value: '' }])}
        >
          <PlusIcon aria-hidden="true" /> Add a tag
        </Button>
      </Flex>
    </FieldGroup>
  )
}
