import { Text } from '@radix-ui/themes'
import { type ReactNode, useId } from 'react'

export interface FieldGroupProps {
  readonly legend: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly children: ReactNode
}

/** Fields that belong together, under one heading. What is wrong with them as a whole stands below it. */
export function FieldGroup({ legend, hint, error, children }: FieldGroupProps) {
  const id = useId()
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
  return (
    <fieldset
      className="field-group"
      aria-describedby={describedBy.filter(Boolean).join(' ') || undefined}
      // A group cannot be invalid to the browser; it is found, and given the focus, by this.
      data-invalid={error !== undefined}
      tabIndex={-1}
    >
      <legend>{legend}</legend>
      {hint !== undefined && (
        <Text as="p" id={`${id}-hint`} size="1" color="gray" mb="2">
          {hint}
        </Text>
      )}
      {children}
      {error !== undefined && (
        <Text as="p" id={`${id}-error`} size="1" color="red" mt="1">
          {error}
        </Text>
      )}
    </fieldset>
  )
}
