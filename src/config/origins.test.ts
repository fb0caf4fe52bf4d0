import { expect, test } from 'bun:test'

import { fillFromEnvironment } from './environment.ts'
import { originsOf, overridden } from './origins.ts'

test('every value of a file is known to come from it, or from the environment where it refers to that', () => {
  const written = {
    listen: { port: 9000 },
    upstreams: { a: { key: '${KEY}', tags: ['x', '${KEY}'] } },
    models: {},
  }
  const origins = originsOf(fillFromEnvironment(written, { KEY: 'k' }))
  expect(origins.map(({ path, from }) => `${path.join('/')} ${from}`)).toEqual([
    'listen/port file',
    'upstreams/a/key environment',
    'upstreams/a/tags/0 file',
    'upstreams/a/tags/1 environment',
    'models file',
  ])
  expect(originsOf(fillFromEnvironment({}, {}))).toEqual([])
})

test('what is said last of a value counts, and the rest stays', () => {
  const port = ['listen', 'port']
  const host = ['listen', 'host']
  const over = overridden(
    [
      { path: port, from: 'file' },
      { path: host, from: 'file' },
    ],
    [
      { path: port, from: 'environment' },
      { path: port, from: 'command-line' },
    ],
  )
  expect(over).toEqual([
    { path: port, from: 'command-line' },
    { path: host, from: 'file' },
  ])
})
