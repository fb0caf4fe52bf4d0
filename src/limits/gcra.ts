/**
 * A limit as the generic cell rate algorithm counts it. All of what has been taken is one number: how far *ahead* of
 * now the last unit taken would come if units came evenly. Times are whole nanoseconds: so short that rounding up
 * costs nobody anything, so long that a double holds a hundred days of them exactly.
 */
export interface Rate {
  /** Units in a window: all of them may be taken at once, and come back evenly. */
  readonly most: number
  /** What one unit takes of the time. Rounded up, so that no window ever passes more than its limit. */
  readonly tick: number
}

export const nsPerMs = 1_000_000

/** A rate of so many units in a window of milliseconds. */
export function rateOf(most: number, windowMs: number): Rate {
  const whole = Math.max(0, Math.floor(most))
  // Of nothing, no unit can pass; what was taken all the same is given a window to come back.
  return { most: whole, tick: Math.ceil((windowMs * nsPerMs) / Math.max(1, whole)) }
}

/** How long it is until so many units can be taken: 0 if now, infinite if never. */
export function waitFor({ most, tick }: Rate, ahead: number, units: number): number {
  if (units === 0) return 0
  if (units > most) return Number.POSITIVE_INFINITY
  return Math.max(0, ahead + (units - most) * tick)
}

/**
 * How far ahead it is when so many units more are taken, or given back if fewer than none. What is given back never
 * makes more than a full limit, and no count, however absurd, shuts a holder out for more than a week.
 */
export function aheadAfter({ tick }: Rate, ahead: number, units: number): number {
  return Math.min(Math.max(0, ahead + units * tick), longestDebt)
}

/** How many units could be taken now. */
export function unitsLeft({ most, tick }: Rate, ahead: number): number {
  return Math.max(0, Math.floor((most * tick - ahead) / tick))
}

const longestDebt = 7 * 86_400_000 * nsPerMs
