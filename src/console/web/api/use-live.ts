import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

import { meKey } from './console-queries.ts'
import { type Live, LiveFeed } from './live-feed.ts'
import { whoIs } from './me.ts'

/** What is happening in the gateway, renewed every second while a page that asks for it is shown. */
export function useLive(): Live {
  const feed = feedOf(useQueryClient())
  return useSyncExternalStore(feed.subscribe, feed.snapshot)
}

const feeds = new WeakMap<QueryClient, LiveFeed>()

/** A console has one memory of what it asked, and so one feed. */
function feedOf(client: QueryClient): LiveFeed {
  const known = feeds.get(client)
  if (known !== undefined) return known
  const onSignedOut = (): void => {
    client.setQueryData(meKey, null)
  }
  const feed = new LiveFeed({ onSignedOut, onRefused: () => void endIfOver(onSignedOut) })
  feeds.set(client, feed)
  return feed
}

/** Asks beside what the shell remembers: a gateway that is gone for a moment must not take the page away. */
async function endIfOver(onSignedOut: () => void): Promise<void> {
  // Who cannot be told now is asked after when the stream is refused the next time.
  const user = await whoIs().catch(() => undefined)
  if (user === null) onSignedOut()
}
