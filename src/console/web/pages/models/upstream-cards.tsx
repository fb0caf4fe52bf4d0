import { Badge, Button, Flex, Heading, Text } from '@radix-ui/themes'

import type { Model } from '#console/web/api/contract.ts'
import { useMe } from '#console/web/api/me.ts'
import { useChange } from '#console/web/api/use-ask.ts'
import { tookText } from '#console/web/parts/amounts.tsx'
import { Problem } from '#console/web/parts/problem.tsx'

import { HealthBadge } from './health-badge.tsx'
import type { Upstream } from './target-state.ts'

export interface UpstreamCardsProps {
  readonly upstreams: readonly Upstream[]
  readonly models: readonly Model[]
}

/** Every upstream, with how those of its models fare that were asked. */
export function UpstreamCards({ upstreams, models }: UpstreamCardsProps) {
  return (
    <div className="models-upstreams">
      {upstreams.map((upstream) => (
        <UpstreamCard
          key={upstream.name}
          upstream={upstream}
          listed={models.filter((model) => isListedBy(model, upstream)).length}
        />
      ))}
    </div>
  )
}

/** A name of the config is listed by nobody. */
function isListedBy({ strategy, targets }: Model, { name }: Upstream): boolean {
  return strategy === null && targets.some(({ target }) => target.startsWith(`${name}/`))
}

/** So many targets are told of; the table above has all of them. */
const mostTargets = 6

function UpstreamCard({
  upstream,
  listed,
}: {
  readonly upstream: Upstream
  readonly listed: number
}) {
  const { name, vendor, protocol, targets } = upstream
  return (
    <section className="models-upstream">
      <Flex justify="between" align="start" gap="2">
        <Heading as="h3" size="3">
          {name}
        </Heading>
        <Flex gap="1" wrap="wrap" justify="end">
          {vendor !== null && <Badge color="gray">{vendor}</Badge>}
          <Badge color="gray">{protocol}</Badge>
        </Flex>
      </Flex>
      <Text as="p" size="2" color="gray">
        {listed === 0
          ? 'It lists no models.'
          : `It lists ${listed} ${listed === 1 ? 'model' : 'models'}.`}
      </Text>
      <ul className="models-states">
        {targets.slice(0, mostTargets).map((state) => (
          <li key={state.target}>
            <span className="models-name">{state.target.slice(name.length + 1)}</span>
            <HealthBadge state={state} />
            <Text size="1" color="gray">
              {state.latencyMs !== undefined && `${tookText(state.latencyMs)} to the first words`}
              {state.inFlight > 0 && `, ${state.inFlight} under way`}
            </Text>
          </li>
        ))}
      </ul>
      {targets.length > mostTargets && (
        <Text as="p" size="1" color="gray">
          And {targets.length - mostTargets} more.
        </Text>
      )}
      <UpstreamTest name={name} />
    </section>
  )
}

function UpstreamTest({ name }: { readonly name: string }) {
  const { may, seesAll } = useMe()
  const test = useChange('POST /api/upstreams/{name}/test', ['GET /api/models'])
  if (!may('operator') || !seesAll) return null
  const { data } = test
  return (
    <Flex direction="column" gap="2" align="start" className="models-test">
      <Button
        size="1"
        variant="soft"
        loading={test.isPending}
        onClick={() => test.mutate({ params: { name } })}
        aria-label={`Test ${name}`}
      >
        Test
      </Button>
      <div aria-live="polite">
        {data !== undefined && (
          <Text as="p" size="2" color={data.isWell ? 'green' : 'red'}>
            {data.isWell
              ? `It answers after ${tookText(data.tookMs)} and lists ${countText(data.models ?? 0)}.`
              : `${data.message ?? 'It does not answer.'} (${tookText(data.tookMs)})`}
          </Text>
        )}
        {test.isError && <Problem error={test.error} />}
      </div>
    </Flex>
  )
}

function countText(models: number): string {
  return models === 1 ? '1 model' : `${models} models`
}
