import { Flex, Grid } from '@radix-ui/themes'

import { type Role, roles } from '#console/access/role.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { CheckField } from '#console/web/parts/check-field.tsx'
import { Choice } from '#console/web/parts/choice.tsx'
import { FieldGroup } from '#console/web/parts/field-group.tsx'
import { Field } from '#console/web/parts/field.tsx'
import type { Form } from '#console/web/parts/use-form.ts'

import type { UserFields } from './user-fields.ts'

/** What each role may do, in a sentence. */
const roleHints = {
  viewer: 'May look at everything but users, the config and the audit log.',
  operator: 'May also issue and change keys, projects and budgets, and load models.',
  admin: 'May do everything, for every project.',
} as const satisfies Record<Role, string>

/** The name, the rights and the projects of a user. */
export function UserForm({ form }: { readonly form: Form<UserFields> }) {
  const { fields, problems, change } = form
  return (
    <>
      <FieldGroup legend="Who it is">
        <Grid columns={{ initial: '1', sm: '2' }} gap="4">
          <Field
            label="Name"
            required
            maxLength={64}
            autoComplete="off"
            hint="To sign in with."
            error={problems['name']}
            value={fields.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <Choice
            label="Role"
            options={roles.map((role) => [role, role])}
            hint={roleHints[fields.role]}
            error={problems['role']}
            value={fields.role}
            onChoose={(value) =>
              change({ role: roles.find((role) => role === value) ?? fields.role })
            }
          />
        </Grid>
      </FieldGroup>
      {fields.role !== 'admin' && <BoundFields form={form} />}
    </>
  )
}

function BoundFields({ form: { fields, problems, change } }: { readonly form: Form<UserFields> }) {
  const projects = useAsk('GET /api/projects').data?.projects ?? []
  return (
    <FieldGroup
      legend="Which projects"
      hint="Whoever is bound to projects sees nothing of others, as if they were not there."
      error={problems['projects']}
    >
      <Flex direction="column" gap="3">
        <CheckField
          label="Only some projects"
          isOn={fields.isBound}
          onSwitch={(isBound) => change({ isBound })}
        />
        {fields.isBound && (
          <div className="check-row check-row-within">
            {projects.map(({ id, name, archivedAt }) => (
              <CheckField
                key={id}
                label={archivedAt === undefined ? name : `${name} (archived)`}
                isOn={fields.projects.includes(id)}
                onSwitch={(isOn) =>
                  change({
                    projects: isOn
                      ? [...fields.projects, id]
                      : fields.projects.filter((one) => one !== id),
                  })
                }
              />
            ))}
          </div>
        )}
      </Flex>
    </FieldGroup>
  )
}
