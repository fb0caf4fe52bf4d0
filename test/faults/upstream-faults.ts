import { connectionFaults } from './connection-faults.ts'
import { contentFaults } from './content-faults.ts'
import { cutFaults } from './cut-faults.ts'
import { replyFaults } from './reply-faults.ts'
import { statusFaults } from './status-faults.ts'
import { streamFaults } from './stream-faults.ts'
import type { UpstreamFault } from './upstream-fault.ts'

/** Everything that can go wrong at an upstream, one row a fault (reliability: upstream side). */
export const upstreamFaults: readonly UpstreamFault[] = [
  ...connectionFaults,
  ...statusFaults,
  ...cutFaults,
  ...streamFaults,
  ...contentFaults,
  ...replyFaults,
]
