import { SegmentedControl, Skeleton } from '@radix-ui/themes'
import { useState } from 'react'

import { useMe } from '#console/web/api/me.ts'
import { useLive } from '#console/web/api/use-live.ts'
import { Page } from '#console/web/parts/page.tsx'
import { Problem } from '#console/web/parts/problem.tsx'

import { IllUpstreams } from './overview/ill-upstreams.tsx'
import { Plots } from './overview/plots.tsx'
import { RecentFailures } from './overview/recent-failures.tsx'
import { TightBudgets } from './overview/tight-budgets.tsx'
import { Tiles } from './overview/tiles.tsx'
import { type Span, useLiveView, useReportView, type View } from './overview/view.ts'

/** What the gateway is doing, and what of it needs somebody. */
export function Overview() {
  const [span, setSpan] = useState<Span>('now')
  const { seesAll } = useMe()
  return (
    <Page
      title="Overview"
      description="What the gateway is doing, and what of it needs you."
      actions={
        <SegmentedControl.Root
          value={span}
          aria-label="How far back"
          onValueChange={(value) => setSpan(spanOf(value))}
        >
          <SegmentedControl.Item value="now">Now</SegmentedControl.Item>
          <SegmentedControl.Item value="day">24 hours</SegmentedControl.Item>
          <SegmentedControl.Item value="month">30 days</SegmentedControl.Item>
        </SegmentedControl.Root>
      }
    >
      {span === 'now' ? <LiveSpan /> : <ReportSpan span={span} />}
      <div className="overview-needs">
        {seesAll && <IllUpstreams />}
        <TightBudgets />
      </div>
      <RecentFailures />
    </Page>
  )
}

function spanOf(value: string): Span {
  return value === 'day' || value === 'month' ? value : 'now'
}

function LiveSpan() {
  const view = useLiveView()
  const { now } = useLive()
  return <Figures view={view} {...(now !== undefined && { inFlight: now.inFlight })} />
}

function ReportSpan({ span }: { readonly span: Exclude<Span, 'now'> }) {
  const { now } = useLive()
  return (
    <Figures view={useReportView(span)} {...(now !== undefined && { inFlight: now.inFlight })} />
  )
}

function Figures({ view, inFlight }: { readonly view: View; readonly inFlight?: number }) {
  return (
    <>
      {view.error !== undefined && view.error !== null && <Problem error={view.error} />}
      {view.isPending ? (
        <Skeleton height="34rem" />
      ) : (
        <>
          <Tiles view={view} {...(inFlight !== undefined && { inFlight })} />
          <Plots view={view} />
        </>
      )}
    </>
  )
}
