import { type ComponentProps, type ReactNode, useId } from 'react'

import { Labelled } from './field.tsx'

export interface ChoiceProps extends Omit<
  ComponentProps<'select'>,
  'id' | 'onChange' | 'children'
> {
  readonly label: string
  /** What can be chosen, as value and words. */
  readonly options: readonly (readonly [value: string, words: string])[]
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly onChoose?: (value: string) => void
}

/** One of a list, by the browser's own means: nothing that is drawn for it needs styles in the page. */
export function Choice({ label, options, hint, error, onChoose, ...rest }: ChoiceProps) {
  const id = useId()
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <select
        {...rest}
        id={id}
        className="choice"
        aria-describedby={describedBy.filter(Boolean).join(' ') || undefined}
        aria-invalid={error !== undefined}
        onChange={(event) => onChoose?.(event.currentTarget.value)}
      >
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </Labelled>
  )
}
