import { PlusIcon, TrashIcon } from '@radix-ui/react-icons'
import { Button, Flex, IconButton } from '@radix-ui/themes'

import { periods } from '#budgets/periods.ts'
import { periodWords } from '#console/web/pages/budgets/budget-words.ts'
import { CheckField } from '#console/web/parts/check-field.tsx'
import { Choice } from '#console/web/parts/choice.tsx'
import { FieldGroup } from '#console/web/parts/field-group.tsx'
import { Field } from '#console/web/parts/field.tsx'
import type { FieldProblems } from '#console/web/parts/form-problems.ts'

import type { BudgetFields } from './key-fields.ts'

export interface BudgetFieldsEditorProps {
  readonly budgets: readonly BudgetFields[]
  readonly problems: FieldProblems
  readonly onChange: (budgets: readonly BudgetFields[]) => void
}

/** The budgets that a new key begins with, one for a period at most. */
export function BudgetFieldsEditor({ budgets, problems, onChange }: BudgetFieldsEditorProps) {
  const free = periods.filter((period) => !budgets.some((budget) => budget.period === period))
  const [next] = free.includes('month') ? (['month'] as const) : free
  return (
    <FieldGroup
      legend="What it may spend"
      hint="Without a budget of its own, it may spend what its project may."
    >
      <Flex direction="column" gap="4" align="start">
        {budgets.map((budget, index) => (
          <BudgetRow
            // Rows have no other name than their place, and only ever one is added or removed.
            key={index}
            budget={budget}
            error={problems[`budgets.${index}`]}
            onChange={(changed) =>
              onChange(budgets.map((one, at) => (at === index ? changed : one)))
            }
            onRemove={() => onChange(budgets.filter((_, at) => at !== index))}
          />
        ))}
        {next !== undefined && (
          <Button
            type="button"
            size="1"
            variant="soft"
            color="gray"
            onClick={() => onChange([...budgets, { period: next, amount: '', isStrict: true }])}
          >
            <PlusIcon aria-hidden="true" /> Add a budget
          </Button>
        )}
      </Flex>
    </FieldGroup>
  )
}

interface BudgetRowProps {
  readonly budget: BudgetFields
  readonly error: string | undefined
  readonly onChange: (budget: BudgetFields) => void
  readonly onRemove: () => void
}

function BudgetRow({ budget, error, onChange, onRemove }: BudgetRowProps) {
  return (
    <div className="budget-row">
      <Choice
        label="Period"
        options={periods.map((period) => [period, periodWords[period]])}
        value={budget.period}
        onChoose={(value) =>
          onChange({ ...budget, period: periods.find((one) => one === value) ?? budget.period })
        }
      />
      <Field
        label="Dollars"
        inputMode="decimal"
        autoComplete="off"
        placeholder="50.00"
        error={error}
        value={budget.amount}
        onChange={(event) => onChange({ ...budget, amount: event.currentTarget.value })}
      />
      <CheckField
        label="Never more than that"
        hint="An answer is cut where what was held for it ends."
        isOn={budget.isStrict}
        onSwitch={(isStrict) => onChange({ ...budget, isStrict })}
      />
      <IconButton
        type="button"
        variant="ghost"
        color="gray"
        aria-label={`Remove the budget “${periodWords[budget.period].toLowerCase()}”`}
        onClick={onRemove}
      >
        <TrashIcon />
      </IconButton>
    </div>
  )
}
