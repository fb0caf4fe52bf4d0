import type { NewSession } from '#console/access/sessions.ts'

/** With this prefix a browser takes the cookie over https alone, for this host alone. */
const overHttps = '__Host-parley'
const onLoopback = 'parley_session'

/** What the browser shows for its session, if it shows one. Over https the other cookie counts for nothing. */
export function shownSession(headers: Headers, isHttps: boolean): string | undefined {
  const wanted = nameOf(isHttps)
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const [name = '', value = ''] = pair.split('=', 2)
    if (name.trim() === wanted && /^[\w-]{43}$/.test(value.trim())) return value.trim()
  }
  return undefined
}

/** The header that gives the browser a session, or takes it away. It has no date: it goes with the browser. */
export function sessionCookie(session: NewSession | undefined, isHttps: boolean): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Strict', ...(isHttps ? ['Secure'] : [])]
  const value = session?.shown.reveal() ?? ''
  const end = session === undefined ? ['Max-Age=0'] : []
  return [`${nameOf(isHttps)}=${value}`, ...attributes, ...end].join('; ')
}

function nameOf(isHttps: boolean): string {
  return isHttps ? overHttps : onLoopback
}
