import { useEffect, useState } from 'react'

import { Field } from './field.tsx'

export interface SearchFieldProps {
  readonly label: string
  readonly placeholder?: string
  readonly value: string
  /** Told when nothing more was typed for a moment. */
  readonly onSearch: (text: string) => void
}

const pauseMs = 250

/** A line to search with. */
export function SearchField({ label, placeholder, value, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  const [told, setTold] = useState(value)
  // What is searched for may be changed from elsewhere, such as a button that clears all filters.
  if (value !== told) {
    setTold(value)
    setTyped(value)
  }
  useEffect(() => {
    if (typed === told) return
    const timer = setTimeout(() => {
      setTold(typed)
      onSearch(typed)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [typed, told, onSearch])
  return (
    <Field
      label={label}
      type="search"
      {...(placeholder !== undefined && { placeholder })}
      maxLength={100}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  )
}
