import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

import { meKey } from './console-queries.ts'
import { type Live, LiveFeed } from './live-feed.ts'

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
  const feed = new LiveFeed(() => client.setQueryData(meKey, null))
  feeds.set(client, feed)
  return feed
}
