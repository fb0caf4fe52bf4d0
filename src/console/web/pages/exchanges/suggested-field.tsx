import { type ComponentProps, useEffect, useId, useState } from 'react'

import { Field } from '#console/web/parts/field.tsx'

export interface SuggestedFieldProps extends Pick<
  ComponentProps<typeof Field>,
  'label' | 'placeholder' | 'hint'
> {
  /** What is chosen; empty for nothing. */
  readonly value: string
  /** What may be chosen, as value and words; anything else may be typed too. */
  readonly suggestions: readonly (readonly [value: string, words: string])[]
  /** Told when somebody has chosen, left the line, or emptied it. */
  readonly onChoose: (value: string) => void
  /** Told of every letter, to find suggestions by. */
  readonly onType?: (text: string) => void
}

/** A line to type in that offers what there is, by the browser's own means. */
export function SuggestedField(props: SuggestedFieldProps) {
  const { value, suggestions, onChoose, onType, ...rest } = props
  const id = useId()
  const shown = suggestions.find(([known]) => known === value)?.[1] ?? value
  const [typed, setTyped] = useState(shown)
  // Chosen from elsewhere, such as by a link or by removing all filters; or its words have become known.
  useEffect(() => setTyped(shown), [shown])
  const choose = (text: string): void => {
    const known = suggestions.find(([, words]) => words === text)
    onChoose(known?.[0] ?? text.trim())
  }
  const type = (text: string): void => {
    setTyped(text)
    onType?.(text)
    if (text === '' || suggestions.some(([, words]) => words === text)) choose(text)
  }
  return (
    <>
      <Field
        {...rest}
        list={id}
        maxLength={200}
        autoComplete="off"
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={() => typed !== shown && choose(typed)}
        onKeyDown={(event) => event.key === 'Enter' && choose(typed)}
      />
      <datalist id={id}>
        {suggestions.map(([known, words]) => (
          <option key={known} value={words} />
        ))}
      </datalist>
    </>
  )
}
