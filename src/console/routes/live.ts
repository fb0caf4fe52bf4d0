import { AdminProblem } from '#console/access/problem.ts'
import type { Asked } from '#console/api/route.ts'

import { shown } from './exchange-shape.ts'

/** The most exchanges that one look tells of; of the others only how many they were. */
const mostTold = 50

/** So many may watch at once: each looks for itself. */
const mostWatching = 32

/** What is happening, for one reader more. Throws `try-later` where too many watch already. */
export function liveEvents(asked: Watching) {
  const { watchers } = asked.parts
  if (watchers.size >= mostWatching)
    throw new AdminProblem(
      'try-later',
      'Too many are watching. Close a page that shows live data.',
      {
        retryAfter: 10,
      },
    )
  return counted(asked)
}

async function* counted(asked: Watching) {
  const self = {}
  asked.parts.watchers.add(self)
  try {
    yield* looks(asked)
  } finally {
    asked.parts.watchers.delete(self)
  }
}

/**
 * What is happening, look after look, until the reader leaves or is signed out. Nothing is kept for a slow reader: it
 * is looked again when it has taken what there was, and what it missed in between is counted and not told.
 */
async function* looks({ parts, data, actor, signal, isStillIn }: Watching) {
  let seq = await data.live.end()
  let lookedAt = parts.now()
  while (!signal.aborted) {
    if (!(await isStillIn())) {
      yield { event: 'signed-out', data: { at: parts.now() } }
      return
    }
    const look = await data.live.look(seq)
    const at = parts.now()
    const states = actor.projects === 'all' ? parts.health.states() : []
    yield {
      event: 'counters',
      data: {
        at,
        intervalMs: Math.max(0, at - lookedAt),
        inFlight: look.inFlight,
        ...sumOf(look.targets),
        targets: look.targets,
        health: states,
      },
    }
    const told = await data.live.ended(seq, look.seq, mostTold)
    const ended = sumOf(look.targets).exchanges
    if (told.length > 0)
      yield {
        event: 'exchanges',
        data: { exchanges: told.map(shown), skipped: Math.max(0, ended - told.length) },
      }
    ;[seq, lookedAt] = [look.seq, at]
    await pause(parts.liveEveryMs, signal)
  }
}

type Watching = Pick<Asked, 'parts' | 'data' | 'actor' | 'signal' | 'isStillIn'>

type Counts = Readonly<Record<'exchanges' | 'failed' | 'input' | 'output' | 'cost', number>>

function sumOf(all: readonly Counts[]): Counts {
  const sum = (of: keyof Counts): number => all.reduce((total, one) => total + one[of], 0)
  return {
    exchanges: sum('exchanges'),
    failed: sum('failed'),
    input: sum('input'),
    output: sum('output'),
    cost: sum('cost'),
  }
}

/** Resolves after a time, or at once when the signal fires. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', over)
      resolve()
    }
    const timer = setTimeout(over, ms)
    signal.addEventListener('abort', over)
  })
}
