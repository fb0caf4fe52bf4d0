/** What a data URL holds: its media type in lower case, and its bytes as base64 text. */
export interface DataUrl {
  readonly mediaType: string
  readonly data: string
}

/**
 * Reads a data URL as leniently as clients write them. Base64 text is copied, never decoded. Undefined for text that
 * is no data URL or holds nothing.
 */
export function readDataUrl(url: string): DataUrl | undefined {
  const comma = url.indexOf(',')
  if (comma === -1 || !/^data:/i.test(url)) return undefined
  const [said = '', ...settings] = url.slice('data:'.length, comma).toLowerCase().split(';')
  const isBase64 = settings.some((setting) => setting.trim() === 'base64')
  const payload = url.slice(comma + 1)
  const data = isBase64 ? payload : Buffer.from(unescapedBytes(payload)).toString('base64')
  return data === '' ? undefined : { mediaType: mediaTypeOf(said.trim(), data), data }
}

/** The media type of base64 text, corrected where its first bytes show another than was said. */
export function mediaTypeOf(said: string, data: string): string {
  const known = sameType.get(said) ?? said
  if (known !== '' && !mayBeWrong.test(known)) return known
  const shown = beginnings.find(([beginning]) => data.startsWith(beginning))
  return shown?.[1] ?? known
}

export function writeDataUrl({ mediaType, data }: DataUrl): string {
  return `data:${mediaType};base64,${data}`
}

const sameType: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['application/x-pdf', 'application/pdf'],
])

/** Clients guess these from file names; a text is what it says it is. */
const mayBeWrong = /^(image\/.*|application\/(pdf|octet-stream))$/

/** How the base64 text of a file of each type begins. */
const beginnings: readonly (readonly [string, string])[] = [
  ['/9j/', 'image/jpeg'],
  ['iVBORw0KGgo', 'image/png'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi', 'application/pdf'],
]

function unescapedBytes(payload: string): Uint8Array {
  const bytes: number[] = []
  for (const [piece, digits] of payload.matchAll(/%([0-9a-f]{2})|[^%]+|%/gi)) {
    if (digits !== undefined) bytes.push(Number.parseInt(digits, 16))
    else for (const byte of Buffer.from(piece)) bytes.push(byte)
  }
  return Uint8Array.from(bytes)
}
