// Tests look into answers as they please.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

type Sent = Readonly<Record<string, string>>

/** Asks the admin API as a program does that has signed in, to set up what a page is then to show. */
export class AdminClient {
  readonly #url: string
  /** The cookie of the session, `name=value`. */
  cookie = ''

  constructor(url: string) {
    this.#url = url
  }

  async send(method: string, path: string, body?: unknown, headers: Sent = {}): Promise<Response> {
    const isChange = method !== 'GET'
    const response = await fetch(`${this.#url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(isChange && { 'x-parley-csrf': '1', 'content-type': 'application/json' }),
        ...(this.cookie !== '' && { cookie: this.cookie }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const set = response.headers.get('set-cookie')
    if (set !== null) this.cookie = set.split(';')[0] ?? ''
    return response
  }

  /** The same as somebody who is not signed in, and stays so. */
  apart(method: string, path: string, body: unknown, headers: Sent = {}): Promise<Response> {
    return new AdminClient(this.#url).send(method, path, body, headers)
  }

  /** The same for what has to be answered well; gives the JSON. */
  async ask(method: string, path: string, body?: unknown, headers?: Sent): Promise<Json> {
    const response = await this.send(method, path, body, headers)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
}
