import type { Block, MediaSource } from '#chat/conversation.ts'
import { writeDataUrl } from '#protocols/data-url.ts'
import { maybeText, objectText, type MemberText, stringText } from '#protocols/json-text.ts'
import type { Telling } from '#protocols/telling.ts'
import type { RawJson } from '#std/json.ts'

import { refuseField } from './refuse-field.ts'

/** An image, a file or sound as a part of a message; undefined for a block of another kind. Base64 is copied, never decoded. */
export function encodeMedia(field: string, block: Block, telling: Telling): RawJson | undefined {
  if (block.type === 'image') return encodeImage(field, block, telling)
  if (block.type === 'document') return encodeFile(field, block, telling)
  if (block.type === 'audio') {
    return part('input_audio', [
      ['data', stringText(block.data)],
      ['format', stringText(block.format)],
    ])
  }
  // A part that only this protocol knows goes back to it as it was said.
  if (block.type === 'other' && telling.caller === 'chat-completions')
    return typedPart(block.kind, block.raw)
  return undefined
}

function typedPart(type: string, value: RawJson): RawJson {
  return objectText([
    ['type', stringText(type)],
    [type, value],
  ])
}

function part(type: string, members: readonly MemberText[]): RawJson {
  return typedPart(type, objectText(members))
}

type ImageBlock = Extract<Block, { readonly type: 'image' }>

function encodeImage(field: string, { source, detail }: ImageBlock, telling: Telling): RawJson {
  return part('image_url', [
    ['url', stringText(imageUrl(field, source, telling))],
    ['detail', maybeText(detail)],
  ])
}

function imageUrl(field: string, source: MediaSource, telling: Telling): string {
  switch (source.type) {
    case 'base64':
      return writeDataUrl(source)
    case 'url':
      if (telling.profile.fetchesUrls || source.url.startsWith('data:')) return source.url
      return refuseField(
        telling,
        `${field}.content`,
        'image.source.url: the upstream of this model fetches no images. Send the image itself, as base64.',
      )
    case 'file':
      return refuseFile(field, 'image', telling)
    case 'text':
      return refuseField(telling, `${field}.content`, 'image.source: text is no image.')
  }
}

type DocumentBlock = Extract<Block, { readonly type: 'document' }>

function encodeFile(field: string, block: DocumentBlock, telling: Telling): RawJson {
  const { source, title, context, citations } = block
  if (source.type === 'file') return encodeFileId(field, source.id, telling)
  if (source.type !== 'base64') {
    return refuseField(
      telling,
      `${field}.content`,
      'document.source.url: the upstream of this model fetches no documents. Send the document itself, as base64 or text.',
    )
  }
  if (context !== undefined) telling.notes.add(`${field}.document.context`, 'dropped')
  if (citations !== undefined) telling.notes.add(`${field}.document.citations`, 'dropped')
  return part('file', [
    ['filename', stringText(title ?? defaultName(source.mediaType))],
    ['file_data', stringText(writeDataUrl(source))],
  ])
}

/** A file id means something only where the file was uploaded. */
function encodeFileId(field: string, id: string, telling: Telling): RawJson {
  if (telling.caller === 'messages') return refuseFile(field, 'document', telling)
  return part('file', [['file_id', stringText(id)]])
}

function refuseFile(field: string, kind: string, telling: Telling): never {
  return refuseField(
    telling,
    `${field}.content`,
    `${kind}.source.file_id: the file lies with another vendor, whom the upstream of this model cannot ask. Send the ${kind} itself, as base64.`,
  )
}

function defaultName(mediaType: string): string {
  return mediaType === 'application/pdf' ? 'document.pdf' : 'document'
}
