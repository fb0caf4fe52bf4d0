/** Micro-dollars as dollars, with as many places as the amount needs. */
export function Money({ micro }: { readonly micro: number | null | undefined }) {
  if (micro === null || micro === undefined) return <Nothing />
  return <span className="number">{moneyText(micro)}</span>
}

/** The same as text. */
export function moneyText(micro: number): string {
  const dollars = micro / 1_000_000
  const places =
    micro % 10_000 === 0 || Math.abs(dollars) >= 100 ? 2 : Math.abs(dollars) >= 1 ? 4 : 6
  return dollars.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: places,
  })
}

/** A number of tokens, or of anything else that is counted. */
export function Tokens({ count }: { readonly count: number | null | undefined }) {
  if (count === null || count === undefined) return <Nothing />
  return <span className="number">{count.toLocaleString('en-US')}</span>
}

/** A number in few characters, for plots and tiles: 1.2 M. */
export function shortNumber(value: number): string {
  return value.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 })
}

/** How long something took. */
export function Took({ ms }: { readonly ms: number | null | undefined }) {
  if (ms === null || ms === undefined) return <Nothing />
  return <span className="number">{tookText(ms)}</span>
}

/** Milliseconds as somebody would say them. */
export function tookText(ms: number): string {
  if (ms < 1) return '< 1 ms'
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
  const minutes = Math.floor(ms / 60_000)
  return `${minutes} min ${Math.round((ms - minutes * 60_000) / 1000)} s`
}

/** A number of bytes. */
export function Bytes({ count }: { readonly count: number | null | undefined }) {
  if (count === null || count === undefined) return <Nothing />
  return <span className="number">{bytesText(count)}</span>
}

export function bytesText(count: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(count) / 10))
  const value = count / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}

/** Where there is no value: not nought, but not known. */
export function Nothing() {
  return (
    <span className="nothing" aria-label="none">
      –
    </span>
  )
}
