import { useSearchParams } from 'react-router'

/** What a list is narrowed to, kept in the address: it can be sent to somebody, and the way back leads to it. */
export interface Filters<Name extends string> {
  readonly values: Readonly<Partial<Record<Name, string>>>
  readonly isAny: boolean
  readonly set: (name: Name, value: string) => void
  readonly clear: () => void
}

export function useFilters<Name extends string>(names: readonly Name[]): Filters<Name> {
  const [params, setParams] = useSearchParams()
  const said = names.flatMap((name) => {
    const value = params.get(name)
    return value === null || value === '' ? [] : [[name, value] as const]
  })
  const set = (name: Name, value: string): void =>
    setParams(
      (former) => {
        const next = new URLSearchParams(former)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  return {
    // An object made from these names has these names.
    values: Object.fromEntries(said) as Partial<Record<Name, string>>,
    isAny: said.length > 0,
    set,
    clear: () => setParams({}, { replace: true }),
  }
}
