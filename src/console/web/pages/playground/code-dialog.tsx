import { Flex, Tabs, Text } from '@radix-ui/themes'

import { CopyButton } from '#console/web/parts/copy-button.tsx'
import { Dialog } from '#console/web/parts/dialog.tsx'

import { anthropicText, type CodeOptions, curlText, openaiText } from './code-texts.ts'

export interface CodeDialogProps {
  /** Undefined while it is closed. */
  readonly options: CodeOptions | undefined
  readonly onClose: () => void
}

/** The conversation as code that asks the same, for whoever goes on outside of the console. */
export function CodeDialog({ options, onClose }: CodeDialogProps) {
  return (
    <Dialog isOpen={options !== undefined} title="The same as code" isWide onClose={onClose}>
      {options !== undefined && <CodeTabs options={options} />}
    </Dialog>
  )
}

const texts = [
  ['curl', 'curl', curlText],
  ['openai', 'openai SDK', openaiText],
  ['anthropic', 'anthropic SDK', anthropicText],
] as const

function CodeTabs({ options }: { readonly options: CodeOptions }) {
  return (
    <Tabs.Root defaultValue="curl">
      <Tabs.List>
        {texts.map(([id, name]) => (
          <Tabs.Trigger key={id} value={id}>
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {texts.map(([id, name, textOf]) => (
        <Tabs.Content key={id} value={id}>
          <Flex justify="between" align="center" my="3" gap="3" wrap="wrap">
            <Text size="2" color="gray">
              Set PARLEY_KEY to a key of this gateway.
            </Text>
            <CopyButton text={textOf(options)} label={`Copy as ${name}`} />
          </Flex>
          <pre className="play-text play-code play-listing" tabIndex={0} aria-label={`As ${name}`}>
            {textOf(options)}
          </pre>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}
