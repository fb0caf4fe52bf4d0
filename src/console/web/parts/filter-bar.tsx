import { Button } from '@radix-ui/themes'
import type { ReactNode } from 'react'

export interface FilterBarProps {
  readonly children: ReactNode
  /** Whether anything is left out, so that there is something to clear. */
  readonly isAny: boolean
  readonly onClear: () => void
}

/** What a list can be narrowed by, in one row where there is room. */
export function FilterBar({ children, isAny, onClear }: FilterBarProps) {
  return (
    <div className="filter-bar" role="search">
      {children}
      {isAny && (
        <Button type="button" variant="soft" color="gray" onClick={onClear}>
          Show all
        </Button>
      )}
    </div>
  )
}
