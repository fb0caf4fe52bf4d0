import { type PackedFile, readConsoleFiles } from './console-files.ts'
import { consoleFolder } from './console-folder.ts'
import type { Router } from './router.ts'

/** What browsers are given of the console: its files, and its one page under every address that a page of it may have. */
export class ConsoleSite {
  readonly #router: Pick<Router, 'has'>
  readonly #folder: string
  #files: ReadonlyMap<string, PackedFile> | undefined

  constructor(router: Pick<Router, 'has'>, folder: string = consoleFolder) {
    this.#router = router
    this.#folder = folder
  }

  /** Undefined for what is no matter of the console but of the API. `headers` are those of every answer. */
  async answer({ method, path, headers, asked }: SiteRequest): Promise<Response | undefined> {
    if (method !== 'GET' && method !== 'HEAD') return undefined
    if (isOfApi(path) || this.#router.has(path)) return undefined
    const isAsset = path.startsWith(assets)
    if (!isAsset && !pagePath.test(path)) return undefined
    // Where it was not built it may be so by now.
    this.#files ??= await readConsoleFiles(this.#folder)
    if (this.#files === undefined) return isAsset ? undefined : unbuilt(headers)
    const file = this.#files.get(isAsset ? path : '/index.html')
    return file === undefined ? undefined : sent(file, { asked, headers })
  }
}

export interface SiteRequest {
  readonly method: string
  /** As it was sent. */
  readonly path: string
  /** Those of the request. */
  readonly asked: Headers
  /** Those that every answer carries. */
  readonly headers: Headers
}

const assets = '/assets/'

/** The first word of a page's address has no dot: what looks like a file is not there. */
const pagePath =
  /^\/(?:index\.html|(?:[a-z][a-z-]*(?:\/[\w%~:@!$'()*+,;=-][\w%~:@!$'()*+,;=.-]*)*\/?)?)$/

function isOfApi(path: string): boolean {
  return path === '/api' || path.startsWith('/api/')
}

function sent(
  { path, type, hash, packed }: PackedFile,
  { asked, headers }: Pick<SiteRequest, 'asked' | 'headers'>,
): Response {
  const tag = `"${hash}"`
  // The names of assets have the hash of what is in them; the page has to be asked for each time, to name the newest.
  const isAsset = path.startsWith(assets)
  headers.set('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
  headers.set('etag', `W/${tag}`)
  headers.set('vary', 'accept-encoding')
  if (asked.get('if-none-match')?.includes(tag) === true)
    return new Response(null, { status: 304, headers })
  headers.set('content-type', type)
  if (!/\bgzip\b/.test(asked.get('accept-encoding') ?? ''))
    return new Response(Bun.gunzipSync(packed), { headers })
  headers.set('content-encoding', 'gzip')
  return new Response(packed, { headers })
}

/** In place of a console that was not built. */
function unbuilt(headers: Headers): Response {
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(unbuiltPage, { status: 503, headers })
}

const unbuiltPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Parley</title></head>
<body>
<h1>The console is not built</h1>
<p>Run <code>npm ci</code> in the folder of Parley, or <code>npm run prepare</code> where its packages
are installed, and load this page again.</p>
<p>The API works without it: <code>/api/openapi.json</code>, and docs/admin.md.</p>
</body>
</html>
`
