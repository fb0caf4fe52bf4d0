import { readFileSync } from 'node:fs'

/** A hub of models on this machine, with one small one. */
export interface ModelHub extends AsyncDisposable {
  /** What `HF_ENDPOINT` is set to. */
  readonly endpoint: string
  /** What is asked for, to get the model. */
  readonly source: string
  /** The name of the model once it is there. */
  readonly model: string
  /** Lets the second half of the file go. Until then it is held, so that its progress can be looked at. */
  readonly release: () => void
}

const file = readFileSync(new URL('../../models/mini/parley-mini-embed.gguf', import.meta.url))

export function modelHub(): ModelHub {
  const released = Promise.withResolvers<void>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: (request) => (request.url.includes('/api/models/') ? list() : body(released.promise)),
  })
  return {
    endpoint: `http://127.0.0.1:${server.port}`,
    source: 'somebody/tiny-GGUF',
    model: 'tiny',
    release: released.resolve,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

function list(): Response {
  const sha256 = new Bun.CryptoHasher('sha256').update(file).digest('hex')
  const lfs = { oid: sha256, size: file.length }
  return Response.json([{ type: 'file', path: 'tiny.gguf', size: file.length, lfs }])
}

function body(released: Promise<void>): Response {
  const half = Math.floor(file.length / 2)
  async function* halves() {
    yield file.subarray(0, half)
    await released
    yield file.subarray(half)
  }
  return new Response(halves(), { headers: { 'content-length': `${file.length}` } })
}
