import { expect, test } from 'bun:test'

const script = new URL('work.child.ts', import.meta.url).pathname
const bun = new URL('../../bin/parley-bun', import.meta.url).pathname

interface Growth {
  readonly name: string
  readonly growth: number
}

test('T11: eight times as much of any stream is eight times the work, counted and not timed, in every lane', async () => {
  const child = Bun.spawn([bun, script], { stdout: 'pipe', stderr: 'inherit' })
  const growths: readonly Growth[] = JSON.parse(await new Response(child.stdout).text())
  // What is done once for a stream, whatever its length, makes it a little less; rounding a little more.
  expect(growths.filter(({ growth }) => !(growth > 2 && growth < 9))).toEqual([])
  expect(growths.length).toBeGreaterThan(100)
}, 60_000)
