import type { Keys } from '#keys/keys.ts'
import type { Secret } from '#std/secret.ts'

import type { Actor } from './role.ts'
import type { ScopedKeys } from './scoped-keys.ts'

/*
 * The playground is a client like any other, and so it shows a key. No key is ever in the browser: what a page holds, a
 * fault of that page gives away. And nobody pastes one: it would have to be kept somewhere, and would be somebody else's.
 * So whoever may issue keys gets one of their own, for an hour, in a project that they see and choose. There is no project
 * for the playground alone: then neither the limits and budgets of the chosen one would hold, nor could whoever is bound
 * to projects use it. In the books it is one key for each user and project, which says by its name what it is.
 */

/** A key that is in force, and its text. */
export interface PlaygroundKey {
  readonly id: string
  readonly text: Secret
}

interface Asking {
  readonly actor: Actor
  readonly projectId: string
}

/** The keys by which users try models out. Their texts are in memory alone: after a restart they are made anew. */
export class PlaygroundKeys {
  readonly #keys: Pick<Keys, 'now'>
  readonly #issued = new Map<string, Issued>()

  constructor(keys: Pick<Keys, 'now'>) {
    this.#keys = keys
  }

  /** The key of a user for a project. `issue` is called where there is none that lasts; two who ask at once share it. */
  async of(asking: Asking, issue: () => Promise<PlaygroundKey>): Promise<PlaygroundKey> {
    const known = this.#issued.get(nameOf(asking))
    const now = this.#keys.now()
    if (known !== undefined && known.endsAt - now > leastLeftMs) return known.key
    const key = issue()
    this.#issued.set(nameOf(asking), { key, endsAt: now + lastsMs })
    try {
      return await key
    } catch (error) {
      this.forget(asking)
      throw error
    }
  }

  /** Somebody may have revoked it: the next one who asks is given another. */
  forget(asking: Asking): void {
    this.#issued.delete(nameOf(asking))
  }

  /**
   * Makes the key, or gives the one of the same user and project a new text and another hour. Throws `not-found` for a
   * project that the user does not see.
   */
  async issue({ actor, projectId }: Asking, keys: ScopedKeys): Promise<PlaygroundKey> {
    const name = `playground of ${actor.name}`.slice(0, longestName)
    const expiresAt = this.#keys.now() + lastsMs
    const page = await keys.list({ search: name, projectId, limit: mostAlike })
    const former = page.keys.find(
      (key) => key.name === name && key.owner === actor.name && key.status !== 'revoked',
    )
    if (former === undefined) {
      const made = await keys.issue({ name, projectId, owner: actor.name, expiresAt })
      return { id: made.id, text: made.key }
    }
    await keys.update(former.id, { expiresAt })
    const { key } = await keys.rotate(former.id, 0)
    return { id: former.id, text: key }
  }
}

interface Issued {
  readonly key: Promise<PlaygroundKey>
  /** Unix milliseconds, by the clock of the keys. */
  readonly endsAt: number
}

const lastsMs = 60 * 60_000

/** An answer may take a while: a key that is about to end is not begun with. */
const leastLeftMs = 5 * 60_000

const longestName = 100
const mostAlike = 50

function nameOf({ actor, projectId }: Asking): string {
  return `${actor.userId} ${projectId}`
}
