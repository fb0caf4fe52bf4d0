import { cardRule } from './card-rule.ts'
import { emailRule, phoneRule } from './contact-rules.ts'
import { joined } from './finding.ts'
import { Pattern, type Span } from './pattern.ts'
import type { BuiltInRule, Rule } from './rule.ts'
import { isSecretName, secretRule } from './secret-rule.ts'

/** A pattern of an operator's own. */
export interface OwnPattern {
  readonly name: string
  readonly pattern: string
  readonly ignoresCase: boolean
}

export interface RedactorOptions {
  readonly rules: readonly BuiltInRule[]
  readonly redact: readonly OwnPattern[]
}

/** Takes out of texts what some rules find. */
export class Redactor {
  readonly #rules: readonly Rule[]
  readonly #knowsSecrets: boolean

  /** Throws `PatternError` for a pattern that cannot be used. */
  constructor({ rules, redact }: RedactorOptions) {
    this.#rules = [...rules.map((name) => makers[name]()), ...redact.map(ruleOf)]
    this.#knowsSecrets = rules.includes('secrets')
  }

  /** Begins with the texts of one exchange. `secrets` are taken out wherever they stand, if secrets are looked for. */
  begin(secrets: readonly string[] = []): Redaction {
    const known = this.#knowsSecrets ? secrets.filter(({ length }) => length >= shortestSecret) : []
    return new Redaction([...known.map(literalRule), ...this.#rules], this.#knowsSecrets)
  }
}

/** What is shorter stands in too many texts by chance. */
const shortestSecret = 8

/**
 * Where only a part of a text is wanted, so much before it and after it is looked at too: so that a secret of up to
 * that length which the cut goes through is seen whole.
 */
export const overlap = 16 * 1024

const makers: Readonly<Record<BuiltInRule, () => Rule>> = {
  secrets: secretRule,
  cards: cardRule,
  emails: emailRule,
  phones: phoneRule,
}

function ruleOf({ name, pattern, ignoresCase }: OwnPattern): Rule {
  const compiled = new Pattern(pattern, { ignoresCase })
  return { name, spansIn: (text) => compiled.spansIn(text) }
}

function literalRule(secret: string): Rule {
  return {
    name: 'secret',
    spansIn(text) {
      const spans: Span[] = []
      for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1))
        spans.push({ start: at, end: at + secret.length })
      return joined(spans)
    },
  }
}

/** The texts of one exchange, and a count of what was taken out of them. */
export class Redaction {
  readonly #rules: readonly Rule[]
  readonly #knowsSecrets: boolean
  readonly #counts = new Map<string, number>()

  constructor(rules: readonly Rule[], knowsSecrets: boolean) {
    this.#rules = rules
    this.#knowsSecrets = knowsSecrets
  }

  /** By rule, how often it took something out. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts
  }

  /** The text, or a part of it, with `[redacted: <rule>]` for whatever a rule finds: even where that is cut in two. */
  text(whole: string, start = 0, end = whole.length): string {
    const from = Math.max(0, start - overlap)
    const seen = whole.slice(from, Math.min(whole.length, end + overlap))
    let said = ''
    let at = start - from
    for (const span of this.#spansIn(seen)) {
      if (span.end <= start - from) continue
      if (span.start >= end - from) break
      said += seen.slice(at, Math.max(at, span.start)) + this.take(span.rule)
      at = span.end
    }
    return said + seen.slice(at, Math.max(at, end - from))
  }

  /** A text of which parts were looked at already: what stands in the place of a finding is no finding. */
  again(text: string): string {
    return text
      .split(marks)
      .map((piece, at) => (at % 2 === 1 ? piece : this.text(piece)))
      .join('')
  }

  /** Whether the text of a member of that name is a secret, whatever it is. */
  isSecret(name: string): boolean {
    return this.#knowsSecrets && isSecretName(name)
  }

  /** Counts what was taken out, and gives what stands in its place. */
  take(rule: string): string {
    this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + 1)
    return `[redacted: ${rule}]`
  }

  #spansIn(text: string): NamedSpan[] {
    const spans = this.#rules.flatMap((rule) =>
      rule.spansIn(text).map((span) => ({ ...wellFormed(text, span), rule: rule.name })),
    )
    return joined(spans)
  }
}

/** As `take` writes them; the names of rules are short. */
const marks = /(\[redacted: [a-z0-9-]{1,40}\])/

interface NamedSpan extends Span {
  readonly rule: string
}

/** A character that takes two units goes whole or stays whole. */
function wellFormed(text: string, { start, end }: Span): Span {
  return {
    start: isBetween(text, start) ? start - 1 : start,
    end: isBetween(text, end) ? end + 1 : end,
  }
}

function isBetween(text: string, at: number): boolean {
  return isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at))
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
