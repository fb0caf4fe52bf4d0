import { Text } from '@radix-ui/themes'

import { bytesText } from '#console/web/parts/amounts.tsx'

import { memoryShare, percentOf } from './memory-share.ts'

export interface MemoryBarProps {
  readonly takenBytes: number
  readonly freeBytes: number
  /** What a model that is to be loaded would take besides. */
  readonly moreBytes?: number
}

/** The memory of the machine as models see it: a bar, and the same in words. */
export function MemoryBar({ takenBytes, freeBytes, moreBytes = 0 }: MemoryBarProps) {
  const { parts, wholeBytes, fits } = memoryShare(takenBytes, freeBytes, moreBytes)
  return (
    <div>
      <div className="engine-memory" aria-hidden="true">
        {parts.map(({ kind, bytes }) => (
          <span
            key={kind}
            className={`engine-memory-${kind === 'more' && !fits ? 'short' : kind}`}
            style={{ width: `${percentOf(bytes, wholeBytes)}%` }}
          />
        ))}
      </div>
      <Text as="p" size="1" color="gray" mt="1">
        Models take {bytesText(takenBytes)}, {bytesText(freeBytes)} are free
        {moreBytes > 0 && `, and this one needs at least ${bytesText(moreBytes)}`}.
      </Text>
    </div>
  )
}
