import { readFile } from 'node:fs/promises'
import { freemem } from 'node:os'

/** How many bytes this process may take: what is free, in its container too, and at most `limit`. */
export async function freeMemory(limit = Infinity): Promise<number> {
  return Math.min(limit, await available(), await leftInContainer())
}

/** Linux counts pages that it can take back as used, unless asked for what is available. */
async function available(): Promise<number> {
  const table = await textOf('/proc/meminfo')
  const kibibytes = /^MemAvailable:\s+(\d+) kB/m.exec(table)?.[1]
  return kibibytes === undefined ? freemem() : Number(kibibytes) * 1024
}

const containers = [
  ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory.current'],
  ['/sys/fs/cgroup/memory/memory.limit_in_bytes', '/sys/fs/cgroup/memory/memory.usage_in_bytes'],
] as const

async function leftInContainer(): Promise<number> {
  for (const [limitFile, usedFile] of containers) {
    const limit = Number.parseInt(await textOf(limitFile), 10)
    const used = Number.parseInt(await textOf(usedFile), 10)
    if (limit > 0 && used >= 0) return Math.max(0, limit - used)
  }
  return Infinity
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    // Other systems have no such file.
    return ''
  }
}
