import { dollars, microdollars } from '#prices/money.ts'

export type TypedDollars =
  | { readonly type: 'amount'; readonly amount: number }
  | { readonly type: 'problem'; readonly words: string }

/** Dollars as somebody typed them, `1,250`, `$0.25`, as whole micro-dollars, exactly. */
export function readDollars(text: string): TypedDollars {
  const typed = text.trim()
  if (typed === '') return problem('Type an amount in dollars, such as 50 or 0.25.')
  const plain = withoutCommas(typed)
  const amount = plain === undefined ? undefined : microdollars(plain)
  if (amount !== undefined) return { type: 'amount', amount }
  if (/^\$?-/.test(typed) || typed.startsWith('-')) return problem('A budget is not less than $0.')
  if (/\.\d{7,}$/.test(typed)) return problem('A dollar has six decimals here, and no more.')
  if (/^\$?[\d,]{10,}(\.\d*)?$/.test(typed)) return problem('That is more than can be counted.')
  return problem('Type an amount in dollars, such as 50 or 0.25.')
}

/** The same amount for a field: `50`, `0.25`, no sign and no commas. */
export function dollarsToType(amount: number): string {
  return dollars(amount).replace(/[$,]/g, '').replace(/\.00$/, '')
}

/** Commas count where they stand between thousands, and nowhere else. */
function withoutCommas(text: string): string | undefined {
  if (!text.includes(',')) return text
  return /^\$?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : undefined
}

function problem(words: string): TypedDollars {
  return { type: 'problem', words }
}
