/**
 * The load, as a process of its own: reads one job as JSON from the environment, prints one result as JSON.
 * Only ever pointed at loopback, and bounded by the number of requests that the job names.
 */
export interface LoadJob {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly clients: number
  readonly requests: number
}

export interface LoadResult {
  readonly requests: number
  readonly failures: number
  readonly chunks: number
  readonly seconds: number
  /** Milliseconds to the first byte of each body, sorted. */
  readonly firstByteMs: readonly number[]
}

async function run(job: LoadJob): Promise<LoadResult> {
  const firstByteMs: number[] = []
  let left = job.requests
  let failures = 0
  let chunks = 0
  const client = async (): Promise<void> => {
    while (left-- > 0) {
      const started = performance.now()
      const answer = await fetch(job.url, { method: 'POST', headers: job.headers, body: job.body })
      let isFirst = true
      for await (const chunk of answer.body ?? []) {
        if (isFirst) firstByteMs.push(performance.now() - started)
        isFirst = false
        chunks += chunk.length > 0 ? 1 : 0
      }
      if (answer.status !== 200) failures++
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: job.clients }, client))
  const seconds = (performance.now() - started) / 1000
  return {
    requests: job.requests,
    failures,
    chunks,
    seconds,
    firstByteMs: firstByteMs.toSorted((a, b) => a - b),
  }
}

const job = process.env['BENCH_JOB']
if (job !== undefined) console.log(JSON.stringify(await run(JSON.parse(job))))
