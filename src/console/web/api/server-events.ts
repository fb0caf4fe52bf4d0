/** One event of a stream, its data still as text. */
export interface ServerEvent {
  readonly event: string
  readonly data: string
}

/** The events of a body of type `text/event-stream`, however its bytes are cut. */
export async function* serverEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + value).split(/\r?\n\r?\n/)
      rest = blocks.pop() ?? ''
      yield* blocks.map(eventOf).filter((event) => event !== undefined)
    }
  } finally {
    // Whoever leaves early wants no more of it.
    await reader.cancel().catch(() => undefined)
  }
}

function eventOf(block: string): ServerEvent | undefined {
  let event = 'message'
  const data: string[] = []
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? []
    if (name === 'event') event = value
    if (name === 'data') data.push(value)
  }
  return data.length === 0 ? undefined : { event, data: data.join('\n') }
}
