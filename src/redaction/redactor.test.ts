import { describe, expect, setDefaultTimeout, test } from 'bun:test'

import fc from 'fast-check'

import { overlap, Redactor } from './redactor.ts'
import { builtInRules } from './rule.ts'

// A machine with much else to do is slow.
setDefaultTimeout(60_000)

const redactor = new Redactor({ rules: builtInRules, redact: [] })
const redacted = (text: string) => redactor.begin().text(text)

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const digit = fc.constantFrom(...'0123456789'.split(''))
const random = (length: number) =>
  fc.string({
    unit: fc.constantFrom(...letters.split('')),
    minLength: length,
    maxLength: length + 20,
  })

/** Texts that each rule has to find, whatever stands around them. */
const planted = {
  secrets: fc.oneof(
    random(43).map((text) => `gk_live_AbCdEfGhIjKl_${text}`),
    random(30).map((text) => `sk-proj-7${text}`),
    random(30).map((text) => `sk-ant-api03-${text}`),
    random(36).map((text) => `ghp_${text}`),
    random(30).map((text) => `xoxb-${text}`),
    random(35).map((text) => `AIza${text}`),
    random(24).map((text) => `sk_live_${text}`),
    random(20).map((text) => `eyJhbGciOiJIUzI1NiJ9.eyJ${text}.${text}`),
    random(34).map((text) => `hf_1${text}`),
    random(64).map(
      (text) => `-----BEGIN RSA PRIVATE KEY-----\n${text}\n-----END RSA PRIVATE KEY-----`,
    ),
    fc.constant('AKIAIOSFODNN7EXAMPLE'),
  ),
  cards: fc
    .tuple(
      fc.constantFrom('4', '51', '2221', '37', '6011'),
      fc.string({ unit: digit, minLength: 11, maxLength: 11 }),
      fc.constantFrom('', ' ', '-'),
    )
    .map(([kind, rest, between]) =>
      grouped(withCheckDigit(`${kind}${rest}`.slice(0, 15)), between),
    ),
  emails: fc
    .tuple(random(3), random(3), fc.constantFrom('com', 'org', 'co.uk', 'example'))
    .map(([name, host, top]) => `${name}@${host}.${top}`),
  phones: fc
    .tuple(
      fc.constantFrom('+49 170 ', '+1-555-', '+44 (0)20 ', '0170 ', '0049 170 '),
      fc.string({ unit: digit, minLength: 7, maxLength: 8 }),
    )
    .map(([area, number]) => area + number),
} as const

describe.each(builtInRules)('the rule for %s', (rule) => {
  const around = fc.string({ unit: 'grapheme', maxLength: 40 })
  const border = fc.constantFrom(' ', '\n', ', ', '"', ' (', ': ')

  test('never leaves what was planted, whatever stands around it', () => {
    const alone = new Redactor({ rules: [rule], redact: [] })
    fc.assert(
      fc.property(around, border, planted[rule], border, around, (...parts) => {
        const [, , secret] = parts
        const redaction = alone.begin()
        expect(redaction.text(parts.join(''))).not.toContain(secret)
        expect(redaction.counts.size).toBe(1)
      }),
      { numRuns: 200 },
    )
  })

  test('is nowhere where it is not in force', () => {
    const others = new Redactor({ rules: [], redact: [] })
    fc.assert(
      fc.property(planted[rule], (secret) => {
        expect(others.begin().text(secret)).toBe(secret)
      }),
      { numRuns: 20 },
    )
  })
})

describe('redaction', () => {
  test('changes no text that no rule finds anything in, and nothing around what one finds', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.string({ unit: 'binary' })),
        (text) => {
          const redaction = redactor.begin()
          const said = redaction.text(text)
          if (redaction.counts.size === 0) expect(said).toBe(text)
          let at = 0
          for (const piece of said.split(/\[redacted: [a-z-]+\]/)) {
            const next = text.indexOf(piece, at)
            expect(next).toBeGreaterThanOrEqual(at)
            at = next + piece.length
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  test.each([
    'The risk-management-system-overview is a task-list-with-many-parts-1234.',
    'On 2026-11-22 at 12:30:59 it was 1700000000000, or 22.11.2026, or 01/02/2026.',
    'max_tokens: 1000000, "input_tokens": 17, seed = 12345678901',
    '{"type":"object","properties":{"password":{"type":"string"}}}',
    'a@b, @everyone, x @ y.z; 3.14159265358979; 192.168.100.200:8080',
    'https://example.org/a:b/c?d=e@f http://localhost:8700/v1',
    'npm_config_registry sk-learn hf_hub_download',
  ])('leaves %s', (text) => {
    expect(redacted(text)).toBe(text)
  })

  test.each([
    ['password = hunter2222; next', 'password = [redacted: secret]; next'],
    ['{"api_key": "abcdef123"}', '{"api_key": "[redacted: secret]"}'],
    ['export TOKEN=abcdef12 && ls', 'export TOKEN=[redacted: secret] && ls'],
    ['Authorization: Bearer abcdef0123456789', 'Authorization: Bearer [redacted: secret]'],
    ['postgres://bob:pw12@db.local/x', 'postgres://[redacted: secret]/x'],
    ['-----BEGIN PRIVATE KEY-----\nMIIE and so on', '[redacted: secret]'],
    ['card 4111-1111-1111-1111, 12/26', 'card [redacted: card], 12/26'],
    ['amex 3782 822463 10005!', 'amex [redacted: card]!'],
    ['ask ann.b+c@example.org.', 'ask [redacted: email].'],
    ['call (555) 123-4567 or 555.123.4567', 'call [redacted: phone] or [redacted: phone]'],
  ])('%s becomes %s', (text, expected) => {
    expect(redacted(text)).toBe(expected)
  })

  test('takes out patterns of an operator, under their name', () => {
    const redact = [{ name: 'ticket', pattern: 'ticket-\\d+', ignoresCase: true }]
    const redaction = new Redactor({ rules: [], redact }).begin()
    expect(redaction.text('see TICKET-12 and ticket-3')).toBe(
      'see [redacted: ticket] and [redacted: ticket]',
    )
    expect([...redaction.counts]).toEqual([['ticket', 2]])
  })

  test('takes out the key that a caller has shown, whatever its form, unless it is a short word', () => {
    const redaction = redactor.begin(['the key of ann', 'short'])
    expect(redaction.text('"the key of ann" is short')).toBe('"[redacted: secret]" is short')
  })

  test('takes nothing out twice of a text that it has seen parts of', () => {
    const redaction = redactor.begin()
    const seen = `"password":"${redaction.text('ghp_abcdefghijklmnopqrst123')}","pwd":"hunter22x"`
    expect(redaction.again(seen)).toBe('"password":"[redacted: secret]","pwd":"[redacted: secret]"')
    expect([...redaction.counts]).toEqual([['secret', 2]])
  })

  test('of a part of a text, takes out what the cut goes through as a whole', () => {
    const secret = `ghp_${'a1'.repeat(18)}`
    const text = `${'x '.repeat(50_000)}${secret}${' y'.repeat(50_000)}`
    const at = text.indexOf(secret)
    for (const cut of [at, at + 1, at + 20, at + secret.length - 1]) {
      for (const part of [redactor.begin().text(text, 0, cut), redactor.begin().text(text, cut)])
        expect(part).not.toMatch(/ghp_|a1/)
    }
    expect(redactor.begin().text(text, 0, at + 10)).toEndWith('x [redacted: secret]')
    expect(redactor.begin().text(text, at + 10)).toStartWith('[redacted: secret] y')
    expect(overlap).toBeGreaterThan(secret.length)
  })

  test('knows members that hold a secret by their names', () => {
    const redaction = redactor.begin()
    for (const name of ['password', 'apiKey', 'API_KEY', 'client-secret', 'Authorization'])
      expect(redaction.isSecret(name)).toBe(true)
    for (const name of ['max_tokens', 'key', 'tokens', 'content'])
      expect(redaction.isSecret(name)).toBe(false)
    const blind = new Redactor({ rules: ['cards'], redact: [] }).begin()
    expect(blind.isSecret('password')).toBe(false)
  })

  test.each([
    'eyJ'.repeat(40_000),
    '1 '.repeat(60_000),
    'a@'.repeat(60_000),
    'sk-'.repeat(40_000),
    'ask-'.repeat(40_000),
    'password='.repeat(15_000),
    '+1'.repeat(60_000),
    '://a:'.repeat(25_000),
    '-----BEGIN PRIVATE KEY-----'.repeat(5000),
    '4'.repeat(120_000),
  ])('comes to an end on a text that is made to be searched long', (text) => {
    expect(redacted(text).length).toBeGreaterThan(0)
  })
})

function withCheckDigit(digits: string): string {
  for (let last = 0; last < 10; last++) {
    let sum = 0
    for (const [at, one] of `${digits}${last}`.split('').toReversed().entries()) {
      const weighed = Number(one) * (1 + (at % 2))
      sum += weighed > 9 ? weighed - 9 : weighed
    }
    if (sum % 10 === 0) return `${digits}${last}`
  }
  throw new Error('One of ten digits always fits.')
}

function grouped(digits: string, between: string): string {
  return digits.replaceAll(/(\d{4})(?=\d)/g, `$1${between}`)
}
