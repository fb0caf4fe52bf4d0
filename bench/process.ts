import { readdirSync, readFileSync } from 'node:fs'

/** A process under test, with what it takes to load it and to look at it. */
export interface Running {
  readonly pid: number
  readonly url: string
  /** Milliseconds from the start of the process to its first reply. */
  readonly startMs: number
  readonly stop: () => Promise<void>
}

const ticksPerSecond = 100

/** CPU time that a process and its children have used, in microseconds, all threads together. */
export function cpuMicroseconds(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + ownCpu(each), 0)
}

/** Resident memory of a process and its children, in MB. */
export function residentMegabytes(pid: number): number {
  const kilobytes = [pid, ...childrenOf(pid)].map((each) => {
    const line = readFileSync(`/proc/${each}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)
    return Number(line?.[1] ?? 0)
  })
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024
}

function ownCpu(pid: number): number {
  // The name of the program stands in brackets and may hold blanks; what follows it does not.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / ticksPerSecond
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
      .split(' ')
      .filter((text) => text.length > 0)
      .map(Number),
  )
}

/** Starts a program and gives its first line of output: the port, or whatever it says when it is ready. */
export async function firstLine(
  child: Bun.Subprocess<'ignore', 'pipe', 'inherit'>,
): Promise<string> {
  const reader = child.stdout.getReader()
  let text = ''
  while (!text.includes('\n')) {
    const { value, done } = await reader.read()
    if (done) throw new Error('The program ended before it was ready.')
    text += new TextDecoder().decode(value)
  }
  reader.releaseLock()
  return text.split('\n')[0] ?? ''
}

/** Ends a process that this benchmark started, and waits until it is gone. */
export async function ended(child: Bun.Subprocess): Promise<void> {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 3000)
  await child.exited
  clearTimeout(timer)
}
