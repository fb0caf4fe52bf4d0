import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'

import { askEvents } from '#console/web/api/ask.ts'
import { ConsoleProblem } from '#console/web/api/console-problem.ts'

import { engineQuestions } from './engine-model.ts'
import { pullAfter, type PullState } from './pull-state.ts'

export interface Pull {
  readonly state: PullState
  readonly begin: (source: string, sha256: string) => void
  readonly stop: () => void
}

/** Fetches a model. The gateway goes on only while this page listens: who leaves it stops the fetching. */
export function usePull(): Pull {
  const client = useQueryClient()
  const [state, setState] = useState<PullState>({ type: 'idle' })
  const running = useRef<AbortController>(undefined)
  const stop = useCallback(() => running.current?.abort(), [])
  useEffect(() => stop, [stop])
  const begin = (source: string, sha256: string): void => {
    const controller = new AbortController()
    running.current?.abort()
    running.current = controller
    setState({ type: 'asking', source })
    const body = { source, ...(sha256 !== '' && { sha256 }) }
    void listened({ body, signal: controller.signal, setState, source }).then(() =>
      engineQuestions.map((question) => client.invalidateQueries({ queryKey: [question] })),
    )
  }
  return { state, begin, stop }
}

interface Listening {
  readonly body: { readonly source: string; readonly sha256?: string }
  readonly source: string
  readonly signal: AbortSignal
  readonly setState: (next: PullState | ((former: PullState) => PullState)) => void
}

async function listened({ body, source, signal, setState }: Listening): Promise<void> {
  try {
    for await (const event of askEvents('POST /api/engine/pulls', { body }, signal))
      setState((former) => pullAfter(former, event, performance.now()))
    setState((former) => (isUnderWay(former) ? broken(source) : former))
  } catch (error) {
    if (signal.aborted) return setState({ type: 'stopped', source })
    setState({ type: 'failed', source, message: ConsoleProblem.from(error).message })
  }
}

export function isUnderWay({ type }: PullState): boolean {
  return type === 'asking' || type === 'fetching'
}

function broken(source: string): PullState {
  return { type: 'failed', source, message: 'The gateway stopped telling how far it is.' }
}
