import { callerFaults } from './caller-faults.ts'
import type { ClientFault } from './client-fault.ts'
import { connectionClientFaults } from './connection-client-faults.ts'
import { pathFaults } from './path-faults.ts'
import { requestClientFaults } from './request-client-faults.ts'
import { slowClientFaults } from './slow-client-faults.ts'
import { smugglingFaults } from './smuggling-faults.ts'

/** Everything that a client can do wrong, one row a fault (reliability: client side, and abuse). */
export const clientFaults: readonly ClientFault[] = [
  ...connectionClientFaults,
  ...slowClientFaults,
  ...requestClientFaults,
  ...callerFaults,
  ...smugglingFaults,
  ...pathFaults,
]
