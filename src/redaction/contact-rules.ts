import { type Finding, spansOf } from './finding.ts'
import type { Span } from './pattern.ts'
import type { Rule } from './rule.ts'

/** Addresses of electronic mail. */
export function emailRule(): Rule {
  return { name: 'email', spansIn: emailsIn }
}

/** An address is looked for on both sides of its sign: from its beginning, a long word would be looked at again and again. */
function emailsIn(text: string): Span[] {
  const spans: Span[] = []
  let last = 0
  for (let sign = text.indexOf('@'); sign !== -1; sign = text.indexOf('@', sign + 1)) {
    let start = sign
    while (start > last && ofName.test(text.charAt(start - 1))) start--
    last = sign + 1
    host.lastIndex = sign + 1
    const found = host.exec(text)?.[0]
    if (start < sign && found !== undefined) spans.push({ start, end: sign + 1 + found.length })
  }
  return spans
}

const ofName = /[A-Za-z0-9\u00c0-\u024f._%+'-]/
const host = /[A-Za-z0-9\u00c0-\u024f.-]*\.[A-Za-z]{2,}/y

/**
 * Telephone numbers that show what they are: with a country's code, in the form of North America, or with a leading
 * zero and a blank or slash behind the code of the area.
 */
export function phoneRule(): Rule {
  return { name: 'phone', spansIn: (text) => spansOf(findings, text) }
}

const findings: readonly Finding[] = [
  { expression: /\+\d[\d ()./-]{5,18}\d/g, isMeant: (found) => digitsIn(found) >= 8 },
  {
    expression: /\b00[1-9][\d ()./-]{6,18}\d\b/g,
    isMeant: (found) => digitsIn(found) >= 9 && /[ ()/-]/.test(found),
  },
  { expression: /\(\d{3}\) ?\d{3}[ .-]\d{4}\b/g },
  { expression: /\b\d{3}[ .-]\d{3}[ .-]\d{4}\b/g },
  {
    expression: /\b0[1-9]\d{0,3}[ /]\d{2,8}(?:[ -]\d{2,5}){0,4}\b/g,
    isMeant: (found) => digitsIn(found) >= 9,
  },
]

function digitsIn(text: string): number {
  return text.replaceAll(/\D/g, '').length
}
