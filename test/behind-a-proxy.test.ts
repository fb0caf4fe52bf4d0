import { expect, test } from 'bun:test'

import { goodReply } from './faults/answers.ts'
import { newPerson } from './run-parley.ts'
import { json, startScriptedUpstream } from './scripted-upstream.ts'

const answer = goodReply['chat-completions']

test('upstreams of this machine are asked straight, and others by the proxy that the environment names', async () => {
  await using near = await startScriptedUpstream(() => json(200, answer))
  const asked: string[] = []
  // What an http proxy is: somebody who is sent whole URLs of others. It thinks for longer than one who is not there may.
  using proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async ({ url }) => {
      asked.push(url)
      await Bun.sleep(3000)
      return Response.json(answer)
    },
  })
  await using person = newPerson()
  const upstream = (url: string) => ({ protocol: 'chat-completions', url, serves: ['model-a'] })
  person.write(
    'parley.yaml',
    JSON.stringify({
      upstreams: { near: upstream(near.url), far: upstream('http://models.invalid/v1') },
      engine: { enabled: false },
    }),
  )
  const gateway = await person.serve([], { HTTP_PROXY: proxy.url.origin, NO_PROXY: '' })
  const ask = async (model: string): Promise<number> => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    await response.text()
    return response.status
  }
  expect(await ask('near/model-a')).toBe(200)
  expect(asked).toEqual([])
  expect(await ask('far/model-a')).toBe(200)
  expect(asked).toEqual(['http://models.invalid/v1/chat/completions'])
})
