export {}

/**
 * The upstream of every measurement: answers chat completions at once, as JSON or as a stream with a steady rhythm.
 * Run as a process of its own; prints its port.
 */
const chunks = Number(process.env['BENCH_CHUNKS'] ?? 200)
const everyMs = Number(process.env['BENCH_EVERY_MS'] ?? 20)
const encoder = new TextEncoder()

const head =
  '{"id":"chatcmpl-bench0123456789","object":"chat.completion.chunk","created":1760000000,"model":"bench","service_tier":"default","system_fingerprint":null,'
const frames = Array.from({ length: 10 }, (_, index) =>
  encoder.encode(
    `data: ${head}"choices":[{"index":0,"delta":{"content":" word${index}"},"finish_reason":null}],"usage":null}\n\n`,
  ),
)
const first = encoder.encode(
  `data: ${head}"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null}\n\n`,
)
const last = encoder.encode(
  `data: ${head}"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}\n\n` +
    `data: ${head}"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":200,"total_tokens":210}}\n\n` +
    'data: [DONE]\n\n',
)
const reply = JSON.stringify({
  id: 'chatcmpl-bench0123456789',
  object: 'chat.completion',
  created: 1_760_000_000,
  model: 'bench',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'word '.repeat(60), refusal: null },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 60, total_tokens: 70 },
})

async function* stream(): AsyncGenerator<Uint8Array> {
  yield first
  for (let index = 0; index < chunks; index++) {
    await Bun.sleep(everyMs)
    yield frames[index % frames.length] ?? first
  }
  yield last
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    if (request.method === 'GET') {
      return Response.json({
        object: 'list',
        data: [{ id: 'bench', object: 'model', created: 0, owned_by: 'bench' }],
      })
    }
    const body = await request.text()
    if (!/"stream":\s*true/.test(body)) {
      return new Response(reply, { headers: { 'content-type': 'application/json' } })
    }
    return new Response(stream(), { headers: { 'content-type': 'text/event-stream' } })
  },
})

console.log(server.port)
