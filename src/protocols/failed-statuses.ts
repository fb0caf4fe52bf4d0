import type { ErrorCode } from '#chat/error.ts'

/** What an upstream's failure means, by its status, where that is not the rule of its hundred. Both protocols use statuses alike. */
export const codesByStatus: ReadonlyMap<number, ErrorCode> = new Map([
  [401, 'upstream-unauthorised'],
  [402, 'upstream-busy'],
  [403, 'upstream-unauthorised'],
  // A path, method or model that the upstream does not know was chosen by the operator, not by the caller; another may know it.
  [404, 'upstream-failed'],
  [405, 'upstream-failed'],
  [406, 'upstream-failed'],
  [407, 'upstream-unauthorised'],
  [408, 'upstream-timeout'],
  [410, 'upstream-failed'],
  [415, 'upstream-failed'],
  [429, 'upstream-busy'],
  [498, 'upstream-overloaded'],
  [499, 'upstream-failed'],
  [503, 'upstream-overloaded'],
  [504, 'upstream-timeout'],
  [522, 'upstream-timeout'],
  [524, 'upstream-timeout'],
  [529, 'upstream-overloaded'],
])
