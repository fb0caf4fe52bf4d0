import type { Secret } from '#std/secret.ts'

interface AdminListen {
  readonly adminHost: string
  readonly adminPort: number
}

export interface AdminUrls {
  readonly adminUrl: string
  readonly setupUrl?: string
}

/**
 * Where the admin API is reached from this machine, and where the first administrator is made. The token stands behind
 * the `#`: browsers send that to nobody, and no log has it.
 */
export function adminUrls(
  { adminHost, adminPort }: AdminListen,
  port: number = adminPort,
  token?: Secret,
): AdminUrls {
  const isAny = adminHost === '0.0.0.0' || adminHost === '::'
  const host = isAny ? '127.0.0.1' : adminHost
  const adminUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return {
    adminUrl,
    ...(token !== undefined && { setupUrl: `${adminUrl}/setup#${token.reveal()}` }),
  }
}
