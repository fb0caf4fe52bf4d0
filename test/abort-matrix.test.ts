import { expect, test } from 'bun:test'

import { abortMatrix } from '#test/crash/aborts.ts'
import { chatOf, messagesOf, recordings } from '#test/crash/recordings.ts'

test('a client that leaves after any frame is charged for what it was given, and its upstream is let go of (P6)', async () => {
  const real = recordings(20, 1).filter(({ name }) => /text|tool|reasoning|thinking/.test(name))
  const streams = [...real, chatOf(12), messagesOf(12)]
  const end = await abortMatrix(streams)
  expect(end.violations).toEqual([])
  expect(end.aborts).toBeGreaterThan(150)
  expect(end.exact).toBeGreaterThan(0)
  expect(end.estimated).toBeGreaterThan(0)
}, 60_000)
