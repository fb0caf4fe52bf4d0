import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

import { ModelFileError } from './model-file-error.ts'

/** So much is left for everybody else on the disk, in bytes. */
const reserve = 64 * 1024 * 1024

/** Throws `ModelFileError` if the disk has no room for so many more bytes, with the numbers. */
export async function checkRoom(file: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(file))
  const free = bavail * bsize
  if (bytes + reserve <= free) return
  throw new ModelFileError(
    'full',
    `${gibibytes(bytes)} are needed on the disk of ${dirname(file)}, and ${gibibytes(free)} are free. Make room, or set PARLEY_HOME to a larger disk.`,
  )
}

function gibibytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(2)} GiB`
}
