import { type RefObject, useEffect, useRef } from 'react'

/**
 * Shows a dialog of the browser's own for as long as it is in the page: what is behind it is inert, and the focus goes
 * back to where it was.
 */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = element.current
    const focused = document.activeElement
    if (dialog !== null && !dialog.open) dialog.showModal()
    return () => {
      dialog?.close()
      // The element leaves the page with its dialog, so the browser does not give the focus back by itself.
      if (focused instanceof HTMLElement) focused.focus()
    }
  }, [])
  return element
}
