import { useMemo } from 'react'

import type { Budget } from '#console/web/api/contract.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { moneyText } from '#console/web/parts/amounts.tsx'
import { Answered } from '#console/web/parts/answered.tsx'
import type { PlotData } from '#console/web/plots/series.ts'
import { TimePlot } from '#console/web/plots/time-plot.tsx'

import { courseWords, periodWords } from './budget-words.ts'
import { type BurnDown, burnDown, type Spell, spellMs } from './burn-down.ts'

const renewed = { refetchInterval: 60_000 }

export interface BudgetPlotProps {
  readonly budget: Budget
}

/** What is left of a budget over its period, against an even pace and what comes if it goes on so. */
export function BudgetPlot({ budget }: BudgetPlotProps) {
  const { period, startsAt, holder } = budget
  const lengthMs = spellMs[period]
  const by = lengthMs < spellMs.month ? 'hour' : 'day'
  const query = useAsk(
    'GET /api/usage',
    { query: { by, since: startsAt, ...whose(holder) } },
    renewed,
  )
  return (
    <Answered query={query}>
      {({ usage }) => (
        <BudgetCourse
          budget={budget}
          spells={usage.map(({ by: { [by]: at }, cost }) => ({ at: timeOf(at), cost }))}
          now={query.dataUpdatedAt}
        />
      )}
    </Answered>
  )
}

interface BudgetCourseProps extends BudgetPlotProps {
  readonly spells: readonly Spell[]
  /** When the spells were asked for. */
  readonly now: number
}

function BudgetCourse({ budget, spells, now: asked }: BudgetCourseProps) {
  const { period, startsAt, endsAt = asked } = budget
  // A clock here may be another one than the gateway's; and a period may have ended while the page is looked at.
  const now = Math.min(Math.max(asked, startsAt), Math.max(endsAt, startsAt))
  const course = burnDown(budget, spells, { now, lengthMs: spellMs[period] })
  const drawn = JSON.stringify(course)
  // The plot is drawn anew where the figures are others, not whenever the page is.
  const data = useMemo(() => linesOf(course), [drawn])
  return (
    <>
      <p className="budget-course">{courseWords(budget, course, now)}</p>
      <TimePlot
        title={`What is left: ${periodWords[period].toLowerCase()}`}
        data={data}
        format={moneyText}
        height={150}
      />
    </>
  )
}

function linesOf({ times, left, even, ahead }: BurnDown): PlotData {
  const hasEven = even.some((value) => value !== null)
  const hasAhead = ahead.some((value) => value !== null)
  return {
    times,
    series: [
      { label: 'Left', values: left, isArea: true },
      ...(hasEven ? [{ label: 'If spent evenly', values: even, color: 'gray' as const }] : []),
      ...(hasAhead ? [{ label: 'If it goes on so', values: ahead, color: 'amber' as const }] : []),
    ],
  }
}

/** `2026-01-31` or `2026-01-31T15`, of UTC. */
function timeOf(text: string | null | undefined): number {
  const said = text ?? ''
  return Date.parse(said.length > 10 ? `${said}:00:00Z` : `${said}T00:00:00Z`)
}

/** Which usage counts for a holder: `key:<id>`, `project:<id>`; for the organisation, all. */
function whose(holder: string) {
  const [kind, id] = [holder.slice(0, holder.indexOf(':')), holder.slice(holder.indexOf(':') + 1)]
  if (kind === 'key') return { keyId: id }
  return kind === 'project' ? { projectId: id } : {}
}
