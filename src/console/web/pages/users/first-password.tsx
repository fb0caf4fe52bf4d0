import { Button, Flex } from '@radix-ui/themes'
import { useState } from 'react'

import { Field } from '#console/web/parts/field.tsx'

import { suggestedPassword } from './suggested-password.ts'

export interface FirstPasswordProps {
  readonly label: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (password: string) => void
}

/** A password that is given to somebody else: typed, or made up and shown. */
export function FirstPassword({ label, value, error, onChange }: FirstPasswordProps) {
  const [isShown, setShown] = useState(false)
  return (
    <Flex direction="column" gap="2" align="stretch">
      <Field
        label={label}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        spellCheck={false}
        maxLength={256}
        hint="At least twelve characters. Hand it over on a way that only the two of you see."
        error={error}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Flex gap="2">
        <Button
          type="button"
          size="1"
          variant="soft"
          color="gray"
          onClick={() => {
            onChange(suggestedPassword())
            setShown(true)
          }}
        >
          Make one up
        </Button>
        <Button
          type="button"
          size="1"
          variant="soft"
          color="gray"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide it' : 'Show it'}
        </Button>
      </Flex>
    </Flex>
  )
}
