import { Text } from '@radix-ui/themes'
import type { ReactNode } from 'react'

export interface StatTileProps {
  readonly title: string
  readonly value: ReactNode
  /** What stands below: a share, a comparison, a way to more. */
  readonly note?: ReactNode
}

/** One number that matters. */
export function StatTile({ title, value, note }: StatTileProps) {
  return (
    <div className="stat-tile">
      <Text as="div" size="1" color="gray">
        {title}
      </Text>
      <Text as="div" size="6" weight="medium" className="number">
        {value}
      </Text>
      {note !== undefined && (
        <Text as="div" size="1" color="gray">
          {note}
        </Text>
      )}
    </div>
  )
}
