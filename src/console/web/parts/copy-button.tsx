import { CheckIcon, CopyIcon } from '@radix-ui/react-icons'
import { Button } from '@radix-ui/themes'
import { useEffect, useState } from 'react'

export interface CopyButtonProps {
  readonly text: string
  /** What is copied, for whoever does not see the icon. */
  readonly label?: string
}

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ text, label = 'Copy' }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | undefined>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), shownMs)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      setOutcome('failed')
    }
  }
  return (
    <Button size="1" variant="soft" color="gray" type="button" onClick={() => void copy()}>
      {outcome === 'copied' ? <CheckIcon aria-hidden="true" /> : <CopyIcon aria-hidden="true" />}
      <span aria-live="polite">{words(outcome) ?? label}</span>
    </Button>
  )
}

const shownMs = 2000

function words(outcome: 'copied' | 'failed' | undefined): string | undefined {
  if (outcome === 'copied') return 'Copied'
  // Over plain http from another machine, browsers give no page the clipboard.
  return outcome === 'failed' ? 'Select and copy it by hand' : undefined
}
