import { expect, test } from 'bun:test'
import { mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { watchFile } from './watch.ts'

test('a file is noticed when it is written, replaced, or linked to another', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-watch-'))
  const path = join(folder, 'parley.yaml')
  const ending = new AbortController()
  let noticed = Promise.withResolvers<void>()
  let count = 0
  try {
    await writeFile(path, 'a')
    const onChange = () => {
      count++
      noticed.resolve()
    }
    await watchFile(path, onChange, { everyMs: 2, signal: ending.signal })
    const changes = [
      () => writeFile(path, 'longer'),
      async () => {
        await writeFile(`${path}.new`, 'again')
        await rename(`${path}.new`, path)
      },
      async () => {
        await writeFile(join(folder, 'other'), 'elsewhere')
        await unlink(path)
        await symlink(join(folder, 'other'), path)
      },
    ]
    for (const change of changes) {
      noticed = Promise.withResolvers<void>()
      await change()
      await noticed.promise
    }
    expect(count).toBeGreaterThanOrEqual(3)
  } finally {
    ending.abort()
    await rm(folder, { recursive: true })
  }
})
