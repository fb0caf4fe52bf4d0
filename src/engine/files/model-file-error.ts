/** What stands in the way of a model's file. */
export type FileProblem =
  /** The source cannot be understood, or names nothing that can be used. */
  | 'unusable'
  | 'missing'
  | 'denied'
  /** Nobody answers. */
  | 'unreachable'
  /** What came is not what was promised. */
  | 'damaged'
  | 'full'
  /** Part of Parley itself, which is not removed. */
  | 'fixed'

/** A model's file that cannot be had, kept or removed. The message is for whoever asked. */
export class ModelFileError extends Error {
  override readonly name = 'ModelFileError'
  readonly problem: FileProblem

  constructor(problem: FileProblem, message: string, cause?: unknown) {
    super(message, { cause })
    this.problem = problem
  }
}
