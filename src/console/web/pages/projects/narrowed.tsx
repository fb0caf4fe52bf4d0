import { Callout } from '@radix-ui/themes'
import { useLocation } from 'react-router'
import { z } from 'zod'

import { limits } from '#console/web/pages/policy/limit-words.ts'

/** Whom a change holds to less than they ask for. */
const narrowedState = z.object({
  narrowed: z.array(z.object({ called: z.string(), fields: z.array(z.string()) })),
})

export type Narrowed = z.output<typeof narrowedState>['narrowed']

/** After a change: who is held to less than their own limits say. It comes with the way here, and goes with it. */
export function NarrowedNote() {
  const { data } = narrowedState.safeParse(useLocation().state)
  if (data === undefined || data.narrowed.length === 0) return null
  return (
    <Callout.Root color="amber" size="1" role="status">
      <div>
        <p className="narrowed-title">
          Saved. From now on the limits here hold for these too, which ask for more:
        </p>
        <ul className="narrowed-list">
          {data.narrowed.map(({ called, fields }) => (
            <li key={called}>
              {called}: {fields.map(titleOf).join(', ')}
            </li>
          ))}
        </ul>
      </div>
    </Callout.Root>
  )
}

function titleOf(field: string): string {
  return limits.find(({ id }) => id === field)?.title.toLowerCase() ?? field
}
