import { localUrl } from '#addresses/local-url.ts'
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
  const adminUrl = localUrl(adminHost, port)
  return {
    adminUrl,
    ...(token !== undefined && { setupUrl: `${adminUrl}/setup#${token.reveal()}` }),
  }
}
