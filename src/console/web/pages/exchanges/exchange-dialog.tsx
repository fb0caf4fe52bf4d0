import { Badge, Code, Flex, Text } from '@radix-ui/themes'

import { useAsk } from '#console/web/api/use-ask.ts'
import { Money, tookText } from '#console/web/parts/amounts.tsx'
import { Answered } from '#console/web/parts/answered.tsx'
import { CopyButton } from '#console/web/parts/copy-button.tsx'
import { Dialog } from '#console/web/parts/dialog.tsx'
import { Facts } from '#console/web/parts/facts.tsx'
import { ResultBadge } from '#console/web/parts/result-badge.tsx'
import { TextLink } from '#console/web/parts/text-link.tsx'
import { When } from '#console/web/parts/when.tsx'

import { Attempts } from './attempts.tsx'
import { Bill } from './bill-table.tsx'
import { Content } from './content.tsx'
import { CorrectButton } from './correct-button.tsx'
import type { EndedExchange, OpenExchange } from './opened-exchange.ts'
import { WaterfallPlot } from './waterfall-plot.tsx'

export interface ExchangeDialogProps {
  readonly id: string
  readonly onClose: () => void
}

/** One exchange opened: how it went, what it used, what it cost and why. */
export function ExchangeDialog({ id, onClose }: ExchangeDialogProps) {
  const query = useAsk('GET /api/exchanges/{id}', { params: { id } })
  const isOpen = query.data?.type === 'open'
  // What is under way is looked at until it has ended.
  useAsk('GET /api/exchanges/{id}', { params: { id } }, { enabled: isOpen, refetchInterval: 1000 })
  return (
    <Dialog isOpen isWide title="Exchange" onClose={onClose}>
      <Flex gap="3" align="center" wrap="wrap" mb="4">
        <Code size="2" className="exchanges-id">
          {id}
        </Code>
        <CopyButton text={id} label="Copy the id" />
      </Flex>
      <Answered query={query}>
        {(exchange) =>
          exchange.type === 'open' ? (
            <UnderWay exchange={exchange} />
          ) : (
            <Ended exchange={exchange} />
          )
        }
      </Answered>
    </Dialog>
  )
}

function UnderWay({ exchange }: { readonly exchange: OpenExchange }) {
  const { asked, startedAt, held, keyId } = exchange
  return (
    <Facts
      facts={[
        ['Result', <ResultBadge key="result" result="open" />],
        ['Began', <When key="began" at={startedAt} />],
        ['Model asked for', asked],
        ['Key', keyId],
        ['Held for it', <Money key="held" micro={held} />],
      ]}
    />
  )
}

function Ended({ exchange }: { readonly exchange: EndedExchange }) {
  const { notes, route, corrections } = exchange
  return (
    <Flex direction="column" gap="5">
      <Summary exchange={exchange} />
      <Part title={`Time: ${tookText(exchange.totalMs)}`}>
        <WaterfallPlot course={exchange} />
      </Part>
      {exchange.tries.length > 0 && (
        <Part title="Attempts">
          <Attempts exchange={exchange} />
        </Part>
      )}
      {route !== null && (
        <Part title="Why this target">
          <Text as="p" size="2" className="exchanges-words">
            {route}
          </Text>
        </Part>
      )}
      <Part title="Tokens and cost">
        <Bill exchange={exchange} />
        <CorrectButton exchange={exchange} />
      </Part>
      {notes.length > 0 && (
        <Part title="What was adapted">
          <ul className="exchanges-notes">
            {notes.map(({ field, what }, at) => (
              <li key={at}>
                <Code>{field}</Code> {what}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {corrections.length > 0 && (
        <Part title="Corrections">
          <ul className="exchanges-notes">
            {corrections.map(({ amount, reason, actor, madeAt }, at) => (
              <li key={at}>
                <Money micro={amount} /> by {actor}, <When at={madeAt} />: {reason}
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Content exchange={exchange} />
    </Flex>
  )
}

function Summary({ exchange }: { readonly exchange: EndedExchange }) {
  const { result, startedAt, asked, target, keyName, keyId, projectId } = exchange
  const { protocol, isStream, endpoint, cost, corrected } = exchange
  const project = useAsk('GET /api/projects/{id}', { params: { id: projectId } })
  return (
    <Facts
      facts={[
        ['Result', <ResultBadge key="result" result={result} />],
        ['Began', <When key="began" at={startedAt} />],
        ['Model asked for', asked],
        ['Target', target ?? 'nobody'],
        [
          'Key',
          <TextLink key="key" to={`/keys/${encodeURIComponent(keyId)}`}>
            {keyName ?? keyId}
          </TextLink>,
        ],
        [
          'Project',
          <TextLink key="project" to={`/projects/${encodeURIComponent(projectId)}`}>
            {project.data?.project.name ?? projectId}
          </TextLink>,
        ],
        [
          'Form',
          <Flex key="form" gap="1" wrap="wrap">
            <Badge color="gray">{endpoint}</Badge>
            <Badge color="gray">{protocol}</Badge>
            <Badge color="gray">{isStream ? 'stream' : 'whole reply'}</Badge>
          </Flex>,
        ],
        ['Charged', <Money key="cost" micro={cost + corrected} />],
      ]}
    />
  )
}

interface PartProps {
  readonly title: string
  readonly children: React.ReactNode
}

function Part({ title, children }: PartProps) {
  return (
    <section>
      <Text as="p" size="2" weight="bold" mb="2" role="heading" aria-level={3}>
        {title}
      </Text>
      {children}
    </section>
  )
}
