import { PauseIcon, PlayIcon } from '@radix-ui/react-icons'
import { Badge, Button, Flex, Text } from '@radix-ui/themes'

import { shortNumber } from '#console/web/parts/amounts.tsx'

import type { LiveTailReading } from './use-live-tail.ts'

/** Whether the tail moves, and what it could not show. */
export function LiveBar({ tail, take, state }: LiveTailReading) {
  const isPaused = tail.held !== undefined
  return (
    <Flex gap="3" align="center" wrap="wrap">
      <Badge color={isPaused ? 'gray' : badges[state].color} role="status">
        {isPaused ? 'Paused' : badges[state].words}
      </Badge>
      <Button
        size="1"
        variant="soft"
        aria-pressed={isPaused}
        onClick={() => take({ type: isPaused ? 'resume' : 'pause' })}
      >
        {isPaused ? <PlayIcon aria-hidden="true" /> : <PauseIcon aria-hidden="true" />}
        {isPaused ? 'Go on' : 'Pause'}
      </Button>
      <Text size="1" color="gray">
        {isPaused && tail.cameSince > 0 && `${shortNumber(tail.cameSince)} have ended since. `}
        {tail.skipped > 0 &&
          `${shortNumber(tail.skipped)} were too many at once to be shown here; the list has them all.`}
      </Text>
    </Flex>
  )
}

const badges = {
  connecting: { color: 'gray', words: 'Connecting' },
  open: { color: 'green', words: 'Live' },
  lost: { color: 'red', words: 'Connection lost, trying again' },
} as const
