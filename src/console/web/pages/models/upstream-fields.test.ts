import { describe, expect, test } from 'bun:test'

import { parse } from 'yaml'

import {
  emptyUpstream,
  trialOf,
  type UpstreamFields,
  upstreamProblems,
  upstreamYaml,
  type Vendor,
  withVendor,
} from './upstream-fields.ts'

const openai: Vendor = {
  name: 'openai',
  speaks: [{ protocol: 'chat-completions', url: 'https://api.openai.com/v1' }],
  keyVariable: 'OPENAI_API_KEY',
}
const deepseek: Vendor = {
  name: 'deepseek',
  speaks: [
    { protocol: 'chat-completions', url: 'https://api.deepseek.com/v1' },
    { protocol: 'messages', url: 'https://api.deepseek.com/anthropic' },
  ],
  keyVariable: 'DEEPSEEK_API_KEY',
}
const azure: Vendor = {
  ...openai,
  name: 'azure',
  speaks: [{ protocol: 'chat-completions', url: null }],
}

const box: UpstreamFields = { ...emptyUpstream, name: 'gpu-box', url: 'http://10.0.0.5:8000/v1' }

describe('the lines for the config', () => {
  test('of a vendor are its name and a reference to its key', () => {
    expect(upstreamYaml(withVendor(emptyUpstream, openai, undefined), openai)).toBe(
      'upstreams:\n  openai:\n    vendor: openai\n    key: "${OPENAI_API_KEY}"\n',
    )
  })

  test('of a server of one’s own are its protocol and URL', () => {
    expect(parse(upstreamYaml({ ...box, keyVariable: 'GPU_BOX_KEY' }, undefined))).toEqual({
      upstreams: {
        'gpu-box': {
          protocol: 'chat-completions',
          url: 'http://10.0.0.5:8000/v1',
          key: '${GPU_BOX_KEY}',
        },
      },
    })
  })

  test('name the protocol where it is not the vendor’s usual one', () => {
    const fields = {
      ...withVendor(emptyUpstream, deepseek, undefined),
      protocol: 'messages',
    } as const
    expect(upstreamYaml(fields, deepseek)).toContain('protocol: messages')
  })

  test('never hold the key that was typed for the test, and say what was typed as it is', () => {
    const odd = { ...box, name: 'a.b', url: 'http://x/"y\n: # z', key: 'sk-secret' }
    const yaml = upstreamYaml(odd, undefined)
    expect(yaml).not.toContain('sk-secret')
    expect(parse(yaml).upstreams['a.b'].url).toBe(odd.url)
    for (const name of ['on', 'null', '1e3', '0x10', 'a.b', 'plain'])
      expect(Object.keys(parse(upstreamYaml({ ...box, name }, undefined)).upstreams)).toEqual([
        name,
      ])
  })
})

describe('what is typed of an upstream', () => {
  const wrong = (fields: Partial<UpstreamFields>, vendor?: Vendor) =>
    Object.keys(upstreamProblems({ ...box, ...fields }, vendor))

  test('is right, or the field is told', () => {
    expect(wrong({})).toEqual([])
    expect(wrong({ name: 'two words' })).toEqual(['name'])
    expect(wrong({ url: '' })).toEqual(['url'])
    expect(wrong({ url: '' }, openai)).toEqual([])
    expect(wrong({ url: '' }, azure)).toEqual(['url'])
    expect(wrong({ url: 'ftp://x' })).toEqual(['url'])
    expect(wrong({ key: 'two words' })).toEqual(['key'])
  })

  test('is refused where a secret would stand in the config', () => {
    expect(wrong({ keyVariable: 'sk-proj-abcdef123456' })).toEqual(['keyVariable'])
    expect(wrong({ keyVariable: 'GPU_BOX_KEY' })).toEqual([])
    expect(wrong({ url: 'http://me:word@x/v1' })).toEqual(['url'])
    expect(wrong({ url: 'http://x/v1?api_key=abc' })).toEqual(['url'])
    expect(wrong({ url: 'http://x/v1?api-version=1' })).toEqual([])
  })

  test('is tried as it would be in the config, with the key besides', () => {
    expect(trialOf({ ...box, key: 'sk' }, undefined)).toEqual({
      name: 'gpu-box',
      protocol: 'chat-completions',
      url: 'http://10.0.0.5:8000/v1',
      key: 'sk',
    })
    expect(trialOf(withVendor(emptyUpstream, openai, undefined), openai)).toEqual({
      name: 'openai',
      vendor: 'openai',
    })
  })

  test('follows the vendor, except for what somebody has typed', () => {
    const first = withVendor(emptyUpstream, openai, undefined)
    expect(withVendor(first, deepseek, openai)).toMatchObject({
      name: 'deepseek',
      keyVariable: 'DEEPSEEK_API_KEY',
    })
    expect(withVendor({ ...first, name: 'ours' }, deepseek, openai).name).toBe('ours')
    expect(withVendor(first, undefined, openai)).toMatchObject({
      vendor: '',
      name: '',
      keyVariable: '',
    })
  })
})
