import { describe, expect, test } from 'bun:test'

import { proxyBefore, wayTo } from './proxies.ts'

const secure = { host: 'api.example.com', isSecure: true }
const plain = { host: 'models.example.com', isSecure: false }

describe('a proxy of the environment', () => {
  const environment = {
    HTTPS_PROXY: 'http://someone:word@proxy.example.com:3128',
    http_proxy: 'http://other.example.com',
  }

  test('stands before what is far', () => {
    const origin = { host: 'proxy.example.com', port: 3128, isSecure: false }
    expect(proxyBefore(secure, environment)).toEqual(origin)
    expect(proxyBefore(plain, environment)?.host).toBe('other.example.com')
    expect(proxyBefore(plain, { ALL_PROXY: 'http://any.example.com' })?.host).toBe(
      'any.example.com',
    )
    expect(wayTo(secure.host)).toEqual({})
  })

  test('is none where none is named, and where what is named is no URL', () => {
    expect(proxyBefore(secure, {})).toBeUndefined()
    expect(proxyBefore(secure, { https_proxy: '', HTTPS_PROXY: 'proxy' })).toBeUndefined()
    expect(proxyBefore(plain, { HTTPS_PROXY: environment.HTTPS_PROXY })).toBeUndefined()
  })

  test.each(['localhost', 'models.localhost', '127.0.0.1', '127.8.9.1', '::1', '0.0.0.0', '::'])(
    'is left out on the way to this machine as %s',
    (host) => {
      expect(wayTo(host)).toEqual({ proxy: false })
      expect(proxyBefore({ host, isSecure: false }, environment)).toBeUndefined()
    },
  )
})
