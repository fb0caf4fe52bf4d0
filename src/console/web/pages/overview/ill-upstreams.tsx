import { Badge } from '@radix-ui/themes'

import type { Answer } from '#console/web/api/contract.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { Took } from '#console/web/parts/amounts.tsx'
import { Answered } from '#console/web/parts/answered.tsx'
import { DataTable } from '#console/web/parts/data-table.tsx'
import { Section } from '#console/web/parts/page.tsx'
import { TextLink } from '#console/web/parts/text-link.tsx'

type Target = Answer<'GET /api/upstreams'>['upstreams'][number]['targets'][number]

const renewedMs = 5000

/** Targets that are kept out of the way, and until when. */
export function IllUpstreams() {
  const query = useAsk('GET /api/upstreams', {}, { refetchInterval: renewedMs })
  return (
    <Section title="Upstreams" actions={<TextLink to="/models">All upstreams</TextLink>}>
      <Answered query={query}>
        {({ upstreams }) => {
          const targets = upstreams.flatMap((upstream) => upstream.targets)
          const ill = targets.filter(isIll)
          if (ill.length === 0) return <AllWell count={upstreams.length} asked={targets.length} />
          return <IllTable targets={ill} />
        }}
      </Answered>
    </Section>
  )
}

function isIll({ breaker, waitMs }: Target): boolean {
  return breaker !== 'closed' || waitMs > 0
}

function AllWell({ count, asked }: { readonly count: number; readonly asked: number }) {
  const upstreams = count === 1 ? '1 upstream' : `${count} upstreams`
  return (
    <p className="calm">
      {asked === 0 ? `${upstreams}, not asked since the start.` : `All well: ${upstreams}.`}
    </p>
  )
}

function IllTable({ targets }: { readonly targets: readonly Target[] }) {
  return (
    <DataTable
      caption="Targets that are ill"
      rows={targets}
      idOf={({ target }) => target}
      columns={[
        { id: 'target', title: 'Target', cell: ({ target }) => target },
        {
          id: 'breaker',
          title: 'State',
          cell: ({ breaker }) => (
            <Badge color={breaker === 'open' ? 'red' : 'amber'}>
              {stateWords[breaker] ?? breaker}
            </Badge>
          ),
        },
        {
          id: 'wait',
          title: 'Asked again in',
          isNumber: true,
          cell: ({ waitMs }) => <Took ms={waitMs > 0 ? waitMs : null} />,
        },
      ]}
    />
  )
}

const stateWords: Readonly<Record<string, string>> = {
  open: 'kept out',
  'half-open': 'being tried',
  closed: 'waiting',
}
