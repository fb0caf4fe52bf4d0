import { Box, Text } from '@radix-ui/themes'
import type { ReactNode } from 'react'

export interface EmptyProps {
  /** What is not there yet, as a sentence. */
  readonly title: string
  readonly children?: ReactNode
  /** A link or a button to what would change that. */
  readonly next?: ReactNode
}

/** Where there is nothing to show: why, and what to do next. */
export function Empty({ title, children, next }: EmptyProps) {
  return (
    <Box className="empty">
      <Text as="p" size="2" weight="medium">
        {title}
      </Text>
      {children !== undefined && (
        <Text as="p" size="2" color="gray" mt="1">
          {children}
        </Text>
      )}
      {next !== undefined && <Box mt="3">{next}</Box>}
    </Box>
  )
}
