import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A home of its own in a temporary folder, and the command line as a person types it there. */
export interface Person extends AsyncDisposable {
  /** The folder that commands run in. `PARLEY_HOME` is `state` within it. */
  readonly folder: string
  readonly home: string
  /** Writes a file there, and gives its path. */
  readonly write: (name: string, text: string) => string
  /** Runs a command to its end. */
  readonly run: (words: readonly string[], environment?: Environment) => Promise<Finished>
  /** Starts a command that goes on. */
  readonly start: (words: readonly string[], environment?: Environment) => Running
  /** Starts a gateway on a free port, and resolves when it serves. */
  readonly serve: (words?: readonly string[], environment?: Environment) => Promise<Serving>
}

type Environment = Readonly<Record<string, string>>

export interface Finished {
  readonly exitCode: number | null
  readonly out: string
  readonly error: string
}

export interface Running {
  readonly pid: number
  readonly exited: Promise<number | null>
  readonly out: Heard
  readonly error: Heard
  readonly kill: (signal: NodeJS.Signals) => void
}

/** What a process has written so far. */
export interface Heard {
  readonly text: string
  /** Resolves with everything so far when it holds these words; rejects if the output ends without them. */
  readonly until: (words: string) => Promise<string>
  readonly end: Promise<string>
}

/** What `parley serve --json` says. */
export interface Serving extends Running {
  readonly url: string
  readonly port: number
  readonly key: string
  readonly keyFile: string
  readonly config: string | null
  /** The origin of the console and of the admin API. */
  readonly adminUrl: string
  /** Where the first administrator is made, with the token; null where there is one. */
  readonly setupUrl: string | null
}

/** No test of the command line takes longer: what is left then is ended. */
const usualLongestMs = 30_000

const parley = new URL('../bin/parley', import.meta.url).pathname

/** Whatever this person starts is ended after `longestMs` milliseconds. */
export function newPerson(longestMs = usualLongestMs): Person {
  const folder = mkdtempSync(join(tmpdir(), 'parley-person-'))
  const home = join(folder, 'state')
  const processes: Running[] = []
  const start = (words: readonly string[], environment: Environment = {}): Running => {
    const running = started(words, {
      folder,
      environment: { PARLEY_HOME: home, PARLEY_ADMIN_PORT: '0', ...environment },
      longestMs,
    })
    processes.push(running)
    return running
  }
  return {
    folder,
    home,
    start,
    write(name, text) {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    },
    async run(words, environment) {
      const { exited, out, error } = start(words, environment)
      return { exitCode: await exited, out: await out.end, error: await error.end }
    },
    async serve(words = [], environment = {}) {
      const running = start(['serve', '--json', ...words], { PORT: '0', ...environment })
      const line = await running.out.until('\n')
      return { ...running, ...JSON.parse(line) }
    },
    async [Symbol.asyncDispose]() {
      for (const { kill } of processes) kill('SIGKILL')
      await Promise.all(processes.map(({ exited }) => exited))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function started(
  words: readonly string[],
  { folder, environment, longestMs }: Surroundings,
): Running {
  const child = Bun.spawn([parley, ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: longestMs,
    killSignal: 'SIGKILL',
  })
  return {
    pid: child.pid,
    exited: child.exited.then(() => child.exitCode),
    out: heard(child.stdout),
    error: heard(child.stderr),
    kill: (signal) => child.kill(signal),
  }
}

interface Surroundings {
  readonly folder: string
  readonly environment: Environment
  readonly longestMs: number
}

function heard(stream: ReadableStream<Uint8Array>): Heard {
  let text = ''
  let news = Promise.withResolvers<void>()
  let isOver = false
  const end = (async () => {
    const decoder = new TextDecoder()
    for await (const bytes of stream) {
      text += decoder.decode(bytes, { stream: true })
      news.resolve()
      news = Promise.withResolvers()
    }
    isOver = true
    news.resolve()
    return text
  })()
  return {
    get text() {
      return text
    },
    async until(words) {
      while (!text.includes(words)) {
        if (isOver) throw new Error(`The output ended without ${JSON.stringify(words)}: ${text}`)
        await news.promise
      }
      return text
    },
    end,
  }
}
