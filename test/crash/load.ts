import type { ProtocolName } from '#chat/names.ts'

import { ask, type Seen } from './client.ts'
import type { Rig } from './rig.ts'
import type { Chance } from './seeded.ts'

export interface LoadOptions {
  readonly rig: Rig
  readonly port: number
  readonly chance: Chance
  /** How many clients there are. */
  readonly clients: number
  /** A number of this load alone: it goes into the name of every model that is asked for. */
  readonly round: string
  /** How many of them leave before the end. */
  readonly leaving?: number
}

export interface Load {
  /** Everything that clients have seen so far, those under way left out. */
  readonly seen: readonly Seen[]
  /** Resolves with the first answer that is no refusal. */
  readonly answered: Promise<void>
  /** Lets nobody begin any more, and resolves when everybody has ended. */
  stop(): Promise<readonly Seen[]>
}

/** Clients that ask one thing after the other, of both protocols and both kinds of upstream, until they are stopped. */
export function startLoad(options: LoadOptions): Load {
  const seen: Seen[] = []
  const state = { isOver: false, next: 0 }
  const first = Promise.withResolvers<void>()
  const clients = Array.from({ length: options.clients }, async () => {
    while (!state.isOver) {
      const answer = await ask(nextAsking(options, state.next++))
      seen.push(answer)
      if (answer.status === 200) first.resolve()
      // A gateway that is gone refuses at once, and a loop of refusals would take the whole machine.
      if (answer.status === undefined) await Bun.sleep(5)
    }
  })
  return {
    seen,
    answered: first.promise,
    async stop() {
      state.isOver = true
      await Promise.all(clients)
      return seen
    },
  }
}

const protocols: readonly ProtocolName[] = ['chat-completions', 'messages']

function nextAsking({ rig, port, chance, round, leaving = 0.1 }: LoadOptions, number: number) {
  const upstream = chance.oneOf(['chat', 'messages'])
  const isLeaving = chance.in(leaving)
  return {
    port,
    key: chance.oneOf(rig.keys).text,
    protocol: chance.oneOf(protocols),
    model: `${upstream}/m-${round}-${number}`,
    stream: chance.in(0.7),
    ...(chance.in(0.5) && { maxTokens: chance.between(16, 60) }),
    ...(isLeaving && { leavesAfter: chance.between(0, 6000) }),
  }
}
