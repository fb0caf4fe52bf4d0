export {}

/** The floor: the least that a proxy on this runtime can do. It looks at each chunk and passes it on. */
const upstream = process.env['BENCH_UPSTREAM'] ?? ''

async function* passed(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) if (chunk.length > 0) yield chunk
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    const body = await request.text()
    const wantsStream = JSON.parse(body).stream === true
    const answer = await fetch(`${upstream}/v1/chat/completions`, {
      method: 'POST',
      body,
      signal: request.signal,
      headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
    })
    const headers = { 'content-type': answer.headers.get('content-type') ?? '' }
    if (!wantsStream || answer.body === null)
      return new Response(await answer.arrayBuffer(), { headers })
    return new Response(passed(answer.body), { headers })
  },
})

console.log(server.port)
