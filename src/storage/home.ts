import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The folder that holds all state: `PARLEY_HOME`, or `.parley` in the user's own folder. */
export function homeFolder(environment: { readonly [name: string]: string | undefined }): string {
  const chosen = environment['PARLEY_HOME']
  return chosen === undefined || chosen === '' ? join(homedir(), '.parley') : resolve(chosen)
}

/** Where the database lies in that folder. */
export function databaseFile(home: string): string {
  return join(home, 'parley.db')
}
