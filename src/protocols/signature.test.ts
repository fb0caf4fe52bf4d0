import { describe, expect, test } from 'bun:test'

import { families } from '#chat/conversation.ts'

import { familyOfSignature, isMintedSignature, mintedSignature } from './signature.ts'

describe('signatures of our own', () => {
  test('T-Q45 each says whose thought it marks', () => {
    for (const family of families) {
      expect(isMintedSignature(mintedSignature(family))).toBeTrue()
      expect(familyOfSignature(mintedSignature(family))).toBe(family)
    }
  })

  test('T-Q45 a genuine signature is none of ours', () => {
    const genuine = 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk='
    expect(isMintedSignature(genuine)).toBeFalse()
    expect(familyOfSignature(genuine)).toBeUndefined()
  })

  test('a family of a later version is unknown to this one', () => {
    expect(familyOfSignature('parley.1.someone')).toBe('unknown')
  })
})
