import { Callout, Code, Flex, Text } from '@radix-ui/themes'

import { CopyButton } from './copy-button.tsx'

export interface SecretOnceProps {
  /** What it is: `The key "ci"`. */
  readonly label: string
  readonly secret: string
}

/** A secret that is shown this once. It is nowhere in the console but in the state of the page that shows it. */
export function SecretOnce({ label, secret }: SecretOnceProps) {
  return (
    <Callout.Root color="green" size="1" role="status" className="secret">
      <Flex direction="column" gap="2">
        <Text size="2">
          {label}. <strong>It is shown only now</strong>: keep it where secrets are kept.
        </Text>
        <Flex gap="3" align="center" wrap="wrap">
          <Code size="2" className="secret-text">
            {secret}
          </Code>
          <CopyButton text={secret} />
        </Flex>
      </Flex>
    </Callout.Root>
  )
}
