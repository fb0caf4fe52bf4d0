/** One line of a plot. */
export interface Series {
  readonly label: string
  /** One value for each time; null where there is none, and the line has a gap. */
  readonly values: readonly (number | null)[]
  /** One of the colours of the theme; the first series has the accent. */
  readonly color?: SeriesColor
  /** Filled down to nought. */
  readonly isArea?: boolean
  /** Its values are few and far between: each is a dot, and the line goes on over what lies between them. */
  readonly isSparse?: boolean
}

export type SeriesColor = 'accent' | 'gray' | 'red' | 'amber' | 'green'

/** What a plot shows: lines over the same times. */
export interface PlotData {
  /** Unix milliseconds, rising. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
}

/** A colour of the theme as it is now, for a canvas, which knows no variables. */
export function colorOf(name: SeriesColor, near: Element): string {
  return getComputedStyle(near).getPropertyValue(`--${name}-9`).trim()
}
