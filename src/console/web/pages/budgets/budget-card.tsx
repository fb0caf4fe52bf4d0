import { Pencil1Icon, TrashIcon } from '@radix-ui/react-icons'
import { Button, Card, Flex, Heading, Progress, Text } from '@radix-ui/themes'

import type { Budget } from '#console/web/api/contract.ts'
import { Money, moneyText } from '#console/web/parts/amounts.tsx'
import { When } from '#console/web/parts/when.tsx'

import { BudgetPlot } from './budget-plot.tsx'
import { periodHints, periodWords } from './budget-words.ts'

export interface BudgetCardProps {
  readonly budget: Budget
  /** Absent for those who may only look. */
  readonly onEdit?: (() => void) | undefined
  readonly onRemove?: (() => void) | undefined
}

/** One budget: how it stands, how it goes, and what can be done with it. */
export function BudgetCard({ budget, onEdit, onRemove }: BudgetCardProps) {
  const { period, amount, used, held, left, isStrict, endsAt } = budget
  const share = amount === 0 ? 100 : Math.min(100, (100 * (used + held)) / amount)
  return (
    <Card className="budget">
      <Flex justify="between" align="center" gap="3" wrap="wrap">
        <Heading as="h3" size="2">
          {periodWords[period]}: <Money micro={amount} />
        </Heading>
        <Flex gap="3">
          {onEdit !== undefined && (
            <Button size="1" variant="ghost" onClick={onEdit}>
              <Pencil1Icon aria-hidden="true" /> Change
            </Button>
          )}
          {onRemove !== undefined && (
            <Button size="1" variant="ghost" color="gray" onClick={onRemove}>
              <TrashIcon aria-hidden="true" /> Remove
            </Button>
          )}
        </Flex>
      </Flex>
      <Progress
        value={share}
        color={left <= 0 ? 'red' : share >= 80 ? 'amber' : 'indigo'}
        aria-label={`${moneyText(used + held)} of ${moneyText(amount)}`}
      />
      <dl className="budget-figures">
        <Figure title="Charged">
          <Money micro={used} />
        </Figure>
        <Figure title="Held">
          <Money micro={held} />
        </Figure>
        <Figure title="Left">
          <Money micro={left} />
        </Figure>
        <Figure title="Begins anew">{endsAt === undefined ? 'never' : <When at={endsAt} />}</Figure>
      </dl>
      <BudgetPlot budget={budget} />
      <Text as="p" size="1" color="gray">
        {periodHints[period]}{' '}
        {isStrict
          ? 'An answer is cut where what was held for it ends.'
          : 'An answer that costs more than was held for it is finished, and charged.'}
      </Text>
    </Card>
  )
}

function Figure({
  title,
  children,
}: {
  readonly title: string
  readonly children: React.ReactNode
}) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}
