import type { Block, CacheMark, MediaSource } from '#chat/conversation.ts'
import { objectIn, partsIn, textIn } from '#protocols/chat-completions/wire.ts'
import { mediaTypeOf, readDataUrl } from '#protocols/data-url.ts'
import { given } from '#protocols/given.ts'
import { type JsonObject, rawJson, listIn } from '#std/json.ts'

import { missing, wrongValue } from './check-values.ts'
import type { Source } from './decode-source.ts'

/** Reads the content of a message: a string, parts, or nothing. An empty string says nothing. */
export function decodeParts(
  content: unknown,
  sourceOf: (index: number) => Source,
  field: string,
): readonly Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return listIn(content).flatMap((entry, at) => {
    const part = objectIn(entry) ?? {}
    const decode = parts.get(textIn(part['type'])) ?? decodeOther
    return decode({ part, source: sourceOf(at), field: `${field}[${at}]` })
  })
}

/** One part, where it can be sliced from, and where it stands in the request. */
interface SaidPart {
  readonly part: JsonObject
  readonly source: Source
  readonly field: string
}

const parts: ReadonlyMap<string, (said: SaidPart) => readonly Block[]> = new Map([
  ['text', decodeText],
  ['input_text', decodeText],
  ['output_text', decodeText],
  ['refusal', ({ part }) => [{ type: 'refusal', text: textIn(part['refusal']) }]],
  ['thinking', decodeThought],
  ['reasoning', decodeThought],
  ['image_url', decodeImage],
  ['input_audio', decodeAudio],
  ['file', decodeFile],
])

function decodeText(said: SaidPart): readonly Block[] {
  return [{ type: 'text', text: textIn(said.part['text']), ...given('cache', markOf(said)) }]
}

/** Some servers give thoughts as parts of the content. They come without a signature. */
function decodeThought({ part }: SaidPart): readonly Block[] {
  return partsIn([part]).map(({ text }) => ({ type: 'reasoning', text, opaque: [] }))
}

/** Images by URL, in the protocol's form or as the bare string that many clients write. */
function decodeImage(said: SaidPart): readonly Block[] {
  const { part, field } = said
  const image = objectIn(part['image_url'])
  const url = image === undefined ? textIn(part['image_url']) : textIn(image['url'])
  if (url === '') throw missing(`${field}.image_url.url`)
  const source = sourceOfUrl(url, `${field}.image_url.url`)
  const marked = { source, ...given('cache', markOf(said)) }
  if (source.type === 'base64' && source.mediaType === 'application/pdf')
    return [{ type: 'document', ...marked }]
  return [{ type: 'image', ...marked, ...given('detail', textIn(image?.['detail']) || undefined) }]
}

function decodeAudio({ part }: SaidPart): readonly Block[] {
  const audio = objectIn(part['input_audio'])
  return [{ type: 'audio', data: textIn(audio?.['data']), format: textIn(audio?.['format']) }]
}

function decodeFile(said: SaidPart): readonly Block[] {
  const { part, field } = said
  const file = objectIn(part['file'])
  const id = textIn(file?.['file_id'])
  const data = textIn(file?.['file_data'])
  if (id === '' && data === '') throw missing(`${field}.file.file_data`)
  const title = textIn(file?.['filename'])
  const source: MediaSource =
    data === '' ? { type: 'file', id } : sourceOfFile(data, `${field}.file.file_data`)
  const isImage = source.type === 'base64' && source.mediaType.startsWith('image/')
  const marked = { source, ...given('cache', markOf(said)) }
  if (isImage) return [{ type: 'image', ...marked }]
  return [{ type: 'document', ...marked, ...(title === '' ? {} : { title }) }]
}

function sourceOfUrl(url: string, param: string): MediaSource {
  if (!/^data:/i.test(url)) return { type: 'url', url }
  const held = readDataUrl(url)
  if (held === undefined)
    throw wrongValue(param, 'a data URL that holds something, or an https URL')
  return { type: 'base64', ...held }
}

/** A file should be a data URL; some clients write the base64 text alone. */
function sourceOfFile(data: string, param: string): MediaSource {
  if (/^(data|https?):/i.test(data)) return sourceOfUrl(data, param)
  return { type: 'base64', mediaType: mediaTypeOf('application/octet-stream', data), data }
}

function decodeOther({ part, source }: SaidPart): readonly Block[] {
  const kind = textIn(part['type'])
  const raw = source.slice([kind])
  return raw === undefined ? [] : [{ type: 'other', kind, raw }]
}

/** A cache mark in either protocol's words. */
function markOf({ part, source }: SaidPart): CacheMark | undefined {
  if (objectIn(part['cache_control']) !== undefined) return source.slice(['cache_control'])
  return objectIn(part['prompt_cache_breakpoint'])?.['mode'] === 'explicit'
    ? explicitMark
    : undefined
}

const explicitMark: CacheMark = rawJson({ type: 'ephemeral' })
