import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { fullDisk, type FullDiskEnd } from './faults.ts'
import { repository } from './gateway-process.ts'
import { seeded } from './seeded.ts'

/** How large the disk is: room for the gateway's files and a second of load. */
const diskSize = '32m'

/**
 * Runs the test of a full disk on a file system in memory, which only a namespace of its own sees. Undefined where
 * this machine does not allow that.
 */
export async function onSmallDisk(seed: number): Promise<FullDiskEnd | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-disk-'))
  const mount = `mount -t tmpfs -o size=${diskSize} tmpfs '${folder}'`
  try {
    const allowed = Bun.spawnSync(['unshare', '-m', 'sh', '-c', mount])
    if (allowed.exitCode !== 0) return undefined
    const program = `${mount} && exec ${repository}/bin/parley-bun ${import.meta.path} '${folder}' ${seed}`
    const child = Bun.spawn(['unshare', '-m', 'sh', '-c', program], {
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [said, complaint] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    if ((await child.exited) !== 0) throw new Error(`The test of a full disk failed: ${complaint}`)
    return JSON.parse(said)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const [folder = '', seed = '1'] = process.argv.slice(2)
  process.stdout.write(JSON.stringify(await fullDisk(folder, seeded(Number(seed)))))
}
