import { describe, expect, test } from 'bun:test'

import { mediaTypeOf, readDataUrl, writeDataUrl } from './data-url.ts'

const png = 'iVBORw0KGgoAAAANSUhEUg=='

describe('data URLs', () => {
  test('T-Q17 parameters and capitals are read, and the data is copied', () => {
    expect(readDataUrl(`data:image/PNG;charset=utf-8;base64,${png}`)).toEqual({
      mediaType: 'image/png',
      data: png,
    })
  })

  test('T-Q17 the type that clients get wrong is mended by what the data begins with', () => {
    expect(readDataUrl('data:image/jpg;base64,/9j/4AAQ')?.mediaType).toBe('image/jpeg')
    expect(readDataUrl(`data:image/jpeg;base64,${png}`)?.mediaType).toBe('image/png')
    expect(readDataUrl('data:;base64,JVBERi0xLjc=')?.mediaType).toBe('application/pdf')
    expect(mediaTypeOf('image/webp', 'AAAA')).toBe('image/webp')
  })

  test('what is said to be text is text, whatever it begins with', () => {
    expect(readDataUrl('data:text/plain;base64,JVBERi0=')?.mediaType).toBe('text/plain')
  })

  test('a URL without base64 is unescaped into it', () => {
    const held = readDataUrl('data:text/plain,a%20b%ff%é')
    expect([...Buffer.from(held?.data ?? '', 'base64')]).toEqual([
      0x61, 0x20, 0x62, 0xff, 0x25, 0xc3, 0xa9,
    ])
  })

  test('what is no data URL, or holds nothing, is refused', () => {
    for (const url of [
      'https://a.example/x.png',
      'data:image/png;base64',
      'data:image/png;base64,',
    ])
      expect(readDataUrl(url)).toBeUndefined()
  })

  test('what is written is read back', () => {
    const held = { mediaType: 'image/png', data: png }
    expect(readDataUrl(writeDataUrl(held))).toEqual(held)
  })
})
