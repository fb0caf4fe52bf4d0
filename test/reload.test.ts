import { expect, test } from 'bun:test'
import { rename } from 'node:fs/promises'

import { newPerson, type Serving } from './run-parley.ts'
import { dataFrames, json, sse, startScriptedUpstream } from './scripted-upstream.ts'

const aliasFor = (url: string, alias: string): string =>
  `upstreams: { up: { protocol: chat-completions, url: "${url}", serves: [m] } }
models: { ${alias}: { targets: [up/m] } }
`

async function modelsOf({ url, key }: Serving): Promise<string[]> {
  const response = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
  const { data } = (await response.json()) as { data: { id: string }[] }
  return data.map(({ id }) => id)
}

const lists = () => startScriptedUpstream([json(200, { data: [] })])

test('a config that is saved is in force soon after, without a restart', async () => {
  await using upstream = await lists()
  await using person = newPerson()
  const path = person.write('parley.yaml', aliasFor(upstream.url, 'before'))
  const running = await person.serve()
  expect(await modelsOf(running)).toContain('before')
  // As editors do it: a new file in the place of the old one.
  await rename(person.write('parley.yaml.new', aliasFor(upstream.url, 'after')), path)
  await running.error.until('is in force')
  expect(await modelsOf(running)).toContain('after')
  expect(await modelsOf(running)).not.toContain('before')
})

test('SIGHUP reads the config at once, also one that was not there before', async () => {
  await using upstream = await lists()
  await using person = newPerson()
  const running = await person.serve()
  expect(running.config).toBeNull()
  person.write('parley.yaml', aliasFor(upstream.url, 'new'))
  running.kill('SIGHUP')
  await running.error.until('is in force')
  expect(await modelsOf(running)).toContain('new')
})

test('a config that cannot be used changes nothing, and one line says everything that is wrong', async () => {
  await using upstream = await lists()
  await using person = newPerson()
  person.write('parley.yaml', aliasFor(upstream.url, 'good'))
  const running = await person.serve()
  person.write('parley.yaml', 'limits: { bdy: 1 }\nlog: { level: loud }\n')
  running.kill('SIGHUP')
  const log = await running.error.until('\n')
  expect(log.trim().split('\n')).toHaveLength(1)
  const { msg, level } = JSON.parse(log)
  expect(level).toBe(50)
  expect(msg).toContain('the former one stays in force')
  expect(msg).toContain('limits.bdy: found an unknown key, did you mean `body`?; log.level: found')
  expect(await modelsOf(running)).toContain('good')
})

test('what only an upstream itself can find wrong keeps the former config too', async () => {
  await using upstream = await lists()
  await using person = newPerson()
  person.write('parley.yaml', aliasFor(upstream.url, 'good'))
  const running = await person.serve()
  person.write('parley.yaml', aliasFor('ftp://127.0.0.1/v1', 'bad'))
  running.kill('SIGHUP')
  expect(await running.error.until('\n')).toContain('upstreams.up')
  expect(await modelsOf(running)).toContain('good')
})

test('where it listens stays until the next start, and that is said', async () => {
  await using person = newPerson()
  person.write('parley.yaml', 'listen: { host: 127.0.0.1 }')
  const running = await person.serve()
  person.write('parley.yaml', 'listen: { host: localhost }')
  running.kill('SIGHUP')
  await running.error.until('takes effect at the next start')
  expect((await fetch(`${running.url}/healthz`)).status).toBe(200)
})

test('a stream that is open across a reload ends as it began', async () => {
  const rest = Promise.withResolvers<void>()
  const frames = dataFrames(
    { id: 'c', model: 'm', choices: [{ index: 0, delta: { content: 'one ' } }] },
    {
      id: 'c',
      model: 'm',
      choices: [{ index: 0, delta: { content: 'two' }, finish_reason: 'stop' }],
    },
  )
  await using upstream = await startScriptedUpstream(() =>
    sse(frames, { cutAt: [Buffer.byteLength(frames[0] ?? '')], between: () => rest.promise }),
  )
  await using other = await lists()
  await using person = newPerson()
  person.write('parley.yaml', aliasFor(upstream.url, 'before'))
  const running = await person.serve()
  const response = await fetch(`${running.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${running.key}`, 'content-type': 'application/json' },
    body: '{"model":"before","stream":true,"messages":[{"role":"user","content":"Count."}]}',
  })
  person.write('parley.yaml', aliasFor(other.url, 'after'))
  running.kill('SIGHUP')
  await running.error.until('is in force')
  expect(await modelsOf(running)).not.toContain('before')
  rest.resolve()
  const text = await response.text()
  expect(text).toContain('two')
  expect(text).toEndWith('data: [DONE]\n\n')
})
