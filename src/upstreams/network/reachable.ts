/** Where a connection is to be made to. */
export interface Origin {
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
}

/** Where a URL leads, with the usual port of its scheme. */
export function originOf(url: string): Origin {
  const { hostname, port, protocol } = new URL(url)
  const isSecure = protocol === 'https:'
  const usual = isSecure ? 443 : 80
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return { host, port: port === '' ? usual : Number(port), isSecure }
}

/**
 * Whether a connection comes about within the time: looked up, accepted and, where it is to be secure, its handshake
 * done. Whether the certificate is good is not asked: that is for whoever sends something.
 */
export async function isReachable(
  { host, port, isSecure }: Origin,
  withinMs: number,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, withinMs, false)
  const connecting = Bun.connect({
    hostname: host,
    port,
    ...(isSecure && { tls: { rejectUnauthorized: false, serverName: host } }),
    socket: {
      open: () => {
        if (!isSecure) resolve(true)
      },
      handshake: () => resolve(true),
      connectError: () => resolve(false),
      close: () => resolve(false),
      error: () => resolve(false),
      data: () => {},
    },
  })
  // A connection that comes too late is closed all the same; one that never comes has been told of by then.
  connecting.then(
    async (socket) => {
      await promise
      socket.terminate()
    },
    () => resolve(false),
  )
  const answer = await promise
  clearTimeout(timer)
  return answer
}
