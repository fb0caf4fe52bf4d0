import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { adminRig, type AdminRig, type Browser, type Json } from './admin-rig.ts'
import { close, json, type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.ts'

const secret = 'sk-not-to-be-seen-4711'

let rig: AdminRig
let admin: Browser
let box: ScriptedUpstream

beforeAll(async () => {
  box = await startScriptedUpstream(({ headers }) =>
    headers.get('authorization') === `Bearer ${secret}`
      ? json(200, { object: 'list', data: [{ id: 'qwen', object: 'model', created: 1 }] })
      : json(401, { error: { message: 'No such key.', type: 'invalid_request_error' } }),
  )
  rig = await adminRig({
    config: {
      upstreams: {
        box: { protocol: 'chat-completions', url: box.url, serves: ['qwen', 'llama'] },
        ours: { vendor: 'openai', url: box.url, serves: ['gpt-5.4'] },
      },
      models: {
        smart: {
          targets: [{ target: 'ours/gpt-5.4', weight: 3 }, 'box/qwen'],
          strategy: 'weighted',
          rescue: 'box/llama',
        },
      },
    },
  })
  admin = await rig.signedIn('admin')
})

afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  await box[Symbol.asyncDispose]()
})

test('a model is listed with its targets and what they cost', async () => {
  const { models } = await admin.ask('GET', '/api/models')
  const smart = models.find(({ id }: Json) => id === 'smart')
  expect(smart.strategy).toBe('weighted')
  expect(smart.targets).toMatchObject([
    { target: 'ours/gpt-5.4', weight: 3, isRescue: false, price: { input: 2_500_000 } },
    { target: 'box/qwen', weight: 1, isRescue: false, price: null },
    { target: 'box/llama', weight: 1, isRescue: true, price: null },
  ])
  const llama = models.find(({ id }: Json) => id === 'llama')
  expect(llama).toMatchObject({ strategy: null, targets: [{ target: 'box/llama' }] })
})

test('an upstream is listed with whose it is and what it speaks', async () => {
  const { upstreams } = await admin.ask('GET', '/api/upstreams')
  expect(upstreams).toMatchObject([
    { name: 'box', vendor: null, protocol: 'chat-completions' },
    { name: 'ours', vendor: 'openai', protocol: 'chat-completions' },
  ])
})

test('vendors are listed with their URLs and the variables of their keys', async () => {
  const { vendors } = await admin.ask('GET', '/api/vendors')
  expect(vendors[0]).toEqual({
    name: 'openai',
    speaks: [{ protocol: 'chat-completions', url: 'https://api.openai.com/v1' }],
    keyVariable: 'OPENAI_API_KEY',
  })
})

describe('an upstream that is in no config', () => {
  const at = (url: string, more: object = {}) => ({
    name: 'new',
    protocol: 'chat-completions',
    url,
    ...more,
  })
  const tried = (body: object) => admin.ask('POST', '/api/upstream-trials', body)

  test('is asked for its models with the key that is given', async () => {
    expect(await tried(at(box.url, { key: secret }))).toMatchObject({
      isWell: true,
      models: 1,
      names: ['qwen'],
      message: null,
    })
  })

  test('tells why it does not answer', async () => {
    const refused = await tried(at(box.url, { key: 'another' }))
    expect(refused).toMatchObject({ isWell: false, models: null, names: [] })
    expect(refused.message).toContain('new')
    await using gone = await startScriptedUpstream([[close]])
    expect((await tried(at(gone.url))).isWell).toBe(false)
  })

  test('is refused where its settings cannot be right, with the field', async () => {
    const refusals = [
      [{ name: 'new' }, undefined],
      [{ name: 'new', vendor: 'nobody' }, 'vendor'],
      [{ name: 'new', vendor: 'azure' }, 'url'],
      [at('file:///etc/passwd'), 'url'],
      [at('http://169.254.169.254/v1'), 'url'],
      [at('http://me:word@127.0.0.1/v1'), 'url'],
    ] as const
    for (const [body, param] of refusals) {
      const response = await admin.send('POST', '/api/upstream-trials', body)
      expect({ body, status: response.status }).toEqual({ body, status: 400 })
      const { error } = (await response.json()) as Json
      if (param !== undefined) expect({ body, param: error.param }).toEqual({ body, param })
    }
    expect(
      (await admin.send('POST', '/api/upstream-trials', at(box.url, { name: 'box' }))).status,
    ).toBe(409)
  })

  test('leaves no trace but that it was tried: not its key, not its URL', async () => {
    const answer = await tried(at(`${box.url}?key=${secret}`, { key: secret }))
    expect(JSON.stringify(answer)).not.toContain(secret)
    const log = JSON.stringify(await admin.ask('GET', '/api/audit?action=upstream-try'))
    expect(log).toContain('upstream:new')
    expect(log).not.toContain(secret)
    expect(log).not.toContain(box.url)
    const { upstreams } = await admin.ask('GET', '/api/upstreams')
    expect(upstreams.map(({ name }: Json) => name)).toEqual(['box', 'ours'])
  })
})
