import { AdminProblem } from '#console/access/problem.ts'

interface Told<Result> {
  readonly event: 'progress' | 'done' | 'failed'
  readonly data: Progress | Result | Failure
}

interface Progress {
  readonly file: string
  readonly bytes: number
  readonly total: number | null
}

interface Failure {
  readonly code: string
  readonly message: string
}

type OnProgress = (file: string, bytes: number, total: number | undefined) => void

/**
 * How far something is, as events: the latest progress whenever the reader is ready for it, then the result or the
 * failure. What a slow reader missed in between is not kept.
 */
export async function* progressOf<Result extends object>(
  signal: AbortSignal,
  work: (onProgress: OnProgress) => Promise<Result>,
): AsyncGenerator<Told<Result>> {
  const soFar: SoFar<Result> = { latest: undefined, over: undefined, wake: Promise.withResolvers() }
  const tell = (told: Partial<Pick<SoFar<Result>, 'latest' | 'over'>>): void => {
    Object.assign(soFar, told)
    soFar.wake.resolve()
  }
  signal.addEventListener('abort', () => soFar.wake.resolve())
  const onProgress: OnProgress = (file, bytes, total) => {
    signal.throwIfAborted()
    tell({ latest: { event: 'progress', data: { file, bytes, total: total ?? null } } })
  }
  work(onProgress).then(
    (result) => tell({ over: { event: 'done', data: result } }),
    (error: unknown) => tell({ over: { event: 'failed', data: wordsOf(error) } }),
  )
  while (!signal.aborted) {
    await soFar.wake.promise
    soFar.wake = Promise.withResolvers()
    const { latest, over } = soFar
    soFar.latest = undefined
    if (latest !== undefined) yield latest
    if (over === undefined) continue
    yield over
    return
  }
}

interface SoFar<Result> {
  latest: Told<Result> | undefined
  over: Told<Result> | undefined
  wake: PromiseWithResolvers<void>
}

function wordsOf(error: unknown): Failure {
  const { code, message } = AdminProblem.from(error)
  return { code, message }
}
