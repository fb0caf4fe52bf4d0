/** Whoever writes down what an operator should see. */
interface Log {
  error(facts: object, message: string): void
}

/** A failure that is the gateway's own, with what is kept from whoever asked. */
interface Failure {
  readonly code: string
  readonly message: string
  readonly cause?: unknown
}

/** Writes a failure to the log, under the id that whoever asked was told. */
export function reportFailure(
  log: Log,
  { code, message, cause }: Failure,
  requestId: string,
): void {
  const why = cause instanceof Error ? cause.stack : cause
  log.error({ requestId, code, cause: why }, message)
}
