import type { ReactNode } from 'react'

export interface FactsProps {
  /** What something is called, and what it is. What is undefined is left out. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[]
}

/** What may be known of one thing, in pairs. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
