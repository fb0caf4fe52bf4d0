import { isAnyAddress } from './loopback.ts'

/** Where a client on this machine reaches a listener: an origin, with no path. */
export function localUrl(host: string, port: number): string {
  if (isAnyAddress(host)) return `http://127.0.0.1:${port}`
  return host.includes(':') ? `http://[${host}]:${port}` : `http://${host}:${port}`
}
