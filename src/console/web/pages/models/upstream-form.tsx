import { Flex } from '@radix-ui/themes'

import { Choice } from '#console/web/parts/choice.tsx'
import { Field } from '#console/web/parts/field.tsx'
import { FormFoot } from '#console/web/parts/form-foot.tsx'
import type { Form } from '#console/web/parts/use-form.ts'

import { type UpstreamFields, usualUrl, type Vendor, withVendor } from './upstream-fields.ts'

export interface UpstreamFormProps {
  readonly form: Form<UpstreamFields>
  readonly vendors: readonly Vendor[]
  readonly vendor: Vendor | undefined
  readonly onTry: () => Promise<void>
}

const protocols = [
  ['chat-completions', 'chat completions'],
  ['messages', 'messages'],
] as const

/** Whose it is, where it is, and with which key. */
export function UpstreamForm({ form, vendors, vendor, onTry }: UpstreamFormProps) {
  const { fields, change, problems } = form
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void onTry()
      }}
    >
      <Flex direction="column" gap="4">
        <Choice
          label="Whose"
          value={fields.vendor}
          options={[
            ['', 'A server of my own'],
            ...vendors.map(({ name }) => [name, name] as const),
          ]}
          onChoose={(name) =>
            change(
              withVendor(
                fields,
                vendors.find((one) => one.name === name),
                vendor,
              ),
            )
          }
        />
        <Field
          label="Name"
          hint="What it is called here: its models answer to name/model."
          value={fields.name}
          error={problems['name']}
          onChange={(event) => change({ name: event.currentTarget.value.trim() })}
        />
        <PlaceFields form={form} vendor={vendor} />
        <KeyFields form={form} />
        <FormFoot action="Try it" isBusy={form.isBusy} problems={problems} failure={form.failure} />
      </Flex>
    </form>
  )
}

function PlaceFields({
  form: { fields, change, problems },
  vendor,
}: Pick<UpstreamFormProps, 'form' | 'vendor'>) {
  const spoken = vendor === undefined ? protocols : protocolsOf(vendor)
  return (
    <>
      {spoken.length > 1 && (
        <Choice
          label="Protocol"
          value={fields.protocol}
          options={spoken}
          onChoose={(chosen) =>
            change({ protocol: chosen === 'messages' ? 'messages' : 'chat-completions' })
          }
        />
      )}
      <Field
        label="URL"
        type="url"
        hint="As the SDK of the protocol takes it: with /v1 for chat completions, without for messages."
        placeholder={usualUrl(fields, vendor) ?? 'http://10.0.0.5:8000/v1'}
        value={fields.url}
        error={problems['url']}
        onChange={(event) => change({ url: event.currentTarget.value.trim() })}
      />
    </>
  )
}

function KeyFields({ form: { fields, change, problems } }: Pick<UpstreamFormProps, 'form'>) {
  return (
    <>
      <Field
        label="Environment variable of its key"
        hint="The gateway reads the key from it, so that no key stands in the config. Empty where none is needed."
        placeholder="GPU_BOX_KEY"
        autoComplete="off"
        spellCheck={false}
        value={fields.keyVariable}
        error={problems['keyVariable']}
        onChange={(event) => change({ keyVariable: event.currentTarget.value.trim() })}
      />
      <Field
        label="Key for this test"
        type="password"
        hint="Sent to the URL above this once. It is not kept, not logged, and not in the lines below."
        autoComplete="off"
        value={fields.key}
        error={problems['key']}
        onChange={(event) => change({ key: event.currentTarget.value.trim() })}
      />
    </>
  )
}

function protocolsOf({ speaks }: Vendor) {
  return protocols.filter(([name]) => speaks.some(({ protocol }) => protocol === name))
}
