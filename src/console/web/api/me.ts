import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

import { mayActAs, type Role } from '#console/access/role.ts'

import { ask } from './ask.ts'
import { isSignedOut, meKey } from './console-queries.ts'
import type { SignedIn } from './contract.ts'

/** Who is signed in: null for nobody, undefined while that is not known. */
export function useSignedIn() {
  return useQuery<SignedIn | null>({ queryKey: meKey, queryFn: whoIs, staleTime: Infinity })
}

/** Asks who is signed in: null for nobody. */
export async function whoIs(): Promise<SignedIn | null> {
  try {
    return await ask('GET /api/me')
  } catch (error) {
    if (isSignedOut(error)) return null
    throw error
  }
}

export interface Me {
  readonly user: SignedIn
  /** Whether one's role may do what this one may. */
  readonly may: (least: Role) => boolean
  /** Whether one is bound to no project, and may so ask for what is about all of them. */
  readonly seesAll: boolean
}

/** Whoever looks at a page. Only for what stands inside of the shell, where somebody is signed in. */
export function useMe(): Me {
  const user = useSignedIn().data ?? nobody
  return {
    user,
    may: (least) => mayActAs(user.role, least),
    seesAll: user.projects === null,
  }
}

const nobody: SignedIn = { userId: '', name: '', role: 'viewer', projects: [], sessionId: '' }

/** Forgets all that one user saw, and shows the console to the next one, or the door. */
export function useTakeOver(): (user: SignedIn | null) => void {
  const client = useQueryClient()
  return useCallback(
    (user) => {
      client.clear()
      client.setQueryData(meKey, user)
    },
    [client],
  )
}
