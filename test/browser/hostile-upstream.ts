import { hostileTexts } from './hostile-texts.ts'

/** An upstream whose every word is hostile: what its models are called, what they answer, and why they fail. */
export function hostileUpstream(): { readonly url: string } & AsyncDisposable {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

const hostile = (at: number): string => hostileTexts[at % hostileTexts.length] ?? ''

async function answer(request: Request): Promise<Response> {
  if (request.method === 'GET') return Response.json({ object: 'list', data: models() })
  const { model, stream } = JSON.parse(await request.text())
  const at = hostileTexts.indexOf(model)
  const error = { message: hostile(at + 1), type: hostile(at + 2), code: hostile(at + 3) }
  if (at % 5 === 4) return Response.json({ error }, { status: 400 })
  return stream === true ? spoken(at) : Response.json(whole(at))
}

function models(): readonly object[] {
  return hostileTexts
    .slice(0, 60)
    .map((id, at) => ({ id, object: 'model', created: 1, owned_by: hostile(at + 7) }))
}

const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }

function whole(at: number): object {
  const message = { role: 'assistant', content: hostile(at) }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  return { ...named(at), object: 'chat.completion', choices, usage }
}

function spoken(at: number): Response {
  const chunk = (delta: object, finish: string | null) => ({
    ...named(at),
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const text = `${hostile(at)} ${hostile(at + 60)}\n\n\`\`\`html\n${hostile(at + 120)}\n\`\`\`\n`
  const chunks = [chunk({ role: 'assistant', content: text }, null), chunk({}, 'stop')]
  const last = { ...named(at), object: 'chat.completion.chunk', choices: [], usage }
  const frames = [...chunks, last].map((one) => `data: ${JSON.stringify(one)}\n\n`)
  return new Response(`${frames.join('')}data: [DONE]\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  })
}

function named(at: number) {
  return { id: `chatcmpl-${hostile(at + 3)}`, created: 1, model: hostile(at + 1) }
}
