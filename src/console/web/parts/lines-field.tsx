import { TextArea } from '@radix-ui/themes'
import { type ComponentProps, type ReactNode, useId } from 'react'

import { Labelled } from './field.tsx'

export interface LinesFieldProps extends Omit<ComponentProps<typeof TextArea>, 'id' | 'children'> {
  readonly label: string
  readonly hint?: ReactNode
  /** What is wrong with what stands in it. */
  readonly error?: string | undefined
}

/** Several lines to type in, with their label, a hint, and what is wrong with them. */
export function LinesField({ label, hint, error, ...rest }: LinesFieldProps) {
  const id = useId()
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <TextArea
        rows={3}
        spellCheck={false}
        {...rest}
        id={id}
        aria-describedby={describedBy.filter(Boolean).join(' ') || undefined}
        aria-invalid={error !== undefined}
      />
    </Labelled>
  )
}
