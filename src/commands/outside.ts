import { createInterface } from 'node:readline/promises'

/** What a command sees of the world around it. */
export interface Outside {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Whether a person is there who can be asked. */
  readonly isInteractive: boolean
  /** How many columns a table may take. */
  readonly columns: number
  /** Unix milliseconds. */
  readonly now: () => number
  /** Writes a result, with a line end. */
  readonly print: (text: string) => void
  /** Writes what is no result: hints, warnings. */
  readonly hint: (text: string) => void
  /** Writes as it is, to a terminal where a line can be written over; absent where there is none. */
  readonly rewrite?: ((text: string) => void) | undefined
  /** Asks for one line. */
  readonly ask: (question: string) => Promise<string>
}

/** A table has to fit where there is no terminal to ask for its width. */
const usualColumns = 100

/** The process's own terminal and environment. */
export function processOutside(): Outside {
  const { stdin, stdout, stderr } = process
  return {
    environment: process.env,
    isInteractive: stdin.isTTY && stdout.isTTY,
    columns: stdout.columns || usualColumns,
    now: Date.now,
    print: (text) => void stdout.write(`${text}\n`),
    hint: (text) => void stderr.write(`${text}\n`),
    rewrite: stderr.isTTY ? (text) => void stderr.write(text) : undefined,
    async ask(question) {
      using lines = createInterface({ input: stdin, output: stderr })
      return lines.question(question)
    },
  }
}
