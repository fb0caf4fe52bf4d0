import { Button, Callout, Flex } from '@radix-ui/themes'

import type { FieldProblems } from './form-problems.ts'
import { Problem } from './problem.tsx'

export interface FormFootProps {
  /** What is done: "Save", "Create key". */
  readonly action: string
  readonly isBusy: boolean
  /** Nothing to save: the button waits. */
  readonly isIdle?: boolean
  readonly problems: FieldProblems
  readonly failure: unknown
  readonly onCancel?: () => void
}

/** The end of a form: what is wrong with it, and the button that sends it. */
export function FormFoot(props: FormFootProps) {
  const { action, isBusy, isIdle = false, problems, failure, onCancel } = props
  const count = Object.keys(problems).length
  return (
    <Flex direction="column" gap="3">
      {count > 0 && (
        <Callout.Root color="red" size="1" role="alert">
          <Callout.Text>
            {count === 1
              ? 'Nothing was saved yet: one field needs another look.'
              : `Nothing was saved yet: ${count} fields need another look.`}
          </Callout.Text>
        </Callout.Root>
      )}
      {failure !== undefined && <Problem error={failure} />}
      <Flex gap="3" wrap="wrap">
        <Button type="submit" loading={isBusy} disabled={isIdle}>
          {action}
        </Button>
        {onCancel !== undefined && (
          <Button type="button" variant="soft" color="gray" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </Flex>
    </Flex>
  )
}
