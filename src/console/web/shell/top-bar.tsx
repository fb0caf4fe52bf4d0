import { Cross1Icon, HamburgerMenuIcon } from '@radix-ui/react-icons'
import { IconButton } from '@radix-ui/themes'
import { useState } from 'react'
import { Link } from 'react-router'

import { useModal } from '#console/web/parts/use-modal.ts'

import { Navigation } from './navigation.tsx'
import { UserMenu } from './user-menu.tsx'

/** The name, the account, and on narrow screens the way to the pages. */
export function TopBar() {
  const [isOpen, setOpen] = useState(false)
  return (
    <header className="shell-bar">
      <IconButton
        className="shell-drawer-button"
        variant="ghost"
        color="gray"
        aria-label="Show the pages"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <HamburgerMenuIcon />
      </IconButton>
      <Link to="/" className="shell-name">
        <Mark /> Parley
      </Link>
      <UserMenu />
      {isOpen && <Drawer onClose={() => setOpen(false)} />}
    </header>
  )
}

/** The pages, on narrow screens. */
function Drawer({ onClose }: { readonly onClose: () => void }) {
  return (
    <dialog
      ref={useModal()}
      className="shell-drawer"
      aria-label="Where to go"
      onClose={onClose}
      onClick={(event) => {
        // A click beside what the dialog holds is one on the dialog itself.
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <IconButton variant="ghost" color="gray" aria-label="Close" onClick={onClose}>
        <Cross1Icon />
      </IconButton>
      <Navigation onLeave={onClose} />
    </dialog>
  )
}

function Mark() {
  return (
    <svg className="shell-mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 4h11v8H8l-3 3v-3H3z" />
      <path d="M10 14h6l5-5v11h-2v3l-3-3h-6z" opacity="0.55" />
    </svg>
  )
}
