import { Flex, Text, TextField } from '@radix-ui/themes'
import { type ComponentProps, type ReactNode, useId } from 'react'

export interface FieldProps extends Omit<ComponentProps<typeof TextField.Root>, 'id' | 'children'> {
  readonly label: string
  readonly hint?: ReactNode
  /** What is wrong with what stands in it. */
  readonly error?: string | undefined
}

/** A line to type in, with its label, a hint, and what is wrong with it. */
export function Field({ label, hint, error, ...rest }: FieldProps) {
  const id = useId()
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <TextField.Root
        {...rest}
        id={id}
        aria-describedby={describedBy.filter(Boolean).join(' ') || undefined}
        aria-invalid={error !== undefined}
      />
    </Labelled>
  )
}

export interface LabelledProps {
  /** The id of the control that is labelled. */
  readonly id: string
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly children: ReactNode
}

/** A label above any control. */
export function Labelled({ id, label, hint, error, children }: LabelledProps) {
  return (
    <Flex direction="column" gap="1">
      <Text as="label" htmlFor={id} size="2" weight="medium">
        {label}
      </Text>
      {children}
      {hint !== undefined && (
        <Text id={`${id}-hint`} size="1" color="gray">
          {hint}
        </Text>
      )}
      {error !== undefined && (
        <Text id={`${id}-error`} size="1" color="red">
          {error}
        </Text>
      )}
    </Flex>
  )
}
