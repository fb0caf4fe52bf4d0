import type { Block, MediaSource, ResultBlock } from '#chat/conversation.ts'
import { sentCallId } from '#protocols/call-ids.ts'
import {
  listText,
  maybeText,
  type MemberText,
  objectText,
  stringText,
} from '#protocols/json-text.ts'
import type { Telling } from '#protocols/telling.ts'
import { brandAs } from '#std/brand.ts'
import { isObject, parseJson, rawJson, type RawJson } from '#std/json.ts'
import { assertNever } from '#std/never.ts'

import { thoughtMark } from './thought-mark.ts'
import { unsayable } from './unsayable.ts'

type BlockOf<Type extends Block['type']> = Extract<Block, { type: Type }>

/** Says one block. `field` is where it stands in the caller's request. Throws `not-expressible` for what has no like here. */
export function encodeBlock(block: Block, telling: Telling, field: string): RawJson {
  switch (block.type) {
    case 'text':
      return encodeText(block, telling, field)
    case 'refusal':
      return objectText([typed('text'), ['text', stringText(block.text)]])
    case 'image':
      return encodeImage(block, telling, field)
    case 'document':
      return encodeDocument(block, telling, field)
    case 'reasoning':
      return encodeThought(block, telling)
    case 'call':
      return encodeCall(block, telling, field)
    case 'result':
      return encodeResult(block, telling, field)
    case 'audio':
      throw unsayable(field, 'it takes no sound')
    case 'other':
      if (telling.caller === 'messages') return block.raw
      throw unsayable(field, `it knows no '${block.kind}'`)
    default:
      return assertNever(block)
  }
}

export function encodeText(block: BlockOf<'text'>, telling: Telling, field: string): RawJson {
  return objectText([
    typed('text'),
    ['text', stringText(block.text)],
    ['citations', block.citations],
    cacheMember(block, telling, field),
  ])
}

function typed(type: string): MemberText {
  return ['type', stringText(type)]
}

/** Only the first party keeps what it is told to keep; others refuse the mark. */
function cacheMember(
  { cache }: { readonly cache?: RawJson },
  { profile, notes }: Telling,
  field: string,
): MemberText {
  if (cache !== undefined && !profile.firstParty) notes.add(`${field}.cache_control`, 'dropped')
  return ['cache_control', profile.firstParty ? cache : undefined]
}

function encodeImage(block: BlockOf<'image'>, telling: Telling, field: string): RawJson {
  if (block.detail !== undefined && block.detail !== 'auto')
    telling.notes.add(`${field}.image_url.detail`, 'dropped')
  return objectText([
    typed('image'),
    ['source', encodeSource(block.source, telling, field)],
    cacheMember(block, telling, field),
  ])
}

function encodeDocument(block: BlockOf<'document'>, telling: Telling, field: string): RawJson {
  return objectText([
    typed('document'),
    ['source', encodeSource(asDocument(block.source, field), telling, field)],
    ['title', maybeText(block.title)],
    ['context', maybeText(block.context)],
    ['citations', block.citations],
    cacheMember(block, telling, field),
  ])
}

/** The protocol reads PDF and text. What is text is told as text. */
function asDocument(source: MediaSource, field: string): MediaSource {
  if (source.type !== 'base64' || source.mediaType === 'application/pdf') return source
  if (source.mediaType.startsWith('text/'))
    return { type: 'text', text: Buffer.from(source.data, 'base64').toString('utf8') }
  throw unsayable(field, `it reads files of PDF and text, not of '${source.mediaType}'`)
}

function encodeSource(source: MediaSource, { caller, profile }: Telling, field: string): RawJson {
  switch (source.type) {
    case 'base64':
      return objectText([
        typed('base64'),
        ['media_type', stringText(source.mediaType)],
        ['data', stringText(source.data)],
      ])
    case 'text':
      return objectText([
        typed('text'),
        ['media_type', stringText('text/plain')],
        ['data', stringText(source.text)],
      ])
    case 'url':
      if (!profile.fetchesUrls)
        throw unsayable(field, 'it fetches no URLs, so the file has to be sent as a data URL')
      return objectText([typed('url'), ['url', stringText(source.url)]])
    case 'file':
      if (caller !== 'messages') throw unsayable(field, 'the file id is of another vendor')
      return objectText([typed('file'), ['file_id', stringText(source.id)]])
    default:
      return assertNever(source)
  }
}

/** A thought that the target can check, in full. Others were taken out before. */
function encodeThought(block: BlockOf<'reasoning'>, telling: Telling): RawJson {
  const mark = thoughtMark(block, telling.profile)
  if (mark?.kind === 'redacted')
    return objectText([typed('redacted_thinking'), ['data', stringText(mark.data)]])
  return objectText([
    typed('thinking'),
    ['thinking', stringText(block.text)],
    ['signature', stringText(mark?.data ?? '')],
  ])
}

function encodeCall(block: BlockOf<'call'>, telling: Telling, field: string): RawJson {
  const { profile, names, notes } = telling
  if (block.opaque?.some((opaque) => opaque.kind === 'extra'))
    notes.add(`${field}.extra_content`, 'dropped')
  const id = sentCallId(block.id, profile.callIds)
  return objectText([
    typed('tool_use'),
    ['id', stringText(id)],
    ['name', stringText(names.get(block.name) ?? block.name)],
    ['input', encodeArguments(block.arguments, { id, field, telling })],
    cacheMember(block, telling, field),
  ])
}

/** The raw text of an object goes on as it is; the protocol takes nothing else, so the rest is wrapped in one. */
function encodeArguments(
  text: string,
  {
    id,
    field,
    telling,
  }: { readonly id: string; readonly field: string; readonly telling: Telling },
): RawJson {
  if (text.trim() === '') return rawJson({})
  const parsed = parseJson(text)
  if (parsed.ok && isObject(parsed.value)) return brandAs<RawJson>(text)
  telling.notes.add(`${field}.function.arguments`, `wrapped as {"_raw"} in call ${id}`)
  return objectText([['_raw', stringText(text)]])
}

function encodeResult(block: ResultBlock, telling: Telling, field: string): RawJson {
  return objectText([
    typed('tool_result'),
    ['tool_use_id', stringText(sentCallId(block.callId, telling.profile.callIds))],
    ['content', encodeResultContent(block.content, telling, field)],
    ['is_error', block.isError === true ? rawJson(true) : undefined],
    cacheMember(block, telling, field),
  ])
}

/** An empty result is one without content: the protocol refuses an empty text. */
function encodeResultContent(
  content: ResultBlock['content'],
  telling: Telling,
  field: string,
): RawJson | undefined {
  if (content === undefined || content === '') return undefined
  if (typeof content === 'string') return stringText(content)
  const said = content.filter((block) => block.type !== 'text' || block.text.trim() !== '')
  if (said.length === 0) return undefined
  return listText(said.map((block) => encodeBlock(block, telling, `${field}.content`)))
}
