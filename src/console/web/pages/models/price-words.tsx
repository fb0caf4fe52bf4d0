import { Badge } from '@radix-ui/themes'

import type { Model } from '#console/web/api/contract.ts'
import { moneyText } from '#console/web/parts/amounts.tsx'

type Price = Model['targets'][number]['price']

export interface PriceWordsProps {
  readonly price: Price
  /** What runs here costs nothing by itself. */
  readonly isEngine: boolean
}

/** What a million tokens cost, in and out, and who says so; or that nobody does. */
export function PriceWords({ price, isEngine }: PriceWordsProps) {
  if (price !== null)
    return (
      <span className="number" title={`By ${price.source}, since ${price.since}`}>
        {moneyText(price.input)} in, {moneyText(price.output)} out
      </span>
    )
  if (isEngine) return <Badge color="gray">runs here</Badge>
  return (
    <Badge
      color="amber"
      title="Requests are counted, and charged nothing. Set a price in the config."
    >
      no price
    </Badge>
  )
}
