import { type Finding, joined, spansOf } from './finding.ts'
import type { Span } from './pattern.ts'
import type { Rule } from './rule.ts'
import { tokensIn } from './token-forms.ts'

/**
 * Keys, tokens and passwords by the forms that their makers give them, or by what stands before them. A secret without
 * a form of its own and without a name before it is a text like any other.
 */
export function secretRule(): Rule {
  return {
    name: 'secret',
    spansIn: (text) =>
      joined([...tokensIn(text), ...spansOf(findings, text), ...namedSecretsIn(text)]),
  }
}

/** Whether a member of an object, by its name, holds a secret as its text. */
export function isSecretName(name: string): boolean {
  return secretNames.has(name.toLowerCase().replaceAll(/[_-]/g, ''))
}

const secretNames: ReadonlySet<string> = new Set([
  'password',
  'passwd',
  'passphrase',
  'secret',
  'token',
  'apikey',
  'xapikey',
  'accesskey',
  'secretkey',
  'secretaccesskey',
  'privatekey',
  'accesstoken',
  'refreshtoken',
  'authtoken',
  'sessiontoken',
  'clientsecret',
  'authorization',
  'authorizationtoken',
  'cookie',
  'setcookie',
])

const findings: readonly Finding[] = [
  // A key that was cut off is a key as well.
  {
    expression:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,20}-----[^-]*(?:-----END[A-Z0-9 ]{0,60}-----)?/g,
  },
  {
    expression: /\b(?:bearer|basic|token) [A-Za-z0-9+/=._~-]{16,}/gi,
    isMeant: (found) => /\d/.test(found),
    keeps: (found) => found.indexOf(' ') + 1,
  },
  {
    expression: /:\/\/[^\s/:@?#]{0,200}:[^\s/@?#]{1,200}@/g,
    keeps: () => '://'.length,
  },
]

/** Texts that stand after `password:`, `api_key =`, `"token": "` and the like. */
function namedSecretsIn(text: string): Span[] {
  const spans: Span[] = []
  let last = 0
  for (const { 0: found, index } of text.matchAll(assignments)) {
    const start = index + found.length
    if (start < last || !named.test(text.slice(Math.max(0, index - longestName), index))) continue
    value.lastIndex = start
    last = start + (value.exec(text)?.[0].length ?? 0)
    spans.push({ start, end: last })
  }
  return spans
}

const assignments = /(?::=|=>|[:=])\s{0,3}["']?(?=[^\s"',;]{6})/g
const value = /[^\s"',;]+/y
const longestName = 24
const named =
  /(?:password|passwd|passphrase|pwd|secret|token|(?:api|access|private)[_ -]?key)["']?\s{0,3}$/i
