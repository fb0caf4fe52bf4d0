import { Button, Flex, Switch, Text, TextArea } from '@radix-ui/themes'
import { useId, useState } from 'react'

import { Choice } from '#console/web/parts/choice.tsx'
import { Field, Labelled } from '#console/web/parts/field.tsx'

import { exampleTools, type SettingFaults, type SettingText } from './setting-text.ts'

export interface SettingsPanelProps {
  readonly text: SettingText
  readonly faults: SettingFaults
  readonly onChange: (change: Partial<SettingText>) => void
  readonly projectId: string
  /** Projects as id and name. */
  readonly projects: readonly (readonly [id: string, name: string])[]
  readonly onProject: (id: string) => void
}

/** As `playground.css` has it. */
const narrowPixels = 1000

/** What is asked of every model alike. */
export function SettingsPanel(props: SettingsPanelProps) {
  const { text, faults, onChange } = props
  // Where the settings would stand before the conversation, they are opened by whoever wants them.
  const [isOpen] = useState(() => innerWidth > narrowPixels)
  return (
    <details className="play-settings" open={isOpen}>
      <summary>Settings</summary>
      <Flex direction="column" gap="3" mt="3">
        <Choice
          label="Project"
          hint="Its limits and budgets hold, and it pays."
          value={props.projectId}
          options={props.projects}
          onChoose={props.onProject}
        />
        <Area label="System prompt" value={text.system} onText={(system) => onChange({ system })} />
        <Numbers text={text} faults={faults} onChange={onChange} />
        <Area
          label="Stop at"
          hint="One text on each line."
          rows={2}
          value={text.stop}
          onText={(stop) => onChange({ stop })}
        />
        <Text as="label" size="2">
          <Flex gap="2" align="center">
            <Switch
              checked={text.isStream}
              onCheckedChange={(isStream) => onChange({ isStream })}
            />
            Stream the answer
          </Flex>
        </Text>
        <Area
          label="Tools"
          hint="JSON. The calls are shown to you, and you answer them."
          error={faults.tools}
          isCode
          rows={text.tools === '' ? 2 : 10}
          value={text.tools}
          onText={(tools) => onChange({ tools })}
        />
        {text.tools === '' && (
          <Button
            size="1"
            variant="soft"
            color="gray"
            onClick={() => onChange({ tools: exampleTools })}
          >
            Put an example in
          </Button>
        )}
      </Flex>
    </details>
  )
}

function Numbers({
  text,
  faults,
  onChange,
}: Omit<SettingsPanelProps, 'projects' | 'projectId' | 'onProject'>) {
  return (
    <div className="play-numbers">
      <Field
        label="Max tokens"
        inputMode="numeric"
        value={text.maxTokens}
        error={faults.maxTokens}
        onChange={(event) => onChange({ maxTokens: event.currentTarget.value })}
      />
      <Field
        label="Temperature"
        inputMode="decimal"
        placeholder="usual"
        value={text.temperature}
        error={faults.temperature}
        onChange={(event) => onChange({ temperature: event.currentTarget.value })}
      />
      <Field
        label="Top p"
        inputMode="decimal"
        placeholder="usual"
        value={text.topP}
        error={faults.topP}
        onChange={(event) => onChange({ topP: event.currentTarget.value })}
      />
    </div>
  )
}

interface AreaProps {
  readonly label: string
  readonly value: string
  readonly onText: (text: string) => void
  readonly hint?: string
  readonly error?: string | undefined
  readonly rows?: number
  readonly isCode?: boolean
}

function Area({ label, value, onText, hint, error, rows = 3, isCode = false }: AreaProps) {
  const id = useId()
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <TextArea
        id={id}
        rows={rows}
        value={value}
        className={isCode ? 'play-code' : ''}
        spellCheck={!isCode}
        aria-invalid={error !== undefined}
        onChange={(event) => onText(event.currentTarget.value)}
      />
    </Labelled>
  )
}
