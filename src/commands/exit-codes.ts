import { CommanderError } from 'commander'

import { type ErrorCode, GatewayError } from '#chat/error.ts'
import { type FileProblem, ModelFileError } from '#engine/files/model-file-error.ts'
import { StorageError, type StorageProblem } from '#storage/storage-error.ts'

/** What the status of a finished command means. The numbers are those of sysexits, which scripts know. */
export const exitCodes = {
  done: 0,
  /** It was not understood: an unknown command, option or value. */
  usage: 64,
  /** What it was given, or what lies on disk, is not as it has to be. */
  data: 65,
  /** What it is about is not there. */
  missing: 66,
  /** Something that it needs does not answer. */
  unavailable: 69,
  /** A bug. */
  internal: 70,
  cannotCreate: 73,
  /** The disk failed. */
  disk: 74,
  /** The same command may work in a moment. */
  tryAgain: 75,
  /** This user may not do it. */
  denied: 77,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** A command that could not do what it was asked. The message is for whoever typed it. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The status that tells a script what went wrong. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandFailure) return error.exitCode
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  if (error instanceof StorageError) return storageExits[error.problem]
  if (error instanceof ModelFileError) return fileExits[error.problem]
  if (!(error instanceof GatewayError)) return systemExits[codeOf(error)] ?? exitCodes.internal
  if (error.cause instanceof StorageError) return storageExits[error.cause.problem]
  return gatewayExits[error.code] ?? exitCodes.unavailable
}

const storageExits = {
  unreadable: exitCodes.denied,
  'read-only': exitCodes.denied,
  'not-creatable': exitCodes.cannotCreate,
  corrupt: exitCodes.data,
  foreign: exitCodes.data,
  newer: exitCodes.data,
  busy: exitCodes.tryAgain,
  full: exitCodes.disk,
  failed: exitCodes.disk,
} as const satisfies Record<StorageProblem, ExitCode>

const fileExits = {
  unusable: exitCodes.usage,
  missing: exitCodes.missing,
  denied: exitCodes.denied,
  unreachable: exitCodes.unavailable,
  damaged: exitCodes.data,
  full: exitCodes.disk,
  fixed: exitCodes.denied,
} as const satisfies Record<FileProblem, ExitCode>

/** What a listener meets. */
const systemExits: Partial<Record<string, ExitCode>> = {
  EADDRINUSE: exitCodes.unavailable,
  EADDRNOTAVAIL: exitCodes.unavailable,
  EACCES: exitCodes.denied,
}

const gatewayExits: Partial<Record<ErrorCode, ExitCode>> = {
  'request-invalid': exitCodes.usage,
  'engine-busy': exitCodes.tryAgain,
  'model-unknown': exitCodes.missing,
  internal: exitCodes.internal,
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
