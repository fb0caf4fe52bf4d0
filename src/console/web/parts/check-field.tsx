import { Text } from '@radix-ui/themes'
import { type ReactNode, useId } from 'react'

export interface CheckFieldProps {
  readonly label: string
  readonly isOn: boolean
  readonly onSwitch: (isOn: boolean) => void
  readonly hint?: ReactNode
  readonly disabled?: boolean
}

/** Something that is so or not, by the browser's own box. */
export function CheckField({ label, isOn, onSwitch, hint, disabled = false }: CheckFieldProps) {
  const id = useId()
  return (
    <div className="check">
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onSwitch(event.currentTarget.checked)}
      />
      <div>
        <Text as="label" htmlFor={id} size="2">
          {label}
        </Text>
        {hint !== undefined && (
          <Text as="p" id={`${id}-hint`} size="1" color="gray">
            {hint}
          </Text>
        )}
      </div>
    </div>
  )
}
