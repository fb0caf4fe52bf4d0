import type { OwnPattern } from '#redaction/redactor.ts'
import type { BuiltInRule } from '#redaction/rule.ts'

/** How what is said is kept, where that is allowed. */
export interface ContentSettings {
  /** Of the request and of the answer, each: what is beyond is cut. */
  readonly maxBytes: number
  /** What may wait in memory to be written. What comes on top is dropped. */
  readonly queueBytes: number
  readonly retainDays: number
  /** What is taken out: by rules of ours, and by patterns of the operator. */
  readonly rules: readonly BuiltInRule[]
  readonly redact: readonly OwnPattern[]
}
