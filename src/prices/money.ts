const perDollar = 1_000_000

/**
 * Micro-dollars as people read them: whole cents where that is exact, and otherwise as many digits as it takes, six at
 * most. `$1,234.50`, `$0.000012`, `-$3.00`.
 */
export function dollars(amount: number): string {
  const absolute = Math.abs(amount)
  const whole = Math.floor(absolute / perDollar)
  const rest = String(absolute % perDollar)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '')
  return `${amount < 0 ? '-' : ''}$${grouped.format(whole)}.${rest}`
}

/** Dollars as people type them, `50`, `$0.25`, in whole micro-dollars. Undefined for what is no such amount. */
export function microdollars(text: string): number | undefined {
  const [, whole = '', part = ''] = /^\$?(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text.trim()) ?? []
  if (whole === '') return undefined
  const amount = Number(whole) * perDollar + Number(part.padEnd(6, '0'))
  return Number.isSafeInteger(amount) ? amount : undefined
}

const grouped = new Intl.NumberFormat('en')
