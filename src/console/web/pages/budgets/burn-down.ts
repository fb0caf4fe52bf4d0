import type { Period } from '#budgets/periods.ts'

/** A budget as far as its course goes: micro-dollars, and Unix milliseconds. */
export interface Course {
  readonly amount: number
  readonly used: number
  /** For exchanges that are under way. */
  readonly held: number
  readonly startsAt: number
  /** Absent for a budget that never begins anew. */
  readonly endsAt?: number
}

/** What was spent in one hour or day: when it began, and micro-dollars. */
export interface Spell {
  readonly at: number
  readonly cost: number
}

/** What is left of a budget, from the beginning of its period to its end. Lists of the same length. */
export interface BurnDown {
  /** Unix milliseconds, ascending. */
  readonly times: readonly number[]
  /** Micro-dollars that were left; null in times to come. */
  readonly left: readonly (number | null)[]
  /** What would be left if it were spent evenly; null where there is no end to spend it by. */
  readonly even: readonly (number | null)[]
  /** What will be left if it goes on as until now; null in the past, and where nothing was spent. */
  readonly ahead: readonly (number | null)[]
  /** When it is used up if it goes on so, if that is before the end. */
  readonly usedUpAt?: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How long the spells are that a period is drawn with. */
export const spellMs = {
  day: hourMs,
  week: hourMs,
  month: dayMs,
  total: dayMs,
} as const satisfies Record<Period, number>

/**
 * The course of a budget. The last point of what was left is what the balance says: what the spells do not know of,
 * since it was spent in rows that are not kept any more, was spent before them.
 */
export function burnDown(
  course: Course,
  spells: readonly Spell[],
  { now, lengthMs }: { readonly now: number; readonly lengthMs: number },
): BurnDown {
  const spent = spells.filter(({ at }) => at + lengthMs > course.startsAt && at < now)
  const ordered = spent.toSorted((one, other) => one.at - other.at)
  const startsAt = startOf(course, ordered, now)
  const past = leftOver(course, ordered, { startsAt, now, lengthMs })
  const endsAt = course.endsAt ?? now
  const usedUpAt = exhaustion(course, startsAt, now)
  const future = [usedUpAt, endsAt].filter((time) => time !== undefined && time > now) as number[]
  const times = [...past.map(({ at }) => at), ...future]
  const pace = paceOf(course, startsAt, now)
  const leftNow = course.amount - course.used - course.held
  return {
    times,
    left: [...past.map(({ left }) => left), ...future.map(() => null)],
    even: times.map((time) => evenAt(course, startsAt, time)),
    ahead: times.map((time) => {
      if (time < now || pace === 0 || course.endsAt === undefined) return null
      return Math.max(0, Math.round(leftNow - pace * (time - now)))
    }),
    ...(usedUpAt !== undefined && { usedUpAt }),
  }
}

/** A budget without an end begins where something was first spent. */
function startOf({ startsAt, endsAt }: Course, spells: readonly Spell[], now: number): number {
  if (endsAt !== undefined) return Math.min(startsAt, now)
  return Math.min(spells[0]?.at ?? now - dayMs, now)
}

interface Bounds {
  readonly startsAt: number
  readonly now: number
  readonly lengthMs: number
}

function leftOver(
  { amount, used, held }: Course,
  spells: readonly Spell[],
  { startsAt, now, lengthMs }: Bounds,
): readonly { readonly at: number; readonly left: number }[] {
  const known = spells.reduce((sum, { cost }) => sum + cost, 0)
  let left = amount - Math.max(0, used - known)
  const points = [{ at: startsAt, left }]
  for (const { at, cost } of spells) {
    // Nothing is spent between two spells: the line stays level until the next one begins.
    const last = points.at(-1)
    if (last !== undefined && at > last.at) points.push({ at, left })
    left -= cost
    points.push({ at: Math.min(at + lengthMs, now), left })
  }
  return [...points.filter(({ at }) => at < now), { at: now, left: amount - used - held }]
}

/** Micro-dollars a millisecond, from the beginning until now. */
function paceOf({ used }: Course, startsAt: number, now: number): number {
  return used <= 0 || now <= startsAt ? 0 : used / (now - startsAt)
}

function exhaustion(course: Course, startsAt: number, now: number): number | undefined {
  const { amount, used, held, endsAt } = course
  const pace = paceOf(course, startsAt, now)
  if (endsAt === undefined || pace === 0) return undefined
  const at = Math.round(now + Math.max(0, amount - used - held) / pace)
  return at < endsAt ? at : undefined
}

function evenAt({ amount, endsAt }: Course, startsAt: number, time: number): number | null {
  if (endsAt === undefined || endsAt <= startsAt) return null
  return Math.round(amount * (1 - (time - startsAt) / (endsAt - startsAt)))
}
