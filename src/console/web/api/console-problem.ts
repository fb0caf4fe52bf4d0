/** Why the gateway did not do what the console asked for, in words that can be shown. */
export class ConsoleProblem extends Error {
  override readonly name = 'ConsoleProblem'
  /** The API's own code, or `unreachable` where no answer came, or `unreadable` where it was none of ours. */
  readonly code: string
  /** Of the answer; 0 where none came. */
  readonly status: number
  /** The field that is at fault. */
  readonly param: string | undefined
  /** By which the gateway's log finds it. */
  readonly requestId: string | undefined

  constructor(
    message: string,
    { code, status = 0, param, requestId, cause }: ProblemFacts & { readonly cause?: unknown },
  ) {
    super(message, { cause })
    this.code = code
    this.status = status
    this.param = param
    this.requestId = requestId
  }

  /** What anything that was thrown is to whoever looks at the console. */
  static from(error: unknown): ConsoleProblem {
    if (error instanceof ConsoleProblem) return error
    const words = error instanceof Error ? error.message : String(error)
    return new ConsoleProblem(`The console itself failed: ${words}`, {
      code: 'console-failed',
      cause: error,
    })
  }
}

interface ProblemFacts {
  readonly code: string
  readonly status?: number | undefined
  readonly param?: string | undefined
  readonly requestId?: string | undefined
}

/** The problem that an answer tells of. Reads its body. */
export async function problemOf(response: Response): Promise<ConsoleProblem> {
  const { status } = response
  const text = await response.text().catch(() => '')
  const { message, code, param, requestId } = errorIn(text)
  if (message === undefined)
    return new ConsoleProblem(
      `Something answered with status ${status}, and it was not the gateway. Is a proxy in between?`,
      { code: 'unreadable', status },
    )
  return new ConsoleProblem(message, {
    code: code ?? 'unreadable',
    status,
    param,
    requestId: requestId ?? response.headers.get('x-request-id') ?? undefined,
  })
}

/** That no answer came at all. */
export function unreachable(cause: unknown): ConsoleProblem {
  return new ConsoleProblem('The gateway does not answer. It may be stopped, or restarting.', {
    code: 'unreachable',
    cause,
  })
}

type ErrorBody = Partial<Record<'message' | 'code' | 'param' | 'requestId', string>>

function errorIn(text: string): ErrorBody {
  try {
    const value: unknown = JSON.parse(text)
    const error = member(value, 'error')
    return {
      ...said(error, 'message'),
      ...said(error, 'code'),
      ...said(error, 'param'),
      ...said(error, 'requestId'),
    }
  } catch {
    return {}
  }
}

function said(value: unknown, name: keyof ErrorBody): ErrorBody {
  const found = member(value, name)
  return typeof found === 'string' ? { [name]: found } : {}
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined
}
