import { Cross2Icon } from '@radix-ui/react-icons'
import { Button } from '@radix-ui/themes'

export interface FilterChipProps {
  /** What is filtered by: "Model". */
  readonly name: string
  readonly value: string
  readonly onRemove: () => void
}

/** A filter that is on, and the way to switch it off. */
export function FilterChip({ name, value, onRemove }: FilterChipProps) {
  return (
    <Button
      size="1"
      variant="soft"
      className="filter-chip"
      onClick={onRemove}
      aria-label={`Remove the filter ${name}: ${value}`}
    >
      <span>{name}:</span> <span className="filter-chip-value">{value}</span>
      <Cross2Icon aria-hidden="true" />
    </Button>
  )
}
