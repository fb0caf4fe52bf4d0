import type { MediaParts } from '#chat/media-parts.ts'
import { isObject, listIn } from '#std/json.ts'

/**
 * Finds images and files in the messages of a parsed body, of either protocol, those in results of tools too. Looks at
 * the parts of contents and nowhere else, so a body of long texts costs next to nothing.
 */
export function mediaPartsOf(body: unknown): MediaParts {
  const found: Found = { images: 0, files: 0, imageLength: 0, fileLength: 0 }
  const messages = isObject(body) ? body['messages'] : undefined
  for (const message of listIn(messages)) findIn(message, found, 0)
  return found
}

/** A message has parts, the result of a tool has parts again, a document in it once more. */
const maxDepth = 3

const kinds: ReadonlyMap<unknown, 'images' | 'files'> = new Map([
  ['image', 'images'],
  ['image_url', 'images'],
  ['document', 'files'],
  ['file', 'files'],
  ['input_audio', 'files'],
  ['video_url', 'files'],
])

type Found = { -readonly [Name in keyof MediaParts]: MediaParts[Name] }

function findIn(holder: unknown, found: Found, depth: number): void {
  if (!isObject(holder) || depth > maxDepth) return
  for (const part of listIn(holder['content'])) {
    const kind = isObject(part) ? kinds.get(part['type']) : undefined
    if (kind !== undefined) found[kind] += 1
    if (kind === 'images') found.imageLength += textLength(part, 0)
    else findIn(part, found, depth + 1)
    if (kind === 'files') found.fileLength += dataLength(part)
  }
}

/** Where a file has its data in base64; that of a plain text is text. */
const dataPlaces = [
  ['source', 'data'],
  ['file', 'file_data'],
  ['input_audio', 'data'],
  ['video_url', 'url'],
] as const

function dataLength(part: unknown): number {
  if (!isObject(part)) return 0
  return dataPlaces.reduce((sum, [holder, name]) => {
    const held = part[holder]
    const data = isObject(held) && held['type'] !== 'text' ? held[name] : undefined
    return sum + (typeof data === 'string' ? data.length : 0)
  }, 0)
}

/** Whatever text an image part has is its data, or says where that lies: no model reads it as text. */
function textLength(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length
  if (!isObject(value) || depth > maxDepth) return 0
  return Object.values(value).reduce<number>((sum, one) => sum + textLength(one, depth + 1), 0)
}
