import { describe, expect, test } from 'bun:test'

import { defaultProfiles, profileOf } from './profiles.ts'
import type { Vendor } from './vendor.ts'
import { isVendorName, vendorNamed, vendorNames } from './vendors.ts'

describe('the profile of a model', () => {
  test('is its protocol’s where nothing else is known', () => {
    expect(profileOf('messages', 'm', [])).toEqual(defaultProfiles.messages)
  })

  test('is overridden by the vendor, then the vendor’s patterns, then the operator, then the operator’s patterns', () => {
    const vendor = { profile: { maxStops: 1, toolNameLimit: 1 }, models: { 'm*': { maxStops: 2 } } }
    const operator = {
      profile: { maxStops: 3 },
      models: { 'x*': { maxStops: 9 }, '*1': { topK: true } },
    }
    expect(profileOf('chat-completions', 'm-1', [vendor])).toMatchObject({
      maxStops: 2,
      toolNameLimit: 1,
    })
    expect(profileOf('chat-completions', 'm-1', [vendor, operator])).toMatchObject({
      maxStops: 3,
      topK: true,
    })
  })

  test.each([
    ['claude-3-5-haiku-latest', { maxOutput: 8192, thinking: 'none', sampling: 'all' }],
    ['claude-3-7-sonnet-latest', { maxOutput: 64_000, thinking: 'budget', prefill: 'native' }],
    ['claude-opus-4-6', { maxOutput: 128_000, thinking: 'adaptive', prefill: 'refuse' }],
    ['claude-opus-5', { thinking: 'adaptive', sampling: 'none', topK: false }],
  ])('knows of %s by the pattern of its name', (model, expected) => {
    const layer = vendorNamed('anthropic').speaks.messages ?? {}
    expect(profileOf('messages', model, [layer])).toMatchObject(expected)
  })
})

describe('a vendor', () => {
  test.each([...vendorNames])(
    '%s can be spoken to: each dialect has a URL, or says where to get one',
    (name) => {
      const vendor: Vendor = vendorNamed(name)
      const dialects = Object.values(vendor.speaks)
      expect(dialects.length).toBeGreaterThan(0)
      for (const { url } of dialects)
        expect(url === undefined ? name : new URL(url).protocol).toMatch(/^(azure|https?:)$/)
    },
  )

  test('is known by its own name only', () => {
    expect(isVendorName('toString')).toBe(false)
    expect(isVendorName('groq')).toBe(true)
  })
})
