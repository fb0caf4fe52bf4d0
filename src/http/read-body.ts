import { GatewayError } from '#chat/error.ts'
import type { RequestBody } from '#chat/request.ts'
import { isObject, JsonTextError, membersOf, parseJson } from '#std/json.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a request's body: at most `limit` bytes of UTF-8 holding one JSON object.
 * `take` is told of every byte before it is read into memory, and may throw. Throws `body-too-large` before reading more than the limit, `media-unsupported` for compressed bodies,
 * `client-gone` for one that breaks off, and `request-invalid` for anything that is no JSON object or nests too deep.
 */
export async function readBody(
  request: Request,
  limit: number,
  take: (bytes: number) => void = () => {},
): Promise<RequestBody> {
  const coding = request.headers.get('content-encoding')
  if (coding !== null && coding !== 'identity') {
    throw new GatewayError(
      'media-unsupported',
      `The body is compressed (${coding.slice(0, 40)}); send it uncompressed.`,
      { detail: 'request_body_encoding_unsupported' },
    )
  }
  return parseBody(decodeText(await readBytes(request, limit, take)))
}

/** Parses the text of a body. Depth is checked by a scan, before the parser can be made slow by it. */
export function parseBody(text: string): RequestBody {
  try {
    const members = membersOf(text)
    const parsed = parseJson(text)
    if (parsed.ok && isObject(parsed.value)) return { text, value: parsed.value, members }
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error
    throw notJson(error.message)
  }
  throw notJson('It does not parse.')
}

async function readBytes(
  request: Request,
  limit: number,
  take: (bytes: number) => void,
): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  if (declared > limit) throw tooLarge(limit)
  try {
    if (Number.isNaN(declared)) return await readCounted(request, limit, take)
    take(declared)
    return await request.bytes()
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw new GatewayError('client-gone', 'The connection ended before the request was complete.', {
      cause: error,
    })
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    // The decoder drops a byte order mark.
    return decoder.decode(bytes)
  } catch (error) {
    throw new GatewayError('request-invalid', 'The request body is not valid UTF-8.', {
      cause: error,
      detail: 'request_body_encoding_invalid',
    })
  }
}

/** A body of unknown length, counted as it comes. */
async function readCounted(
  request: Request,
  limit: number,
  take: (bytes: number) => void,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body ?? []) {
    size += part.length
    if (size > limit) throw tooLarge(limit)
    take(part.length)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function tooLarge(limit: number): GatewayError {
  return new GatewayError(
    'body-too-large',
    `The request body is over the limit of ${limit} bytes. Send less, or raise \`limits.body\` in the gateway's config.`,
  )
}

function notJson(why: string): GatewayError {
  return new GatewayError(
    'request-invalid',
    `The request body is not valid JSON: ${why} Expected one JSON object.`,
  )
}
