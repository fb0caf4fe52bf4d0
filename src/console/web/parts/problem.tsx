import { ExclamationTriangleIcon } from '@radix-ui/react-icons'
import { Button, Callout, Code, Flex, Text } from '@radix-ui/themes'

import { ConsoleProblem } from '#console/web/api/console-problem.ts'

export interface ProblemProps {
  readonly error: unknown
  /** Does it once more, where that may help. */
  readonly onRetry?: () => void
}

/** Something that could not be done: why, what to do next, and by which id the log has it. */
export function Problem({ error, onRetry }: ProblemProps) {
  const problem = ConsoleProblem.from(error)
  const next = nextSteps[problem.code]
  return (
    <Callout.Root color="red" role="alert" size="1" className="problem">
      <Callout.Icon>
        <ExclamationTriangleIcon />
      </Callout.Icon>
      <div>
        <Text as="p" size="2">
          {problem.message}
          {problem.param !== undefined && (
            <>
              {' '}
              (<Code variant="ghost">{problem.param}</Code>)
            </>
          )}
        </Text>
        {next !== undefined && (
          <Text as="p" size="2" mt="1">
            {next}
          </Text>
        )}
        <Flex gap="3" align="center" mt="1" wrap="wrap">
          {onRetry !== undefined && (
            <Button size="1" variant="soft" color="red" onClick={onRetry}>
              Try again
            </Button>
          )}
          {problem.requestId !== undefined && (
            <Text size="1" color="gray">
              Request <Code variant="ghost">{problem.requestId}</Code>
            </Text>
          )}
        </Flex>
      </div>
    </Callout.Root>
  )
}

/** What the API's own message does not say already. Other codes need no more than that message. */
const nextSteps: Readonly<Record<string, string>> = {
  unreachable: 'See whether the gateway runs on its machine, then try again.',
  unavailable: 'The log of the gateway has the cause. It may pass by itself.',
  internal: 'This is a fault of the gateway. Its log has the cause under the request id below.',
  conflict: 'Somebody may have changed it in the meantime. Look again, then decide.',
  'not-found': 'It may have been removed, or it belongs to a project that you do not see.',
  'console-failed': 'Load the page again. If it stays, it is a fault of the console.',
}
