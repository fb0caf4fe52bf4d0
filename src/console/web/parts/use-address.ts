import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** What the address says besides the page. */
export type AddressPart = Readonly<Record<string, string | number | undefined>>

export interface AddressOptions {
  /** Whether the way back leads to what was there before; else the change takes its place. */
  readonly isStep?: boolean
}

export interface Address {
  /** All of it: the same as long as nothing changes. */
  readonly text: string
  readonly get: (name: string) => string | null
  /** Changes what is named and leaves the rest; what is undefined or empty goes. */
  readonly change: (part: AddressPart, options?: AddressOptions) => void
  /** Where a link leads that changes this much. */
  readonly linkTo: (part: AddressPart) => string
}

/** What a page shows stands in its address, so that a link to it can be sent to somebody. */
export function useAddress(): Address {
  const [params, setParams] = useSearchParams()
  const change = useCallback(
    (part: AddressPart, { isStep = false }: AddressOptions = {}) =>
      setParams((former) => changed(former, part), { replace: !isStep, preventScrollReset: true }),
    [setParams],
  )
  return {
    text: params.toString(),
    get: (name) => params.get(name),
    change,
    linkTo: (part) => `?${changed(params, part)}`,
  }
}

function changed(former: URLSearchParams, part: AddressPart): URLSearchParams {
  const next = new URLSearchParams(former)
  for (const [name, value] of Object.entries(part))
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, String(value))
  return next
}
