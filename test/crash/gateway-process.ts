/** A gateway in a process of its own, as an operator starts it. */
export interface GatewayProcess {
  readonly pid: number
  readonly port: number
  /** Resolves when the process is gone, with the signal that ended it. */
  readonly exited: Promise<string>
  /** Kills it and waits until it is gone. */
  readonly kill: () => Promise<void>
}

export interface Starting {
  /** The folder with `parley.yaml`; the state lies in `state` within it. */
  readonly folder: string
  readonly environment?: Readonly<Record<string, string>>
  /** A command that runs the gateway's, and becomes it: `strace -D …`. */
  readonly under?: readonly string[]
  /** Where the program lies; this repository by default. */
  readonly root?: string
}

export const repository = new URL('../..', import.meta.url).pathname

/** Time that a start may take. A machine that is busy with everything else is slow. */
const longestStartMs = 30_000

/** Resolves when the gateway serves, or with what it said if it ended before that. */
export async function startProcess(starting: Starting): Promise<GatewayProcess | StartFailure> {
  const { folder, environment = {}, under = [], root = repository } = starting
  const child = Bun.spawn([...under, `${root}/bin/parley`, 'serve', '--json', '--port', '0'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      PARLEY_HOME: `${folder}/state`,
      PARLEY_ADMIN_PORT: '0',
      ...environment,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const patience = setTimeout(() => child.kill('SIGKILL'), longestStartMs)
  const complaint = new Response(child.stderr).text()
  const line = await firstLine(child.stdout)
  clearTimeout(patience)
  if (line === undefined) {
    await child.exited
    return { complaint: await complaint, signal: String(child.signalCode) }
  }
  return {
    pid: child.pid,
    port: Number(JSON.parse(line).port),
    exited: child.exited.then(() => String(child.signalCode)),
    kill: async () => {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

/** A gateway that ended before it served. */
export interface StartFailure {
  readonly complaint: string
  readonly signal: string
}

export function hasStarted(started: GatewayProcess | StartFailure): started is GatewayProcess {
  return 'pid' in started
}

/** The first line, and the rest of the stream read to nowhere; undefined if it ends without one. */
async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const reader = stream.getReader()
  let text = ''
  while (!text.includes('\n')) {
    const { value, done } = await reader.read()
    if (done) return undefined
    text += new TextDecoder().decode(value)
  }
  void (async () => {
    while (!(await reader.read()).done);
  })().catch(() => {})
  return text.slice(0, text.indexOf('\n'))
}
