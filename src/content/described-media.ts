import { hash } from 'node:crypto'

import { isObject, type JsonObject } from '#std/json.ts'

/**
 * A value of a request in which every picture, sound and file, and whatever only its maker can read, is a description:
 * its type, its size and its hash. Rules look at text, and these are none.
 */
export function withoutMedia(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return opaqueNames.has(name) ? opaque(value) : withoutData(value)
  if (Array.isArray(value)) return isTokens(value, name) ? tokens(value) : value.map(itemWithout)
  return isObject(value) ? objectWithout(value) : value
}

/** A text in which data in base64 is a description. */
export function withoutData(text: string): string {
  if (text.length < shortestData) return text
  return text
    .replaceAll(dataUrls, (_, type: string, data: string) => described(type, bytesOf(data)))
    .replaceAll(longBase64, (data) => described('base64', bytesOf(data)))
}

const shortestData = 64
const dataUrls =
  /data:([A-Za-z0-9.+-]{1,60}\/[A-Za-z0-9.+-]{1,100})[^,\s]{0,100};base64,([A-Za-z0-9+/=_-]*)/g
/** No word of any language is as long. */
const longBase64 = /[A-Za-z0-9+/_-]{1024,}={0,2}/g

/** Members that hold what only the maker of a model can read: signatures, withheld thoughts. */
const opaqueNames: ReadonlySet<string> = new Set([
  'signature',
  'thought_signature',
  'encrypted_content',
  'encrypted_index',
])

/** Members that hold a file as their text, each with the member beside it that names its type. */
const fileNames: Readonly<Record<string, readonly string[]>> = {
  data: ['media_type', 'mediaType', 'mime_type', 'mimeType', 'format'],
  file_data: ['filename'],
}

function itemWithout(item: unknown): unknown {
  return withoutMedia(item)
}

function objectWithout(object: JsonObject): JsonObject {
  const members = Object.entries(object).map(([name, value]) => [
    name,
    memberWithout(object, name, value),
  ])
  return Object.fromEntries(members)
}

function memberWithout(object: JsonObject, name: string, value: unknown): unknown {
  if (typeof value !== 'string') return withoutMedia(value, name)
  if (name === 'data' && object['type'] === 'redacted_thinking') return opaque(value)
  if (name === 'url' || name === 'image_url') return withoutQuery(withoutData(value))
  const type = Object.hasOwn(fileNames, name)
    ? fileNames[name]?.find((beside) => typeof object[beside] === 'string')
    : undefined
  if (type === undefined || value.startsWith('data:')) return withoutMedia(value, name)
  const isText = object['type'] === 'text'
  return described(String(object[type]), isText ? Buffer.from(value) : bytesOf(value))
}

/** Whoever has an address with a signature in it may fetch what lies there. */
function withoutQuery(url: string): string {
  const query = url.search(/[?#]/)
  return query === -1 ? url : `${url.slice(0, query)}?[left out]`
}

function described(type: string, bytes: Buffer): string {
  const shown = type.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 100)
  return `[${shown}, ${bytes.length} bytes, sha256 ${hash('sha256', bytes)}]`
}

function opaque(value: string): string {
  return value === '' ? '' : `[opaque, ${value.length} characters]`
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64')
}

/** Numbers of tokens are a text that no rule can read. */
function isTokens(list: readonly unknown[], name: string): boolean {
  const isLong = list.length >= 64 || (name === 'input' && list.length > 0)
  return isLong && list.every((item) => typeof item === 'number' || isNumbers(item))
}

function isNumbers(item: unknown): boolean {
  return Array.isArray(item) && item.every((one) => typeof one === 'number')
}

function tokens(list: readonly unknown[]): string {
  return `[${list.flat().length} numbers]`
}
