import type { Collected, Family, Sample } from './family.ts'
import type { SeriesBook } from './series-book.ts'
import type { OwnFigures, Snapshot } from './snapshot.ts'

/** All that metrics are made of. */
export interface Figures {
  readonly book: Pick<SeriesBook, 'exchanges' | 'attempts' | 'requests'>
  readonly now: Snapshot
  readonly own: OwnFigures
}

/** A family, and where what it says comes from. */
export interface Source extends Family {
  readonly read: (figures: Figures) => readonly Sample[]
}

/** What the families say now. Those that have nothing to say are left out. */
export function collected(sources: readonly Source[], figures: Figures): readonly Collected[] {
  return sources.flatMap(({ read, ...family }) => {
    const samples = read(figures)
    return samples.length === 0 ? [] : [{ ...family, samples }]
  })
}
