import { describe, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:net'

import { GatewayError } from '#chat/error.ts'

import { ReachGuard } from './reach-guard.ts'
import { isReachable, type Origin, originOf } from './reachable.ts'

/** A listener that accepts and then says nothing, not even in a handshake. */
async function silent(): Promise<Disposable & { readonly origin: Origin }> {
  const server: Server = createServer(() => {})
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    origin: { host: '127.0.0.1', port, isSecure: false },
    [Symbol.dispose]: () => server.close(),
  }
}

const nowhere: Origin = { host: '127.0.0.1', port: 1, isSecure: false }

/** What a guard made of an answer that never comes. */
function watched(origin: Origin, proxy?: Origin) {
  const failed = Promise.withResolvers<GatewayError>()
  const guard = new ReachGuard({ upstream: 'up', origin, proxy, quietMs: 1, lookMs: 100 })
  const head = Promise.withResolvers<string>()
  const over = guard.over({ fail: (reason) => failed.resolve(reason) }, head.promise)
  return { guard, head, over, failed: failed.promise }
}

describe('an origin', () => {
  test('is read off a URL, with the usual ports', () => {
    expect(originOf('https://api.example.com/v1')).toEqual({
      host: 'api.example.com',
      port: 443,
      isSecure: true,
    })
    expect(originOf('http://[::1]:8000')).toEqual({ host: '::1', port: 8000, isSecure: false })
  })

  test('is within reach if it accepts, and if it shakes hands where it has to', async () => {
    using server = await silent()
    expect(await isReachable(server.origin, 5000)).toBe(true)
    expect(await isReachable({ ...server.origin, isSecure: true }, 50)).toBe(false)
    expect(await isReachable(nowhere, 5000)).toBe(false)
    expect(await isReachable({ ...nowhere, host: 'nobody.invalid' }, 5000)).toBe(false)
  })
})

describe('an answer that does not come', () => {
  test('is given up if there is nobody', async () => {
    const { failed, head, over } = watched(nowhere)
    const reason = await failed
    expect(reason).toBeInstanceOf(GatewayError)
    expect(reason.code).toBe('upstream-unreachable')
    head.resolve('too late')
    expect(await over).toBe('too late')
  })

  test('is waited for if somebody is there who thinks', async () => {
    using server = await silent()
    const { failed, head, over } = watched(server.origin)
    const first = await Promise.race([failed, Bun.sleep(300).then(() => 'still waiting')])
    expect(first).toBe('still waiting')
    head.resolve('an answer')
    expect(await over).toBe('an answer')
  })

  test('is waited for if only a proxy is there, by which it may come', async () => {
    using proxy = await silent()
    const { failed } = watched(nowhere, proxy.origin)
    const first = await Promise.race([failed, Bun.sleep(300).then(() => 'still waiting')])
    expect(first).toBe('still waiting')
    expect((await watched(nowhere, nowhere).failed).code).toBe('upstream-unreachable')
  })
})
