import { expect, test } from 'bun:test'

import { repository } from './gateway-process.ts'
import { mutations } from './mutation-list.ts'

test.each(mutations)('the bug "$name" can still be put back', async ({ file, find, tests }) => {
  const text = await Bun.file(`${repository}/${file}`).text()
  expect(text.split(find).length - 1).toBe(1)
  for (const path of tests) expect(await Bun.file(`${repository}/${path}`).exists()).toBe(true)
})
