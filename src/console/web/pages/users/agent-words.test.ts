import { expect, test } from 'bun:test'

import { agentWords } from './agent-words.ts'

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    'Firefox 145 on Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge 140 on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'Safari 18 on macOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome 140 on Android',
  ],
  ['curl/8.7.1', 'curl 8'],
  ['something of our own', 'something of our own'],
  ['x'.repeat(90), `${'x'.repeat(40)}…`],
  [' ', 'unknown'],
  [null, 'unknown'],
])('%p is %p', (agent, words) => {
  expect(agentWords(agent)).toBe(words)
})
