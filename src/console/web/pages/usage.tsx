import { Text } from '@radix-ui/themes'
import { useMemo } from 'react'

import { useAsk } from '#console/web/api/use-ask.ts'
import { moneyText, shortNumber } from '#console/web/parts/amounts.tsx'
import { Answered } from '#console/web/parts/answered.tsx'
import { Empty } from '#console/web/parts/empty.tsx'
import { Page } from '#console/web/parts/page.tsx'
import { TextLink } from '#console/web/parts/text-link.tsx'
import { type Address, useAddress } from '#console/web/parts/use-address.ts'
import { StackedPlot } from '#console/web/plots/stacked-plot.tsx'

import { type UsageView, usageView } from './usage/usage-address.ts'
import { UsageControls } from './usage/usage-controls.tsx'
import { UsageExport } from './usage/usage-export.tsx'
import { closerLink, exchangesLink } from './usage/usage-links.ts'
import { useUsageReport } from './usage/usage-report.ts'
import { groupings, type Measure, measures } from './usage/usage-row.ts'
import { UsageTable } from './usage/usage-table.tsx'
import { UsageTiles } from './usage/usage-tiles.tsx'

/** Who used what, and what it cost. */
export function Usage() {
  const address = useAddress()
  const hour = Math.floor(Date.now() / hourMs)
  // The same view as long as the address and the hour are: what it shows over time is drawn once.
  const view = useMemo(() => usageView(address, hour * hourMs), [address.text, hour])
  const nameOf = useNames(view)
  const report = useUsageReport(view)
  return (
    <Page
      title="Usage"
      description="Who used what, and what it cost. Days and hours are in UTC."
      actions={<UsageExport view={report.groupsView} rows={report.groups.data?.usage ?? []} />}
    >
      <UsageControls view={view} address={address} nameOf={nameOf} />
      <Answered query={report.sums}>
        {({ usage }) =>
          usage.length === 0 ? (
            <NothingUsed view={view} />
          ) : (
            <>
              <UsageTiles rows={usage} failuresLink={exchangesLink(view, { result: 'failed' })} />
              <UsageDetails view={view} address={address} report={report} />
            </>
          )
        }
      </Answered>
    </Page>
  )
}

const hourMs = 3_600_000

interface UsageDetailsProps {
  readonly view: UsageView
  readonly address: Address
  readonly report: ReturnType<typeof useUsageReport>
}

function UsageDetails({ view, address, report }: UsageDetailsProps) {
  const { groups, groupsView, times, timesView, stack } = report
  return (
    <>
      <Answered query={times}>
        {({ isCut }) => (
          <>
            {isCut && (
              <Text as="p" size="2" color="amber">
                There is too much to draw all of it: the oldest part is missing. Choose a shorter
                time, or split by something else.
              </Text>
            )}
            <StackedPlot
              title={titleOf(timesView)}
              stack={stack}
              format={formats[timesView.measure]}
              isWhole={timesView.measure !== 'cost'}
              timeText={timesView.range.bucket === 'day' ? dayWords : hourWords}
            />
          </>
        )}
      </Answered>
      <Answered query={groups}>
        {({ usage, isCut }) => (
          <UsageTable
            rows={usage}
            by={groupsView.by}
            isCut={isCut}
            closer={(row) => closerLink(row, groupsView, address)}
          />
        )}
      </Answered>
      <Text as="p" size="2">
        <TextLink to={exchangesLink(view)}>Look at the exchanges of this time</TextLink>
      </Text>
    </>
  )
}

function NothingUsed({ view }: { readonly view: UsageView }) {
  const isNarrow = Object.keys(view.filters).length > 0
  return (
    <Empty
      title="Nothing was used in this time."
      next={
        isNarrow ? (
          <TextLink to="/usage">Show all usage</TextLink>
        ) : (
          <TextLink to="/keys">See the keys</TextLink>
        )
      }
    >
      {isNarrow
        ? 'Choose a longer time, or remove a filter.'
        : 'Usage is here as soon as somebody has called with a key. Choose a longer time, or make a key and call.'}
    </Empty>
  )
}

function titleOf({ by, measure, range }: UsageView): string {
  const show = measures.find(([name]) => name === measure)?.[1] ?? measure
  const split = groupings.find(([name]) => name === by)?.[1].toLowerCase() ?? by
  return by === 'day' ? `${show} by ${range.bucket}` : `${show} by ${range.bucket} and ${split}`
}

const formats: Readonly<Record<Measure, (value: number) => string>> = {
  cost: moneyText,
  exchanges: shortNumber,
  input: shortNumber,
  output: shortNumber,
  failed: shortNumber,
}

const day = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

function dayWords(time: number): string {
  return day.format(time)
}

function hourWords(time: number): string {
  return `${day.format(time)}, ${new Date(time).toISOString().slice(11, 16)}`
}

/** The names of what the filters name by ids. */
function useNames({ filters: { keyId, projectId } }: UsageView) {
  const key = useAsk(
    'GET /api/keys/{id}',
    { params: { id: keyId ?? '' } },
    { enabled: keyId !== undefined },
  )
  const project = useAsk(
    'GET /api/projects/{id}',
    { params: { id: projectId ?? '' } },
    { enabled: projectId !== undefined },
  )
  return (filter: string, id: string): string => {
    if (filter === 'keyId') return key.data?.key.name ?? id
    return filter === 'projectId' ? (project.data?.project.name ?? id) : id
  }
}
