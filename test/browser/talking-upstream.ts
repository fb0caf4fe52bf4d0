/** An upstream that speaks chat completions, as far as the console needs one to look at. */
export interface TalkingUpstream extends AsyncDisposable {
  /** As an operator writes it in the config. */
  readonly url: string
  readonly port: number
  /** How many answers without an end were left by those who asked. */
  readonly left: number
}

export interface TalkingOptions {
  readonly port?: number
  /** What it says when it is asked for its models; they, unless said. */
  readonly listing?: () => Response
}

/**
 * Answers `model-a` and `model-b` at once, `endless` word by word until the caller leaves, and `failing` with an error
 * of its own.
 */
export function talkingUpstream({
  port = 0,
  listing = models,
}: TalkingOptions = {}): TalkingUpstream {
  let left = 0
  const server = Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      if (request.method === 'GET') return listing()
      const { model, stream } = JSON.parse(await request.text())
      if (model === 'failing') return failure()
      if (model === 'endless') return endless(request.signal, () => (left += 1))
      return stream === true ? spoken(model) : Response.json(whole(model))
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    port: server.port ?? 0,
    get left() {
      return left
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

export function models(): Response {
  const names = ['model-a', 'model-b', 'endless', 'failing']
  return Response.json({
    object: 'list',
    data: names.map((id) => ({ id, object: 'model', created: 1, owned_by: 'talking' })),
  })
}

function failure(): Response {
  const error = { message: 'The model fell over.', type: 'invalid_request_error', code: 'fell' }
  return Response.json({ error }, { status: 400 })
}

const usage = { prompt_tokens: 400, completion_tokens: 400, total_tokens: 800 }

function whole(model: string): object {
  const message = { role: 'assistant', content: `Hello from ${model}.` }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  return { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model, choices, usage }
}

function chunk(model: string, delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  const of = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model }
  return `data: ${JSON.stringify({ ...of, choices })}\n\n`
}

function spoken(model: string): Response {
  const words = ['Hello ', 'from ', `${model}.`]
  const last = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices: [] }
  const frames = [
    ...words.map((content) => chunk(model, { content })),
    chunk(model, {}, 'stop'),
    `data: ${JSON.stringify({ ...last, usage })}\n\n`,
    'data: [DONE]\n\n',
  ]
  return new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream' } })
}

function endless(signal: AbortSignal, onLeft: () => void): Response {
  async function* words() {
    for (let at = 1; !signal.aborted; at += 1) {
      yield chunk('endless', { content: `word ${at} ` })
      await Bun.sleep(20)
    }
  }
  signal.addEventListener('abort', onLeft)
  return new Response(words(), { headers: { 'content-type': 'text/event-stream' } })
}
