import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Where pictures and figures go: named by `PARLEY_ARTEFACTS`, or a folder of its own for each run. */
let folder: string | undefined

/** The path of a file there. */
export function artefact(name: string): string {
  return join(artefactFolder(), name)
}

export function artefactFolder(): string {
  folder ??= made(process.env['PARLEY_ARTEFACTS'])
  return folder
}

function made(named: string | undefined): string {
  if (named === undefined || named === '') return mkdtempSync(join(tmpdir(), 'parley-browser-'))
  mkdirSync(named, { recursive: true })
  return resolve(named)
}
