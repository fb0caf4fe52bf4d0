import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { DiskReserve } from './disk-reserve.ts'

test('a reserve takes a mebibyte, gives it away once, and takes it again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-reserve-'))
  const file = join(folder, 'boot.reserve')
  {
    using reserve = new DiskReserve(file)
    // A sparse file would have the length and not the room.
    expect(statSync(file).blocks * 512).toBeGreaterThanOrEqual(1024 * 1024)
    expect([reserve.release(), reserve.release()]).toEqual([true, false])
    expect(existsSync(file)).toBe(false)
    expect(reserve.hold()).toBe(true)
    expect(existsSync(file)).toBe(true)
  }
  expect(existsSync(file)).toBe(false)
  rmSync(folder, { recursive: true })
})

test('a reserve that finds no room is none, and leaves nothing behind', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-reserve-'))
  rmSync(folder, { recursive: true })
  using reserve = new DiskReserve(join(folder, 'boot.reserve'))
  expect([reserve.hold(), reserve.release()]).toEqual([false, false])
})
