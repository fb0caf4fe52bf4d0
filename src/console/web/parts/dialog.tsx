import { Cross2Icon } from '@radix-ui/react-icons'
import { Flex, Heading, IconButton } from '@radix-ui/themes'
import { type ReactNode, useId } from 'react'

import { useModal } from './use-modal.ts'

export interface DialogProps {
  readonly isOpen: boolean
  readonly title: string
  /** Called for Escape and the closing button too. */
  readonly onClose: () => void
  /** Drawn anew each time it opens: nothing typed before is still there. */
  readonly children: ReactNode
  /** Wide enough for a table or a long form. */
  readonly isWide?: boolean
}

/**
 * A dialog of the browser's own: what is behind it is inert, Escape closes it, and the focus returns. Those of component
 * kits write style elements into the page, which our policy does not allow.
 */
export function Dialog({ isOpen, ...rest }: DialogProps) {
  return isOpen ? <OpenDialog {...rest} /> : null
}

function OpenDialog({ title, onClose, children, isWide = false }: Omit<DialogProps, 'isOpen'>) {
  const element = useModal()
  const id = useId()
  return (
    <dialog
      ref={element}
      className={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        // A dialog may be asked from within another one: Escape closes the one that is on top.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
    >
      <Flex justify="between" align="start" gap="4" mb="3">
        <Heading as="h2" size="4" id={id}>
          {title}
        </Heading>
        <IconButton variant="ghost" color="gray" aria-label="Close" onClick={onClose}>
          <Cross2Icon />
        </IconButton>
      </Flex>
      {children}
    </dialog>
  )
}
