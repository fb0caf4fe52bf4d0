import { expect, test } from 'bun:test'

import { usageCsv, usageJson } from './usage-file.ts'
import type { UsageRow } from './usage-row.ts'

const row: UsageRow = {
  by: { key: '=HYPERLINK("http://evil")' },
  keyId: 'k1',
  exchanges: 3,
  failed: 1,
  estimated: 0,
  unpriced: 0,
  input: 10,
  cacheRead: 2,
  cacheWrite: 0,
  output: 7,
  reasoning: 0,
  cost: 1234,
  excess: 0,
}

test('a report is a line for each group, and no name is a formula', () => {
  expect(usageCsv([row], 'key').split('\r\n')).toEqual([
    'key,keyId,exchanges,failed,estimated,unpriced,input,cacheRead,cacheWrite,output,reasoning,cost,excess',
    `"'=HYPERLINK(""http://evil"")",k1,3,1,0,0,10,2,0,7,0,1234,0`,
    '',
  ])
})

test('a report as JSON is what the API said', () => {
  expect(JSON.parse(usageJson([row]))).toEqual([row])
})
