/** The body was longer than it may be. */
export class BodyTooLong extends Error {
  override readonly name = 'BodyTooLong'
}

/**
 * The text of a response's body. Over `limit` bytes it throws `BodyTooLong`, or with `cut` gives what came before
 * the limit; the rest is never read.
 */
export async function readLimited(
  response: Response,
  limit: number,
  { cut = false }: { readonly cut?: boolean } = {},
): Promise<string> {
  if (isKnownToFit(response, limit)) return response.text()
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const decoder = new TextDecoder()
  let text = ''
  let room = limit
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    if (read.value.length > room) {
      // The body is given up; how its closing went changes nothing.
      reader.cancel().catch(() => undefined)
      if (!cut) throw new BodyTooLong(`The body is over ${limit} bytes.`)
      return text + decoder.decode(read.value.subarray(0, room))
    }
    room -= read.value.length
    text += decoder.decode(read.value, { stream: true })
  }
  return text + decoder.decode()
}

/** A length was announced, and it is that of the text: a compressed body may grow beyond any announcement. */
function isKnownToFit({ headers }: Response, limit: number): boolean {
  const length = headers.get('content-length')
  return length !== null && Number(length) <= limit && !headers.has('content-encoding')
}
