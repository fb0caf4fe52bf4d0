import { assertNever } from '#std/never.ts'

import { ContentScribe } from './content-scribe.ts'
import type { FromThread, ToThread } from './thread-scribe.ts'

// The thread of content: to look for secrets in long texts takes milliseconds, and no answer may wait for them.
declare const self: Worker

let scribe: ContentScribe | undefined

self.onmessage = ({ data }: MessageEvent<ToThread>) => self.postMessage(answer(data))

function answer(told: ToThread): FromThread {
  try {
    return { type: 'done', count: obey(told) }
  } catch (error) {
    return { type: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}

function obey(told: ToThread): number {
  switch (told.type) {
    case 'open':
      scribe = new ContentScribe(told)
      return 0
    case 'configure':
      opened().configure(told.settings)
      return 0
    case 'keep':
      opened().keep(told.captured)
      return told.captured.length
    case 'erase':
      return opened().erase(told.whose)
    case 'close':
      scribe?.[Symbol.dispose]()
      return 0
    default:
      return assertNever(told)
  }
}

function opened(): ContentScribe {
  if (scribe === undefined) throw new Error('The thread of content could not begin.')
  return scribe
}
