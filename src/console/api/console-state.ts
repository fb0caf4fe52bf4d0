import { stat } from 'node:fs/promises'
import { join } from 'node:path'

import { Glob } from 'bun'

import { consoleFolder, consoleSources, listName } from './console-folder.ts'

/** Whether the console that is served is that of the sources beside it. */
export type ConsoleState = 'built' | 'missing' | 'stale'

/** Looks at times alone: that costs a millisecond, and a console that is built once too often harms nobody. */
export async function consoleState(
  folder: string = consoleFolder,
  sources: string = consoleSources,
): Promise<ConsoleState> {
  const builtAt = await changedAt(join(folder, listName))
  if (builtAt === undefined) return 'missing'
  const files = await Array.fromAsync(new Glob('**/*.{ts,tsx,css,html}').scan(sources))
  const times = await Promise.all(
    files.filter((file) => !file.includes('.test.')).map((file) => changedAt(join(sources, file))),
  )
  return times.some((time) => time !== undefined && time > builtAt) ? 'stale' : 'built'
}

/** Unix milliseconds; undefined where there is no such file. */
async function changedAt(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs
  } catch {
    // What cannot be looked at is not there for us.
    return undefined
  }
}
