/** Streams that are made to cost much, of about as many bytes as asked for: what a reader does twice shows in them. */
export const hostileStreams: readonly {
  readonly name: string
  readonly make: (bytes: number) => Uint8Array
}[] = [
  inFrame('a line that does not end', () => 'x', { end: '' }),
  inFrame('one frame of plain text', () => 'word '),
  inFrame('many marks of the end in one text', () => '[DONE]'),
  inFrame('many marks of an error in one text', () => 'error '),
  inFrame('many marks of a message in one text', () => 'message_'),
  inFrame('many carriage returns', () => '\\r'),
  many('many small frames', () => 'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n'),
  many('many messages events', (at) =>
    at === 0
      ? 'event: message_start\ndata: {"type":"message_start","message":{}}\n\n'
      : 'data: {"type":"message_delta","delta":{},"usage":{"output_tokens":1}}\n\n',
  ),
  many('many comments', () => ': ping\n\n'),
  many('blank lines', () => '\n'),
  many('carriage returns alone', () => '\r'),
  many('data lines of one frame', () => 'data: x\n'),
  members('many counts in one object', '"usage":{"prompt_tokens":1}'),
  members('many counts that are nothing', '"usage":null'),
  members('many failures that are none', '"error":null'),
  members('many finishes in one object', '"finish_reason":"x"'),
  many('many pieces of a call', (at) =>
    at === 0
      ? call({ index: 0, id: 'c', function: { name: 'f', arguments: '{"a":"' } })
      : call({ index: 0, function: { arguments: 'x' } }),
  ),
  many('many calls', (at) =>
    call({ index: at, id: `c${at}`, function: { name: 'f', arguments: '{}' } }),
  ),
]

const begin = 'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n'

function inFrame(name: string, piece: () => string, { end = '"}}]}\n\n' } = {}) {
  const open = 'data: {"choices":[{"index":0,"delta":{"content":"'
  return {
    name,
    make: (bytes: number) => Buffer.from(`${begin}${open}${repeated(piece, bytes)}${end}`),
  }
}

function many(name: string, piece: (at: number) => string) {
  return { name, make: (bytes: number) => Buffer.from(repeated(piece, bytes)) }
}

function members(name: string, member: string) {
  return {
    name,
    make: (bytes: number) =>
      Buffer.from(
        `${begin}data: {"choices":[{"index":0,"delta":{}}],${repeated(() => `${member},`, bytes)}"a":1}\n\n`,
      ),
  }
}

function call(piece: object): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [piece] } }] })}\n\n`
}

function repeated(piece: (at: number) => string, bytes: number): string {
  const pieces: string[] = []
  for (let at = 0, length = 0; length < bytes; at++) {
    const next = piece(at)
    pieces.push(next)
    length += next.length
  }
  return pieces.join('')
}
