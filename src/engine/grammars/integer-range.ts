/** A grammar rule for the whole numbers between two limits, both included; undefined if there are none. */
export function integerRange(low = -most, high = most): string | undefined {
  const from = Math.max(low, -most)
  const to = Math.min(high, most)
  if (from > to) return undefined
  const parts: string[] = []
  if (from < 0) parts.push(`"-" ( ${positive(Math.max(1, -to), -from)} )`)
  if (to >= 0) parts.push(positive(Math.max(0, from), to))
  return parts.join(' | ')
}

/** Fifteen digits, which a number of JavaScript holds exactly. */
const most = 999_999_999_999_999

/** Numbers of one length after the other, since only those can be compared digit by digit. */
function positive(from: number, to: number): string {
  const options: string[] = []
  for (let length = String(from).length; length <= String(to).length; length++) {
    const least = Math.max(from, length === 1 ? 0 : 10 ** (length - 1))
    const largest = Math.min(to, 10 ** length - 1)
    options.push(between(String(least), String(largest)))
  }
  return options.join(' | ')
}

/** Numbers of equal length. */
function between(low: string, high: string): string {
  if (low === '') return '""'
  if (/^0*$/.test(low) && /^9*$/.test(high)) return `[0-9]{${low.length}}`
  const [first = '0', last = '0'] = [low[0], high[0]]
  const rest = { low: low.slice(1), high: high.slice(1) }
  if (rest.low === '') return `[${first}-${last}]`
  if (/^0*$/.test(rest.low) && /^9*$/.test(rest.high))
    return `[${first}-${last}] [0-9]{${rest.low.length}}`
  if (first === last) return `"${first}" ( ${between(rest.low, rest.high)} )`
  const nines = '9'.repeat(rest.low.length)
  const zeros = '0'.repeat(rest.low.length)
  const inner = Number(last) - Number(first) > 1
  return [
    `"${first}" ( ${between(rest.low, nines)} )`,
    ...(inner ? [`[${Number(first) + 1}-${Number(last) - 1}] [0-9]{${rest.low.length}}`] : []),
    `"${last}" ( ${between(zeros, rest.high)} )`,
  ].join(' | ')
}
