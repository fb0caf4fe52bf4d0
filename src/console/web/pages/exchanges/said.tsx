import { Badge, Code, Flex, Text } from '@radix-ui/themes'

import type { Answer } from '#console/web/api/contract.ts'

type Said = NonNullable<Answer<'GET /api/exchanges/{id}/content'>['content']>
type Block = Said['answer']['blocks'][number]

/** What the caller sent, as it was kept. All of it is other people's text, and shown as nothing but text. */
export function SaidRequest({ content: { request, redacted } }: { readonly content: Said }) {
  return (
    <div>
      <Flex gap="2" align="center" wrap="wrap" mb="1">
        <Text size="2" weight="medium">
          Request
        </Text>
        {request.isCut && <Badge color="amber">the middle is left out</Badge>}
        {redacted.map(({ rule, count }) => (
          <Badge key={rule} color="gray">
            {count} × {rule} taken out
          </Badge>
        ))}
      </Flex>
      <pre className="exchanges-said" tabIndex={0}>
        {JSON.stringify(request.body, null, 2)}
      </pre>
    </div>
  )
}

/** What it was told. */
export function SaidAnswer({ content: { answer } }: { readonly content: Said }) {
  const { blocks, end, error, vectors, isCut } = answer
  return (
    <div>
      <Flex gap="2" align="center" wrap="wrap" mb="1">
        <Text size="2" weight="medium">
          Answer
        </Text>
        {isCut && <Badge color="amber">the end is left out</Badge>}
        {vectors === null && (
          <Badge color={end === null ? 'red' : 'gray'}>
            {end === null ? 'broke off' : `ended: ${end}`}
          </Badge>
        )}
      </Flex>
      {vectors !== null && (
        <Text as="p" size="2">
          {vectors.count} vectors of {vectors.width} numbers.
        </Text>
      )}
      {blocks.map((block, at) => (
        <SaidBlock key={at} block={block} />
      ))}
      {error !== null && (
        <Text as="p" size="2" color="red">
          <Code color="red">{error.code}</Code> {error.message}
        </Text>
      )}
    </div>
  )
}

function SaidBlock({ block: { type, text, name, id } }: { readonly block: Block }) {
  return (
    <div className="exchanges-block">
      {(type !== 'text' || name !== null) && (
        <Flex gap="2" wrap="wrap" align="center">
          <Badge color="gray">{type}</Badge>
          {name !== null && <Code>{name}</Code>}
          {id !== null && (
            <Text size="1" color="gray">
              {id}
            </Text>
          )}
        </Flex>
      )}
      <pre className="exchanges-said" tabIndex={0}>
        {text}
      </pre>
    </div>
  )
}
