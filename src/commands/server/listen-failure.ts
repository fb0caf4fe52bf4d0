import { CommandFailure, type ExitCode, exitCodes } from '#commands/exit-codes.ts'
import { AdminListenError } from '#console/api/admin-server.ts'

/** What the system says against listening at an address, in words that say what to do; any other error as it is. */
export function listenFailure(error: unknown, listen: Listen): unknown {
  const isAdmin = error instanceof AdminListenError
  const host = isAdmin ? listen.adminHost : listen.host
  const port = isAdmin ? listen.adminPort : listen.port
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = reasons[code]
  if (known === undefined) return error
  const words = isAdmin ? inAdminTerms(known.words) : known.words
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  const what = isAdmin ? ' for the admin API' : ''
  return new CommandFailure(known.exitCode, `Cannot listen on ${address}${what}: ${words}`)
}

function inAdminTerms(words: string): string {
  return words.replace('--port', '--admin-port').replace('--host', '`listen.adminHost`')
}

interface Listen {
  readonly host: string
  readonly port: number
  readonly adminHost: string
  readonly adminPort: number
}

interface Reason {
  readonly exitCode: ExitCode
  readonly words: string
}

const notOurs: Reason = {
  exitCode: exitCodes.unavailable,
  words:
    'this machine has no such address. Choose one that it has with --host, such as 127.0.0.1, or 0.0.0.0 for all of them.',
}

const reasons: Readonly<Partial<Record<string, Reason>>> = {
  EADDRINUSE: {
    exitCode: exitCodes.unavailable,
    words:
      'the port is in use, perhaps by another Parley. Stop that one, or choose another port with --port.',
  },
  EACCES: {
    exitCode: exitCodes.denied,
    words: 'this user may not use that port. Choose one above 1023 with --port.',
  },
  EADDRNOTAVAIL: notOurs,
  ENOTFOUND: notOurs,
}
