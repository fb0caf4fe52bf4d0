import { Badge, Code, Flex, Text } from '@radix-ui/themes'

import { useAsk } from '#console/web/api/use-ask.ts'
import { CopyButton } from '#console/web/parts/copy-button.tsx'

import { type UpstreamFields, upstreamYaml, type Vendor } from './upstream-fields.ts'

export interface ConfigLinesProps {
  readonly fields: UpstreamFields
  readonly vendor: Vendor | undefined
  readonly isWell: boolean
}

/**
 * What to write into the config, and whether it is in force yet. The console does not write it itself: the file is its
 * owner's, and whoever may write a URL and a reference to the environment into it can send any variable anywhere.
 */
export function ConfigLines({ fields, vendor, isWell }: ConfigLinesProps) {
  const yaml = upstreamYaml(fields, vendor)
  const file = useAsk('GET /api/config').data?.file
  const upstreams = useAsk('GET /api/upstreams', {}, { refetchInterval: 2000 })
  const isThere = upstreams.data?.upstreams.some(({ name }) => name === fields.name) === true
  return (
    <section aria-label="Lines for the config">
      <Text as="p" size="2" mb="2">
        {isWell ? 'Put these lines' : 'Once it answers, put these lines'} into{' '}
        {file === null || file === undefined ? <Code>parley.yaml</Code> : <Code>{file}</Code>},
        beside the upstreams that are there. The gateway reads the file again by itself.
      </Text>
      <pre className="models-yaml">{yaml}</pre>
      <Flex gap="3" align="center" wrap="wrap" mt="2">
        <CopyButton text={yaml} />
        <Badge color={isThere ? 'green' : 'gray'} role="status">
          {isThere ? `${fields.name} is in force` : 'Not in force yet'}
        </Badge>
      </Flex>
      {fields.keyVariable !== '' && (
        <Text as="p" size="2" color="gray" mt="2">
          <Code>{fields.keyVariable}</Code> has to be set in the environment of the gateway. One
          that was not set when it started takes a restart.
        </Text>
      )}
    </section>
  )
}
