import { CheckField } from '#console/web/parts/check-field.tsx'
import { FieldGroup } from '#console/web/parts/field-group.tsx'
import { LinesField } from '#console/web/parts/lines-field.tsx'
import { type Endpoint, endpoints } from '#keys/policy.ts'

import { endpointWords } from './limit-words.ts'
import { joined, parentHint } from './parent-hint.ts'
import type { PolicyPartProps } from './policy-form.tsx'

/** Which models, which endpoints, from where. */
export function AskFields({ fields, problems, parents, set }: PolicyPartProps) {
  return (
    <FieldGroup legend="What it may ask for">
      <div className="form-stack">
        <LinesField
          label="Models"
          placeholder="every model"
          hint={joined(
            'One on a line; a star stands for anything: gpt-*.',
            parentHint(parents, 'models'),
          )}
          error={problems['models']}
          value={fields.models}
          onChange={(event) => set({ models: event.currentTarget.value })}
        />
        <EndpointFields
          chosen={fields.endpoints}
          hint={joined('None chosen: every endpoint.', parentHint(parents, 'endpoints'))}
          error={problems['endpoints']}
          onChoose={(chosen) => set({ endpoints: chosen })}
        />
        <LinesField
          label="Addresses of callers"
          placeholder="every address"
          hint={joined(
            'One address or network on a line: 10.0.0.0/8.',
            parentHint(parents, 'addresses'),
          )}
          error={problems['addresses']}
          value={fields.addresses}
          onChange={(event) => set({ addresses: event.currentTarget.value })}
        />
      </div>
    </FieldGroup>
  )
}

interface EndpointFieldsProps {
  readonly chosen: readonly Endpoint[]
  readonly hint: string
  readonly error: string | undefined
  readonly onChoose: (chosen: readonly Endpoint[]) => void
}

function EndpointFields({ chosen, hint, error, onChoose }: EndpointFieldsProps) {
  return (
    <FieldGroup legend="Endpoints" hint={hint} error={error}>
      <div className="check-row">
        {endpoints.map((endpoint) => (
          <CheckField
            key={endpoint}
            label={endpointWords[endpoint]}
            isOn={chosen.includes(endpoint)}
            onSwitch={(isOn) =>
              onChoose(isOn ? [...chosen, endpoint] : chosen.filter((one) => one !== endpoint))
            }
          />
        ))}
      </div>
    </FieldGroup>
  )
}
