import { Button, Flex, Text } from '@radix-ui/themes'
import { type ReactNode, useId, useState } from 'react'

interface PlotFrameProps {
  readonly title: string
  readonly children: (isTable: boolean) => ReactNode
}

/** A figure with its title, and the button that shows it as a table for whoever wants figures or cannot see lines. */
export function PlotFrame({ title, children }: PlotFrameProps) {
  const [isTable, setTable] = useState(false)
  const id = useId()
  return (
    <figure className="plot" aria-labelledby={id}>
      <Flex justify="between" align="center" gap="3">
        <Text as="div" size="2" weight="medium" id={id}>
          {title}
        </Text>
        <Button
          size="1"
          variant="ghost"
          color="gray"
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? 'Show the plot' : 'Show as table'}
        </Button>
      </Flex>
      {children(isTable)}
    </figure>
  )
}
