import { describe, expect, test } from 'bun:test'

import { parseConfig } from './load.ts'

const privacyOf = (text: string) =>
  parseConfig(text, 'parley.yaml', { vendors: [], environment: {} }).privacy

describe('what a config says of privacy', () => {
  test('is by default 64 KiB, 30 days, and all rules', () => {
    expect(privacyOf('{}')).toEqual({
      maxBytes: 65_536,
      retainDays: 30,
      queueBytes: 67_108_864,
      rules: ['secrets', 'cards', 'emails', 'phones'],
      redact: [],
    })
  })

  test('may be what the document shows', async () => {
    const document = await Bun.file('docs/privacy.md').text()
    const [, example = ''] = /^```yaml\n(.*?)^```/ms.exec(document) ?? []
    expect(privacyOf(example).redact).toEqual([
      { name: 'customer', pattern: String.raw`\bACME-\d+`, ignoresCase: false },
      { name: 'project-x', pattern: 'project[ -]?x', ignoresCase: true },
    ])
  })

  test.each([
    ['{ redact: [{ name: a, pattern: "(a" }] }', 'nothing closes'],
    ['{ redact: [{ name: a, pattern: "a*" }] }', 'fits where there is nothing'],
    ['{ redact: [{ name: a, pattern: "(?<=x)a" }] }', 'no looking ahead or behind'],
    ['{ redact: [{ name: "A b", pattern: "a" }] }', 'lower-case letters'],
    ['{ rules: [names] }', '`secrets`'],
    ['{ retainDays: 0 }', 'from 1 to 3650'],
    ['{ maxBytes: 1GiB }', '16MiB at most'],
    ['{ keep: all }', 'privacy'],
  ])('%s is refused with its path', (text, why) => {
    expect(() => privacyOf(`privacy: ${text}`)).toThrow(why)
    expect(() => privacyOf(`privacy: ${text}`)).toThrow('privacy')
  })
})
