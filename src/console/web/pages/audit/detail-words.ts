import { dollars } from '#prices/money.ts'

/** What is said of a deed, in one line. */
export function detailWords(action: string, details: Readonly<Record<string, unknown>>): string {
  const amounts = amountsIn[action] ?? []
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${valueWords(value, amounts.includes(name))}`)
    .join(', ')
}

/** What of a deed is micro-dollars. */
const amountsIn: Readonly<Record<string, readonly string[]>> = {
  'budget-set': ['amount'],
  'exchange-correct': ['before', 'after'],
}

function valueWords(value: unknown, isAmount = false): string {
  if (isAmount && Number.isSafeInteger(value)) return dollars(Number(value))
  if (typeof value === 'string') return value
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map((one) => valueWords(one)).join(' ')
  return JSON.stringify(value) ?? ''
}
