import { GatewayError } from '#chat/error.ts'
import type { ChatRequest } from '#chat/request.ts'
import type { Answer, Step, Words } from '#chat/step.ts'
import type { Heard, Protocol, StreamDecoder } from '#protocols/protocol.ts'
import type { Watch } from '#upstreams/network/deadlines.ts'
import { readLimited } from '#upstreams/network/read-limited.ts'
import { visibleHeaders } from '#upstreams/network/response-headers.ts'

import { preambleTest } from './preamble.ts'
import { type ByteReader, StepReader } from './step-reader.ts'

/** The largest answer that is read as one piece, in bytes. */
const maxReplyBytes = 64 * 1024 * 1024

export interface Hearing {
  readonly protocol: Protocol
  readonly request: ChatRequest
  readonly heard: Heard
  /** Whether the words of the answer may go on to the caller as they are. */
  readonly mayPass: boolean
  readonly watch: Watch
  readonly isKeepAlive: (read: Uint8Array) => boolean
}

type Form = Words['form']

/**
 * Makes an answer of a response whose status is good. What form it has is decided by its content type and, where
 * that says little, by how its body begins: a caller who asked for a stream may be given a whole reply, or the
 * reverse. Its words are kept if they are in the caller's protocol and form.
 * Throws `upstream-failed` for what is no answer.
 */
export async function hearAnswer(response: Response, hearing: Hearing): Promise<Answer> {
  refusePacked(response, hearing)
  const headers = visibleHeaders(response.headers, hearing.request.protocol)
  const form = formByType(response.headers.get('content-type'))
  if (form === 'stream') return { headers, ...streamed(readerOf(response), hearing) }
  if (form === undefined && hearing.request.stream)
    return { headers, ...(await sniffed(response, hearing)) }
  return { headers, ...(await whole(response, hearing)) }
}

function formByType(contentType: string | null): Form | undefined {
  if (contentType === null) return undefined
  if (/^text\/event-stream\b/i.test(contentType)) return 'stream'
  return /^application\/([\w.-]+\+)?json\b/i.test(contentType) ? 'reply' : undefined
}

/** What was packed once is unpacked by `fetch`; what it does not know it hands over as it is. */
const unpacked = /^\s*(?:identity|gzip|x-gzip|deflate|br|zstd)?\s*$/i

function refusePacked({ headers }: Response, { heard }: Hearing): void {
  const coding = headers.get('content-encoding') ?? ''
  if (unpacked.test(coding)) return
  throw new GatewayError(
    'upstream-failed',
    `The upstream \`${heard.target.upstream}\` sent an answer in a coding that nobody asked for (${coding.slice(0, 40)}).`,
  )
}

type Told = Pick<Answer, 'steps' | 'words'>

function streamed(body: ByteReader, hearing: Hearing, first?: Uint8Array): Told {
  const { protocol, request, heard, watch, isKeepAlive } = hearing
  const words = wordsIn('stream', hearing)
  const isPreamble = words && preambleTest(protocol.decodeStream(heard))
  const { family } = heard.target.profile
  const decoder = words ? protocol.passStream(request, family) : protocol.decodeStream(heard)
  const upstream = heard.target.upstream
  const steps = new StepReader({ body, decoder, watch, upstream, first, isKeepAlive, isPreamble })
  return words ? { steps, words } : { steps }
}

async function whole(response: Response, hearing: Hearing): Promise<Told> {
  const { protocol, heard, watch } = hearing
  watch.expectWhole()
  const text = await readLimited(response, maxReplyBytes)
  watch.stop()
  const form = formByStart(text)
  if (form === undefined) throw noAnswer(response, hearing)
  const words = wordsIn(form, hearing)
  const steps =
    form === 'stream'
      ? wholeStream(text, protocol.decodeStream(heard))
      : words
        ? protocol.passReply(text, heard.target.profile.family)
        : protocol.decodeReply(text, heard)
  return words && form === 'reply' ? { steps: each(steps), words } : { steps: each(steps) }
}

/** A stream was asked for and the content type does not say whether it came: the first read shows it. */
async function sniffed(response: Response, hearing: Hearing): Promise<Told> {
  const body = readerOf(response)
  hearing.watch.wait()
  const { value: first } = await body.read()
  const form = first && formByStart(new TextDecoder().decode(first))
  if (first === undefined || form === undefined) throw noAnswer(response, hearing)
  if (form === 'stream') return streamed(body, hearing, first)
  return whole(new Response(continued(first, body)), hearing)
}

/** How a body begins shows what it is: JSON, or the first field of a frame. */
function formByStart(text: string): Form | undefined {
  const start = text.trimStart().slice(0, 8)
  if (start.startsWith('{') || start.startsWith('[')) return 'reply'
  return /^\uFEFF?(data|event|id|retry)?:/.test(start) ? 'stream' : undefined
}

function wordsIn(form: Form, { mayPass, request, protocol }: Hearing): Words | undefined {
  const isAsked = request.stream === (form === 'stream')
  return mayPass && isAsked ? { protocol: protocol.name, form } : undefined
}

function wholeStream(text: string, decoder: StreamDecoder): Step[] {
  return [...decoder.push(new TextEncoder().encode(text)), ...decoder.end()]
}

function noAnswer(response: Response, { heard }: Hearing): GatewayError {
  const type = response.headers.get('content-type')?.split(';', 1)[0] ?? 'no content type'
  return new GatewayError(
    'upstream-failed',
    `The upstream \`${heard.target.upstream}\` answered with status ${response.status} and something that is no answer (${type}).`,
  )
}

function readerOf(response: Response): ByteReader {
  return response.body?.getReader() ?? { read: async () => ({ done: true }) }
}

async function* each(steps: readonly Step[]): AsyncGenerator<Step> {
  yield* steps
}

function continued(first: Uint8Array, body: ByteReader): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(first),
    pull: async (controller) => {
      const { value } = await body.read()
      if (value === undefined) controller.close()
      else controller.enqueue(value)
    },
  })
}
