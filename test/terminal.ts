import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

import type { ExitCode } from '#commands/exit-codes.ts'
import type { Outside } from '#commands/outside.ts'
import { runProgram } from '#commands/program.ts'

/** The clock of every terminal: 2026-01-31 14:05 UTC. */
export const terminalNow = Date.UTC(2026, 0, 31, 14, 5)

const homes: string[] = []

export interface Terminal {
  readonly home: string
  /** What it was asked so far. */
  readonly questions: readonly string[]
  readonly run: (...args: string[]) => Promise<Ran>
}

export interface Ran {
  readonly exitCode: ExitCode
  readonly printed: string
  readonly hinted: string
}

/** A home of its own, and the command line as somebody at a terminal sees it, without colours. */
export function terminal(settings: Partial<Outside> & { readonly answer?: string } = {}): Terminal {
  const home = mkdtempSync(join(tmpdir(), 'parley-terminal-'))
  homes.push(home)
  const questions: string[] = []
  let printed: string[] = []
  let hinted: string[] = []
  const outside: Outside = {
    environment: { PARLEY_HOME: home },
    isInteractive: false,
    columns: 100,
    now: () => terminalNow,
    print: (text) => void printed.push(text),
    hint: (text) => void hinted.push(text),
    ask: async (question) => {
      questions.push(question)
      return settings.answer ?? ''
    },
    ...settings,
  }
  return {
    home,
    questions,
    async run(...args) {
      printed = []
      hinted = []
      const exitCode = await runProgram(args, outside)
      const shown = (lines: string[]): string => stripVTControlCharacters(lines.join('\n'))
      return { exitCode, printed: shown(printed), hinted: shown(hinted) }
    },
  }
}

/** To be called after all tests of a file. */
export function removeHomes(): void {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true })
}
