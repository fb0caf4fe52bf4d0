import type { Span } from './pattern.ts'

/** How the keys of a maker look: what they begin with, which letters follow, and at least how many. */
interface TokenForm {
  readonly beginnings: readonly string[]
  readonly letters: RegExp
  readonly least: number
  /** Words with hyphens have the same form, but no key is without a digit. */
  readonly hasDigit?: true
}

const forms: readonly TokenForm[] = [
  { beginnings: ['gk_live_'], letters: /[0-9A-Za-z_]*/y, least: 20 },
  { beginnings: ['sk-'], letters: /[A-Za-z0-9_-]*/y, least: 16, hasDigit: true },
  { beginnings: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], letters: /[A-Z2-7]*/y, least: 16 },
  { beginnings: ['gho_', 'ghp_', 'ghr_', 'ghs_', 'ghu_'], letters: /[A-Za-z0-9]*/y, least: 20 },
  { beginnings: ['github_pat_'], letters: /[A-Za-z0-9_]*/y, least: 20 },
  {
    beginnings: ['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glsoat-'],
    letters: /[A-Za-z0-9_.-]*/y,
    least: 16,
  },
  {
    beginnings: ['xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'],
    letters: /[A-Za-z0-9-]*/y,
    least: 10,
  },
  { beginnings: ['AIza'], letters: /[A-Za-z0-9_-]*/y, least: 30 },
  { beginnings: ['ya29.', 'GOCSPX-', '1//0'], letters: /[A-Za-z0-9_.-]*/y, least: 16 },
  {
    beginnings: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'],
    letters: /[A-Za-z0-9+/=]*/y,
    least: 16,
  },
  {
    beginnings: ['hf_', 'npm_', 'r8_', 'gsk_', 'fw_', 'pplx-', 'xai-', 'nvapi-', 'pypi-'],
    letters: /[A-Za-z0-9_-]*/y,
    least: 30,
    hasDigit: true,
  },
  { beginnings: ['dop_v1_', 'doo_v1_', 'dor_v1_'], letters: /[0-9a-f]*/y, least: 32 },
  { beginnings: ['SG.'], letters: /[A-Za-z0-9_.-]*/y, least: 40 },
]

/** The keys and tokens of a text that show by their form what they are. Takes time in proportion to the text. */
export function tokensIn(text: string): Span[] {
  const spans = forms.flatMap((form) =>
    form.beginnings.flatMap((beginning) => tokensOf(form, beginning, text)),
  )
  return [...spans, ...signedTokensIn(text)]
}

function tokensOf({ letters, least, hasDigit }: TokenForm, beginning: string, text: string) {
  const spans: Span[] = []
  let run = { end: 0, lastDigit: -1 }
  for (let at = text.indexOf(beginning); at !== -1; at = text.indexOf(beginning, at)) {
    const start = at
    at += beginning.length
    // A beginning may stand within the run of letters after another one, which is not looked at again.
    if (at >= run.end) run = runAt(letters, text, at)
    if (run.end - at < least || (hasDigit === true && run.lastDigit < at)) continue
    if (isWithinWord(text, start)) continue
    spans.push({ start, end: run.end })
    at = run.end
  }
  return spans
}

function runAt(letters: RegExp, text: string, at: number) {
  const end = at + lengthOf(letters, text, at)
  let lastDigit = end - 1
  while (lastDigit >= at && !/\d/.test(text.charAt(lastDigit))) lastDigit--
  return { end, lastDigit }
}

/** `task-…` has a key's beginning in it. */
function isWithinWord(text: string, at: number): boolean {
  return /[A-Za-z]/.test(text.charAt(at - 1))
}

const tokenLetters = /[A-Za-z0-9_-]*/y

/** Tokens of three parts with dots, of which the first two are JSON in base64, and so begin with `eyJ`. */
function signedTokensIn(text: string): Span[] {
  const spans: Span[] = []
  for (let at = text.indexOf('eyJ'); at !== -1; at = text.indexOf('eyJ', at)) {
    const start = at
    at += lengthOf(tokenLetters, text, at)
    if (!text.startsWith('.eyJ', at)) continue
    at += 1 + lengthOf(tokenLetters, text, at + 1)
    if (text[at] === '.') at += 1 + lengthOf(tokenLetters, text, at + 1)
    spans.push({ start, end: at })
  }
  return spans
}

function lengthOf(letters: RegExp, text: string, at: number): number {
  letters.lastIndex = at
  return letters.exec(text)?.[0].length ?? 0
}
