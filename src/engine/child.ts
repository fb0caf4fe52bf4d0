import type { Order, Report } from './orders.ts'

export interface ChildOptions {
  /** The program, and its arguments. */
  readonly command: readonly string[]
  /** All that the child sees of the environment. */
  readonly environment: Readonly<Record<string, string>>
  readonly onReport: (report: Report) => void
  /** Told once, when the process has ended, whatever ended it. */
  readonly onEnd: (how: string) => void
}

/** So much of what the child writes to standard error is kept, to say why it ended. */
const keptCharacters = 4096

/** The engine's process. Orders go to it and reports come back over the runtime's own channel. */
export class Child {
  readonly #process: Bun.Subprocess<'ignore', 'ignore', 'pipe'>
  #lastWords = ''

  /** Throws if the program cannot be started. */
  constructor({ command, environment, onReport, onEnd }: ChildOptions) {
    this.#process = Bun.spawn([...command], {
      env: { ...environment },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
      serialization: 'advanced',
      ipc: (report: Report) => onReport(report),
      onExit: (_process, exitCode, signal) => onEnd(howItEnded(exitCode, signal)),
    })
    void this.#listen()
  }

  get pid(): number {
    return this.#process.pid
  }

  /** What is fit for a log of the end of what it wrote to standard error. */
  get lastWords(): string {
    return loggable(this.#lastWords)
  }

  /** Gives an order. One that a dying child does not take is lost with all its work, of which `onEnd` tells. */
  send(order: Order): void {
    try {
      this.#process.send(order)
    } catch {
      // The channel is closed, so the process ends.
      this.kill()
    }
  }

  /** Ends the process at once, even a stopped one. It holds nothing that would have to be saved. */
  kill(): void {
    this.#process.kill('SIGKILL')
  }

  /** Resolves when the process is gone. */
  get ended(): Promise<unknown> {
    return this.#process.exited
  }

  async #listen(): Promise<void> {
    const decoder = new TextDecoder()
    for await (const bytes of this.#process.stderr)
      this.#lastWords = (this.#lastWords + decoder.decode(bytes, { stream: true })).slice(
        -keptCharacters,
      )
  }
}

/** What our own child says of itself, failed assertions of llama.cpp, and modules that are missing. */
const fitLine =
  /^(?:engine: |GGML_ASSERT|\S+\.(?:cpp|cu|c|h|m|metal):\d+: |(?:error: )?(?:Cannot find|Module not found))/
const longestLine = 200

/** Native code prints what it was given to compute, schemas among it: only lines that are known to hold none are kept. */
export function loggable(words: string): string {
  return words
    .split('\n')
    .filter((line) => fitLine.test(line))
    .map((line) => line.slice(0, longestLine))
    .join('\n')
}

function howItEnded(exitCode: number | null, signal: number | string | null): string {
  if (signal !== null) return `was ended by ${nameOf(signal)}`
  return `ended with status ${exitCode}`
}

const signalNames: Readonly<Record<number, string>> = {
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
}

function nameOf(signal: number | string): string {
  return typeof signal === 'string' ? signal : (signalNames[signal] ?? `signal ${signal}`)
}
