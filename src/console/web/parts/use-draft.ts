import { useMemo } from 'react'
import { useLocation } from 'react-router'

import { useMe } from '#console/web/api/me.ts'

import { drafts } from './drafts.ts'

/** What was typed into the form of this page before the session ended. */
export interface FormDraft<Fields> {
  readonly found: Partial<Fields> | undefined
  readonly keep: (fields: Fields) => void
  readonly forget: () => void
}

/** The draft of the page that is looked at; for a form that keeps none, one that is always empty. */
export function useDraft<Fields extends object>(keepsDraft: boolean): FormDraft<Fields> {
  const { pathname } = useLocation()
  const { userId } = useMe().user
  return useMemo(() => {
    // While somebody is being signed out there is nobody whose draft it could be, and the one that is there stays.
    if (!keepsDraft || userId === '') return { found: undefined, keep: nothing, forget: nothing }
    return {
      // What is kept of a page is what its own form has kept.
      found: drafts.find(pathname, userId) as Partial<Fields> | undefined,
      keep: (fields) => drafts.keep(pathname, { userId, fields: withoutPasswords(fields) }),
      forget: () => drafts.forget(pathname),
    }
  }, [keepsDraft, pathname, userId])
}

function nothing(): void {}

function withoutPasswords(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => !name.toLowerCase().includes('password')),
  )
}
