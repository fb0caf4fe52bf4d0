import { Card, Flex, Heading, Text } from '@radix-ui/themes'
import { type ReactNode, useEffect } from 'react'

interface DoorProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly children: ReactNode
}

/** What is shown to somebody who is not signed in. */
export function Door({ title, lead, children }: DoorProps) {
  useEffect(() => {
    document.title = `${title} · Parley`
  }, [title])
  return (
    <main className="door">
      <Card size="4" className="door-card">
        <Flex direction="column" gap="4">
          <Text size="2" weight="bold" color="gray">
            Parley
          </Text>
          <Heading as="h1" size="6">
            {title}
          </Heading>
          {lead !== undefined && (
            <Text as="p" size="2" color="gray">
              {lead}
            </Text>
          )}
          {children}
        </Flex>
      </Card>
    </main>
  )
}
