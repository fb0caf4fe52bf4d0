import { describe, expect, setDefaultTimeout, test } from 'bun:test'

import fc from 'fast-check'

import { Redactor } from '#redaction/redactor.ts'
import { builtInRules } from '#redaction/rule.ts'

import { keptValue } from './kept-value.ts'

// A machine with much else to do is slow.
setDefaultTimeout(60_000)

const redactor = new Redactor({ rules: builtInRules, redact: [] })
const kept = (value: unknown, maxBytes = 64 * 1024) =>
  keptValue(value, { redaction: redactor.begin(), maxBytes })

describe('a value that is kept', () => {
  test('is the same where there is nothing to take out', () => {
    const quiet = new Redactor({ rules: [], redact: [] })
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const copy: unknown = JSON.parse(JSON.stringify(value))
        const found = keptValue(copy, { redaction: quiet.begin(), maxBytes: 1e9 })
        expect(found).toEqual({ value: copy, isCut: false })
      }),
    )
  })

  test('has nothing that a rule finds, in texts, names, numbers, and JSON within texts', () => {
    const secret = 'ghp_abcdefghijklmnopqrst123'
    const nested = JSON.stringify({ mail: 'ann@example.org' }).replace('@', String.raw`\u0040`)
    const value = {
      messages: [
        { role: 'user', content: `it is ${secret}` },
        { role: 'assistant', tool_calls: [{ function: { arguments: nested } }] },
      ],
      [secret]: { card: 4_111_111_111_111_111, password: 'x', token: ['plain'] },
    }
    expect(kept(value).value).toEqual({
      messages: [
        { role: 'user', content: 'it is [redacted: secret]' },
        {
          role: 'assistant',
          tool_calls: [{ function: { arguments: '{"mail":"[redacted: email]"}' } }],
        },
      ],
      '[redacted: secret]': {
        card: '[redacted: card]',
        password: '[redacted: secret]',
        token: ['plain'],
      },
    })
  })

  test('says once of each finding that it is one, in JSON within texts too', () => {
    const redaction = redactor.begin()
    const text = '{"password":"open sesame now please","user_pwd":"hunter22x"}'
    expect(keptValue({ text }, { redaction, maxBytes: 1e6 }).value).toEqual({
      text: '{"password":"[redacted: secret]","user_pwd":"[redacted: secret]"}',
    })
    expect([...redaction.counts]).toEqual([['secret', 2]])
  })

  test('leaves JSON within texts as it was written where nothing is found in it', () => {
    const text = '{ "b":1,\n "a": [ ] }'
    expect(kept({ text }).value).toEqual({ text })
  })

  test('has descriptions in the place of media, and of what only its maker can read', () => {
    const png = Buffer.from('not really a picture').toString('base64')
    const hash = new Bun.CryptoHasher('sha256').update('not really a picture').digest('hex')
    const described = `[image/png, 20 bytes, sha256 ${hash}]`
    const parts = [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png}${png}` } },
      { type: 'image_url', image_url: { url: 'https://example.org/a.png?sig=abc#x' } },
      { type: 'input_audio', input_audio: { data: png, format: 'wav' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: png } },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'my words' } },
      { type: 'thinking', thinking: 'hm', signature: 'sssss' },
      { type: 'redacted_thinking', data: 'ddd' },
      { type: 'text', text: `see ![](data:image/png;base64,${png.repeat(4)}) there` },
      { type: 'tool_result', content: 'A'.repeat(2000) },
    ]
    const { value } = kept(parts)
    expect(JSON.stringify(value)).not.toContain(png)
    expect(JSON.stringify(value)).not.toMatch(/my words|sssss|ddd|sig=|AAAA/)
    expect(value).toMatchObject([
      { source: { media_type: 'image/png', data: described } },
      { image_url: { url: expect.stringMatching(/^\[image\/png, \d+ bytes, sha256 \w{64}\]$/) } },
      { image_url: { url: 'https://example.org/a.png?[left out]' } },
      { input_audio: { data: `[wav, 20 bytes, sha256 ${hash}]` } },
      { file: { filename: 'a.pdf', file_data: `[a.pdf, 20 bytes, sha256 ${hash}]` } },
      { source: { data: expect.stringMatching(/^\[text\/plain, 8 bytes, /) } },
      { thinking: 'hm', signature: '[opaque, 5 characters]' },
      { data: '[opaque, 3 characters]' },
      {
        text: expect.stringMatching(
          /^see !\[\]\(\[image\/png, \d+ bytes, sha256 \w{64}\]\) there$/,
        ),
      },
      { content: expect.stringMatching(/^\[base64, 1500 bytes, /) },
    ])
  })

  test('has no numbers of tokens: they are a text', () => {
    expect(kept({ input: [1, 2] }).value).toEqual({ input: '[2 numbers]' })
    expect(kept({ input: [[1, 2], [3]] }).value).toEqual({ input: '[3 numbers]' })
    expect(kept({ input: ['a'], sizes: [1, 2] }).value).toEqual({ input: ['a'], sizes: [1, 2] })
  })

  test('is cut in its middle, where it says so, and is JSON all the same', () => {
    const messages = Array.from({ length: 100 }, (_, at) => ({
      at,
      text: `message ${at} `.repeat(20),
    }))
    const { value, isCut } = kept({ messages, model: 'm' }, 4000)
    const said = JSON.stringify(value)
    expect(isCut).toBe(true)
    expect(said).toContain('"message 0 message 0')
    expect(said).toContain('message 99 ')
    expect(said).toContain('"model":"m"')
    expect(said).toMatch(/\[cut: \d+ items\]/)
    expect(said).toMatch(/\[cut: \d+ characters\]/)
    expect(said).not.toContain('message 50 ')
    expect(said.length).toBeLessThan(5000)
  })

  test('is cut to about what it may have, whatever its form', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.integer({ min: 1, max: 300 }),
        (value, most) => {
          const copy: unknown = JSON.parse(JSON.stringify([value, 'x'.repeat(400), value]))
          const quiet = new Redactor({ rules: [], redact: [] })
          const found = keptValue(copy, { redaction: quiet.begin(), maxBytes: most })
          expect(found.isCut).toBe(true)
          expect(Buffer.byteLength(JSON.stringify(found.value))).toBeLessThan(6 * most + 1000)
        },
      ),
    )
  })

  test('shows nothing of a secret that the cut goes through', () => {
    const secret = `ghp_${'a1'.repeat(18)}`
    const text = `${'x '.repeat(500)}${secret}${' y'.repeat(500)}`
    for (let most = 1900; most < 2160; most += 3)
      expect(JSON.stringify(kept({ text }, most).value)).not.toMatch(/a1|ghp_/)
  })

  test('shows nothing of a secret in JSON within a text that is cut, wherever that is', () => {
    const before = 'a'.repeat(500)
    const after = Array.from({ length: 200 }, (_, at) => at)
    const nested = JSON.stringify({ before, password: 'open sesame now please', after })
    for (let most = 40; most < 2 * nested.length; most += 7) {
      const { value } = kept({ call: { arguments: nested } }, most)
      expect(JSON.stringify(value)).not.toMatch(/open|sesame|now|please/)
    }
  })

  test('has nothing of a JSON text that is cut and too long to be looked at as a whole', () => {
    const long = JSON.stringify({ password: 'open sesame', more: 'x y '.repeat(300_000) })
    expect(kept({ long }).value).toEqual({ long: `[cut: ${long.length} characters]` })
  })

  test('is not held up by JSON within texts that nests without end', () => {
    const deep = '['.repeat(30_000)
    expect(kept({ deep }).value).toEqual({ deep })
  })
})
