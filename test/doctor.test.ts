import { afterAll, expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { json, startScriptedUpstream } from './scripted-upstream.ts'
import { removeHomes, terminal } from './terminal.ts'

interface Finding {
  readonly what: string
  readonly state: string
  readonly found: string
  readonly advice?: string
}

/** What the doctor finds in a fresh home with this config. */
async function examined(config: object) {
  const { home, run } = terminal({ now: Date.now })
  const file = join(home, 'parley.yaml')
  writeFileSync(file, JSON.stringify(config))
  await run('keys', 'create', '--name', 'ci', '--expires', '3d', '--json')
  chmodSync(home, 0o755)
  const { exitCode, printed, hinted } = await run('doctor', '--config', file, '--json')
  const findings = JSON.parse(printed) as readonly Finding[]
  const of = (what: string) => findings.find((one) => one.what === what)
  return { exitCode, printed, hinted, of }
}

afterAll(removeHomes)

test('the doctor finds what is well, what is odd and what is ill, and says what to do', async () => {
  await using good = await startScriptedUpstream(() =>
    json(200, { object: 'list', data: [{ id: 'm' }] }, { date: new Date().toUTCString() }),
  )
  await using bad = await startScriptedUpstream(() =>
    json(401, { error: { message: 'no' } }, { date: new Date().toUTCString() }),
  )
  const protocol = 'chat-completions'
  const found = await examined({
    upstreams: {
      good: { protocol, url: good.url },
      bad: { protocol, url: bad.url, key: 'sk-canary' },
      gone: { protocol, url: 'http://127.0.0.1:1/v1' },
      'bad-named': { protocol, url: bad.url, key: 'sk-canary', serves: ['m'] },
      'gone-named': { protocol, url: 'http://127.0.0.1:1/v1', serves: ['m'] },
    },
    engine: { enabled: false },
  })
  expect(found.of('config')?.state).toBe('well')
  expect(found.of('home')).toMatchObject({
    state: 'odd',
    found: expect.stringMatching(/can be read/),
  })
  expect(found.of('database')?.state).toBe('well')
  expect(found.of('ledger')?.state).toBe('well')
  expect(found.of('keys')).toMatchObject({
    state: 'odd',
    advice: expect.stringMatching(/1 expire/),
  })
  expect(found.of('clock')?.state).toBe('well')
  expect(found.of('upstream good')).toMatchObject({
    state: 'well',
    found: expect.stringMatching(/^1 models/),
  })
  expect(found.of('upstream bad')?.state).toBe('ill')
  expect(found.of('upstream bad-named')?.state).toBe('ill')
  expect(found.of('upstream gone-named')?.state).toBe('ill')
  expect(found.of('upstream gone')).toMatchObject({
    state: 'ill',
    advice: expect.stringMatching(/url/),
  })
  expect(found.exitCode).toBe(69)
  expect(found.printed + found.hinted).not.toContain('sk-canary')
})

test('the doctor sees a clock that is wrong', async () => {
  const date = new Date(Date.now() - 3_600_000).toUTCString()
  await using up = await startScriptedUpstream(() => json(200, { data: [] }, { date }))
  const upstreams = { up: { protocol: 'chat-completions', url: up.url } }
  const found = await examined({ upstreams, engine: { enabled: false } })
  expect(found.of('clock')).toMatchObject({
    state: 'ill',
    found: expect.stringMatching(/3[56]\d\d s ahead/),
  })
})

test('the doctor tells of a config that cannot be used', async () => {
  const found = await examined({ upstreams: { up: {} } })
  expect(found.of('config')).toMatchObject({
    state: 'ill',
    advice: expect.stringMatching(/parley check/),
  })
  expect(found.exitCode).toBe(69)
})
