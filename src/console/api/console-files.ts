import { join } from 'node:path'

import { z } from 'zod'

import { listName } from './console-folder.ts'

const consoleFile = z.object({
  /** As browsers ask for it. */
  path: z.string().startsWith('/'),
  /** Where it lies in the folder, compressed by gzip. */
  file: z.string(),
  type: z.string(),
  /** Of the content as it is before it is compressed. */
  hash: z.string(),
  bytes: z.int(),
  packedBytes: z.int(),
})

export type ConsoleFile = Readonly<z.infer<typeof consoleFile>>

/** A file of the console, ready to be sent. */
export interface PackedFile extends ConsoleFile {
  readonly packed: Uint8Array<ArrayBuffer>
}

/**
 * Every file that was built, by the path that browsers ask for. They are kept in memory, compressed: no path from
 * outside ever reaches the disk, and a console that is built anew does not tear the one that is looked at. Undefined
 * where none was built.
 */
export async function readConsoleFiles(
  folder: string,
): Promise<ReadonlyMap<string, PackedFile> | undefined> {
  const list = Bun.file(join(folder, listName))
  if (!(await list.exists())) return undefined
  const files = await Promise.all(
    z
      .array(consoleFile)
      .parse(await list.json())
      .map(async (file) => ({
        ...file,
        packed: new Uint8Array(await Bun.file(join(folder, file.file)).arrayBuffer()),
      })),
  )
  return new Map(files.map((file) => [file.path, file]))
}
