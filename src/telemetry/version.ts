import { readFileSync } from 'node:fs'

let known: string | undefined

/** The version of Parley that runs. */
export function version(): string {
  known ??= String(JSON.parse(readFileSync(packageFile, 'utf8')).version)
  return known
}

const packageFile = new URL('../../package.json', import.meta.url)
