import type { ChatRequest } from '#chat/request.ts'
import type { StreamCut } from '#chat/stream-cut.ts'
import type { Usage } from '#chat/usage.ts'
import { framesOf } from '#protocols/frames-of.ts'
import { wireStopReasons } from '#protocols/messages/stop-reason.ts'
import { encodeUsage } from '#protocols/messages/usage.ts'
import { isObject, type JsonObject, parseJson } from '#std/json.ts'

/** Ends a stream of this protocol in its own words: the open block, the reason with the usage, `message_stop`. */
export function cutStream({ body: { value } }: ChatRequest): StreamCut {
  return {
    isPlain: !mayShowResults(value),
    endAfter(last) {
      const events = eventsIn(last)
      if (events.some(({ type }) => type === 'message_delta')) return undefined
      const block = events.findLast(({ type }) => isOfBlock(type))
      return block && ((usage) => encodeEnd(openIn(block), usage))
    },
  }
}

/** Whether the vendor runs tools of its own, whose results stand in the stream and are no output. */
function mayShowResults({ tools, mcp_servers: servers }: JsonObject): boolean {
  const isVendors = (tool: unknown): boolean =>
    isObject(tool) && tool['type'] !== undefined && tool['type'] !== 'custom'
  return Array.isArray(servers) || (Array.isArray(tools) && tools.some(isVendors))
}

function eventsIn(said: Uint8Array | string): JsonObject[] {
  return framesOf(said).flatMap(({ data }) => {
    const parsed = parseJson(data)
    return parsed.ok && isObject(parsed.value) ? [parsed.value] : []
  })
}

function isOfBlock(type: unknown): boolean {
  return typeof type === 'string' && type.startsWith('content_block_')
}

/** The number of the block that is open after this event, if one is. */
function openIn({ type, index }: JsonObject): unknown {
  return type === 'content_block_stop' ? undefined : index
}

function encodeEnd(open: unknown, usage: Usage): string {
  const stop = open === undefined ? '' : frame({ type: 'content_block_stop', index: open })
  const delta = { stop_reason: wireStopReasons.length, stop_sequence: null }
  const reason = frame({ type: 'message_delta', delta, usage: encodeUsage(usage) })
  return `${stop}${reason}${frame({ type: 'message_stop' })}`
}

function frame(event: JsonObject): string {
  return `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`
}
