import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Keys } from '#keys/keys.ts'
import { Storage } from '#storage/database.ts'

import { repository } from './gateway-process.ts'
import { examine } from './oracle.ts'
import type { Chance } from './seeded.ts'

export interface CommandsEnd {
  readonly kills: number
  /** Keys that a command had shown before it was killed, or while it was. */
  readonly shown: number
  readonly violations: readonly string[]
}

export interface CommandsOptions {
  readonly chance: Chance
  readonly kills: number
  readonly isOver?: () => boolean
}

/** Kills `parley keys create` and `parley keys rotate` at random moments: a key that was shown works, and so do the old ones. */
export async function killedCommands(options: CommandsOptions): Promise<CommandsEnd> {
  const { chance, kills, isOver = () => false } = options
  const folder = mkdtempSync(join(tmpdir(), 'parley-commands-'))
  const file = join(folder, 'parley.db')
  try {
    const first = await issued(file)
    const shown = [first.text]
    const violations: string[] = []
    let count = 0
    for (; count < kills && !isOver(); count++) {
      const words = chance.in(0.5) ? ['create', '--name', 'more'] : ['rotate', first.id]
      const text = await killed(folder, words, chance.between(80, longestMs))
      if (text !== undefined) shown.push(text)
      violations.push(...(await refused(file, shown)))
      const nobodyElse = { seen: [], served: [], keys: [], isRecovered: true }
      violations.push(...examine(file, nobodyElse).violations)
    }
    return { kills: count, shown: shown.length - 1, violations }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A command takes about so long. */
const longestMs = 700

async function issued(file: string): Promise<{ readonly id: string; readonly text: string }> {
  using storage = await Storage.open(file)
  const { id, key } = await new Keys(storage).issue({ name: 'first' })
  return { id, text: key.reveal() }
}

/** The key that the command had shown when it was killed, if it had come so far. */
async function killed(
  folder: string,
  words: readonly string[],
  afterMs: number,
): Promise<string | undefined> {
  const command = [join(repository, 'bin/parley'), 'keys', ...words, '--json']
  const child = Bun.spawn(command, {
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, PARLEY_HOME: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
  const said = await new Response(child.stdout).text()
  await child.exited
  clearTimeout(timer)
  return said.endsWith('\n') ? String(JSON.parse(said).key) : undefined
}

async function refused(file: string, shown: readonly string[]): Promise<string[]> {
  using storage = await Storage.open(file, { check: true })
  const keys = new Keys(storage)
  // What a rotation replaces is valid for a day more.
  return shown.flatMap((text) => {
    try {
      keys.verify([text])
      return []
    } catch (error) {
      return [`a key that was shown is refused after a kill: ${String(error)}`]
    }
  })
}
