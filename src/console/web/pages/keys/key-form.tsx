import { Button, Flex, Grid } from '@radix-ui/themes'

import type { Project } from '#console/web/api/contract.ts'
import { PolicyForm } from '#console/web/pages/policy/policy-form.tsx'
import type { PolicyOf } from '#console/web/pages/policy/policy-table.tsx'
import { Choice } from '#console/web/parts/choice.tsx'
import { FieldGroup } from '#console/web/parts/field-group.tsx'
import { Field } from '#console/web/parts/field.tsx'
import type { Form } from '#console/web/parts/use-form.ts'

import { BudgetFieldsEditor } from './budget-fields.tsx'
import type { KeyFields } from './key-fields.ts'
import { timeToType } from './local-time.ts'

export interface KeyFormProps {
  readonly form: Form<KeyFields>
  readonly parents: readonly PolicyOf[]
  /** Given for a new key, which is to be put into one of them, and may have budgets at once. */
  readonly projects?: readonly Project[]
}

/** Everything that can be said of a key. */
export function KeyForm({ form, parents, projects }: KeyFormProps) {
  const { fields, problems, change } = form
  return (
    <>
      <FieldGroup legend="Whose it is">
        <Grid columns={{ initial: '1', sm: '2' }} gap="4">
          <Field
            label="Name"
            required
            maxLength={100}
            autoComplete="off"
            hint="What uses it: a service, a person, a machine."
            error={problems['name']}
            value={fields.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <Field
            label="Owner"
            maxLength={100}
            autoComplete="off"
            hint="Who answers for it: a person or a team."
            error={problems['owner']}
            value={fields.owner}
            onChange={(event) => change({ owner: event.currentTarget.value })}
          />
          {projects !== undefined && (
            <Choice
              label="Project"
              options={projects.map(({ id, name }) => [id, name])}
              hint="A key stays in its project for good."
              error={problems['projectId'] ?? problems['project']}
              value={fields.projectId}
              onChoose={(projectId) => change({ projectId })}
            />
          )}
        </Grid>
      </FieldGroup>
      <ValidityFields form={form} />
      <PolicyForm
        fields={fields.policy}
        problems={problems}
        parents={parents}
        onChange={(policy) => change({ policy })}
      />
      {projects !== undefined && (
        <BudgetFieldsEditor
          budgets={fields.budgets}
          problems={problems}
          onChange={(budgets) => change({ budgets })}
        />
      )}
    </>
  )
}

const dayMs = 86_400_000
const lifetimes = [
  ['30 days', 30],
  ['90 days', 90],
  ['1 year', 365],
] as const

function ValidityFields({ form: { fields, problems, change } }: Pick<KeyFormProps, 'form'>) {
  return (
    <FieldGroup legend="When it is valid" hint="In the time zone of this browser.">
      <Grid columns={{ initial: '1', sm: '2' }} gap="4">
        <Field
          label="From"
          type="datetime-local"
          hint="Empty: at once."
          error={problems['notBefore']}
          value={fields.notBefore}
          onChange={(event) => change({ notBefore: event.currentTarget.value })}
        />
        <Field
          label="Until"
          type="datetime-local"
          hint="Empty: until it is revoked."
          error={problems['expiresAt']}
          value={fields.expiresAt}
          onChange={(event) => change({ expiresAt: event.currentTarget.value })}
        />
      </Grid>
      <Flex gap="2" mt="3" wrap="wrap">
        {lifetimes.map(([words, days]) => (
          <Button
            key={days}
            type="button"
            size="1"
            variant="soft"
            color="gray"
            onClick={() => change({ expiresAt: timeToType(Date.now() + days * dayMs) })}
          >
            Until in {words}
          </Button>
        ))}
      </Flex>
    </FieldGroup>
  )
}
