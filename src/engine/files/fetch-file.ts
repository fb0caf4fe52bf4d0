import { ModelFileError } from './model-file-error.ts'
import { isSafe } from './source.ts'

/** What accompanies a request for a file. */
export interface Asking {
  /** Shown to the host that was asked first, and to no other. */
  readonly token?: string | undefined
  readonly signal?: AbortSignal | undefined
}

const mostRedirects = 5

/**
 * Asks for something and follows redirects, without the token as soon as they lead to another host. What the first
 * host said of the file (`x-linked-etag`) is kept with the last answer. Throws `ModelFileError` for every refusal.
 */
export async function ask(
  url: string,
  { token, signal, headers = {} }: Asking & { readonly headers?: Record<string, string> },
): Promise<Response> {
  const first = new URL(url)
  let linked: string | undefined
  let at = first
  for (let count = 0; count <= mostRedirects; count++) {
    const mayKnow = token !== undefined && at.origin === first.origin
    const response = await fetched(at, {
      headers: {
        'user-agent': 'parley',
        'accept-encoding': 'identity',
        ...headers,
        ...(mayKnow && { authorization: `Bearer ${token}` }),
      },
      redirect: 'manual',
      ...(signal && { signal }),
    })
    linked ??= response.headers.get('x-linked-etag') ?? undefined
    const next = redirectOf(response, at)
    if (next === undefined) return withLinked(usable(response, first), linked)
    await response.body?.cancel()
    at = next
  }
  throw new ModelFileError('unusable', `${first.host} redirects in circles.`)
}

async function fetched(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, timeout: false } as RequestInit)
  } catch (error) {
    throw unreachable(error, url)
  }
}

/** What a failure of the network is to whoever waits. */
export function unreachable(error: unknown, { host }: URL): ModelFileError {
  // What a deadline throws has a number there, which tells nobody anything.
  const said = error instanceof Error && 'code' in error ? error.code : undefined
  const code = typeof said === 'string' ? said : 'no answer'
  return new ModelFileError(
    'unreachable',
    `${host} cannot be reached from here (${code}). Without a network, bring the .gguf file some other way and pull its path.`,
    error,
  )
}

function redirectOf(response: Response, at: URL): URL | undefined {
  const location = response.headers.get('location')
  if (response.status < 300 || response.status >= 400 || location === null) return undefined
  const next = new URL(location, at)
  if (isSafe(next)) return next
  throw new ModelFileError('unusable', `${at.host} redirects to ${next.origin}, which is not safe.`)
}

function usable(response: Response, { host, pathname }: URL): Response {
  if (response.ok || response.status === 416) return response
  const refusals: Readonly<Record<number, string>> = {
    401: `${host} wants to know who asks: set HF_TOKEN to a token that may read ${pathname}. It also says this of what does not exist.`,
    403: `${host} does not let you have ${pathname}. Accept its terms there, or set HF_TOKEN to a token that may read it.`,
    404: `${host} has no ${pathname}.`,
    429: `${host} asks to come again later.`,
  }
  const problem =
    response.status === 404
      ? 'missing'
      : response.status === 401 || response.status === 403
        ? 'denied'
        : 'unreachable'
  throw new ModelFileError(
    problem,
    refusals[response.status] ?? `${host} answered with status ${response.status}.`,
  )
}

function withLinked(response: Response, linked: string | undefined): Response {
  if (linked === undefined || response.headers.get('x-linked-etag') === linked) return response
  const headers = new Headers(response.headers)
  headers.set('x-linked-etag', linked)
  return new Response(response.body, { status: response.status, headers })
}
