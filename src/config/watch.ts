import { stat } from 'node:fs/promises'

export interface WatchOptions {
  /** How often to look, in milliseconds. */
  readonly everyMs?: number
  readonly signal: AbortSignal
}

/**
 * Calls when a file has become another one: changed in place, replaced by an editor, or behind a link that was moved.
 * It looks at the file now and then, because notices of the file system get lost in just these cases.
 */
export async function watchFile(
  path: string,
  onChange: () => void,
  { everyMs = 1000, signal }: WatchOptions,
): Promise<void> {
  let known = await identity(path)
  const look = async (): Promise<void> => {
    const found = await identity(path)
    // A file that is gone is about to be replaced, or was taken away: what is known of it stays in force.
    if (found === undefined || found === known || signal.aborted) return
    known = found
    onChange()
  }
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}

/** What changes whenever a file does. */
async function identity(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeMs } = await stat(path)
    return `${ino}:${size}:${mtimeMs}`
  } catch {
    // Not there at this moment.
    return undefined
  }
}
