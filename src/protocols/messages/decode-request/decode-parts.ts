import type { Block, MediaSource, Opaque, ResultBlock } from '#chat/conversation.ts'
import { given } from '#protocols/given.ts'
import { familyOfSignature } from '#protocols/signature.ts'
import { brandAs } from '#std/brand.ts'
import { isObject, type JsonObject, type RawJson } from '#std/json.ts'

import { isAbsent, refuse } from './check-values.ts'
import { rawMember, rawOf, type Said, saidElements, saidMember } from './said.ts'

/** The content blocks of a request, in order. What has no word of our own is kept whole, as it was said. */
export function decodeParts(content: readonly unknown[], said: Said): Block[] {
  const places = saidElements(said)
  return content.flatMap((part, index) => {
    const place = places[index]
    return isObject(part) && place !== undefined ? [decodePart(part, place)] : []
  })
}

type DecodePart = (part: JsonObject, said: Said) => Block

const decoders: ReadonlyMap<unknown, DecodePart> = new Map<unknown, DecodePart>([
  ['text', decodeText],
  ['image', decodeImage],
  ['document', decodeDocument],
  ['thinking', decodeThinking],
  ['redacted_thinking', decodeRedacted],
  ['tool_use', decodeCall],
  ['tool_result', decodeResult],
])

function decodePart(part: JsonObject, said: Said): Block {
  return (decoders.get(part.type) ?? decodeOther)(part, said)
}

function decodeText(part: JsonObject, said: Said): Block {
  const text = String(part.text)
  if (isAbsent(part.cache_control) && isAbsent(part.citations)) return { type: 'text', text }
  return { type: 'text', text, ...marks(part, said, ['cache_control', 'citations']) }
}

function decodeImage(part: JsonObject, said: Said): Block {
  const source = decodeSource(part.source, `${said.path}.image.source`)
  if (source === undefined) return decodeOther(part, said)
  return { type: 'image', source, ...marks(part, said, ['cache_control']) }
}

function decodeDocument(part: JsonObject, said: Said): Block {
  const source = decodeDocumentSource(part.source, `${said.path}.document.source`)
  if (source === undefined) return decodeOther(part, said)
  return {
    type: 'document',
    source,
    ...given('title', textOf(part.title)),
    ...given('context', textOf(part.context)),
    ...marks(part, said, ['cache_control', 'citations']),
  }
}

function decodeDocumentSource(source: unknown, path: string): MediaSource | undefined {
  if (!isObject(source)) return undefined
  if (source.type === 'text') return { type: 'text', text: String(source.data) }
  if (source.type !== 'content') return decodeSource(source, path)
  const { content } = source
  if (typeof content === 'string') return { type: 'text', text: content }
  if (!Array.isArray(content) || !content.every(isTextPart)) return undefined
  return { type: 'text', text: content.map((part) => part.text).join('\n') }
}

function isTextPart(part: unknown): part is { readonly text: string } {
  return isObject(part) && part.type === 'text' && typeof part.text === 'string'
}

function decodeSource(source: unknown, path: string): MediaSource | undefined {
  if (!isObject(source)) return undefined
  switch (source.type) {
    case 'base64':
      return decodeBase64(String(source.media_type), String(source.data), path)
    case 'url':
      return { type: 'url', url: String(source.url) }
    case 'file':
      return { type: 'file', id: String(source.file_id) }
    default:
      return undefined
  }
}

const base64Text = /^[A-Za-z0-9+/]+={0,2}$/

function decodeBase64(mediaType: string, data: string, path: string): MediaSource {
  if (!base64Text.test(data) || data.length % 4 === 1)
    refuse(
      `${path}.base64.data`,
      'Input should be valid base64, without line breaks or a `data:` prefix',
    )
  return { type: 'base64', mediaType, data }
}

/** A signature that the gateway made names the family of the thought; any other is the vendor's. */
function decodeThinking(part: JsonObject): Block {
  const signature = textOf(part.signature) ?? ''
  const family = familyOfSignature(signature) ?? 'anthropic'
  const opaque: Opaque[] = signature === '' ? [] : [{ family, kind: 'signature', data: signature }]
  return { type: 'reasoning', text: String(part.thinking), opaque }
}

function decodeRedacted(part: JsonObject): Block {
  const opaque: Opaque = { family: 'anthropic', kind: 'redacted', data: String(part.data) }
  return { type: 'reasoning', text: '', opaque: [opaque] }
}

function decodeCall(part: JsonObject, said: Said): Block {
  return {
    type: 'call',
    id: String(part.id),
    name: String(part.name),
    arguments: rawMember(said, 'input') ?? '{}',
    ...marks(part, said, ['cache_control']),
  }
}

function decodeResult(part: JsonObject, said: Said): Block {
  return {
    type: 'result',
    callId: String(part.tool_use_id),
    ...given('content', decodeResultContent(part.content, said)),
    ...(part.is_error === true && { isError: true }),
    ...marks(part, said, ['cache_control']),
  }
}

/** An empty list is a tool that returned nothing. */
function decodeResultContent(content: unknown, said: Said): ResultBlock['content'] | undefined {
  if (typeof content === 'string') return content
  if (!Array.isArray(content) || content.length === 0) return undefined
  return decodeParts(content, saidMember(said, 'content') ?? said)
}

function decodeOther(part: JsonObject, said: Said): Block {
  const raw = rawOf(said)
  return { type: 'other', kind: String(part.type), raw, ...marks(part, said, ['cache_control']) }
}

interface Marks {
  readonly cache?: RawJson
  readonly citations?: RawJson
}

function marks(
  part: JsonObject,
  said: Said,
  names: readonly ('cache_control' | 'citations')[],
): Marks {
  const found: { cache?: RawJson; citations?: RawJson } = {}
  for (const name of names) {
    if (isAbsent(part[name])) continue
    const raw = rawMember(said, name) ?? brandAs<RawJson>('null')
    if (name === 'cache_control') found.cache = raw
    else found.citations = raw
  }
  return found
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
