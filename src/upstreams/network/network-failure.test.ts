import { expect, test } from 'bun:test'

import { GatewayError } from '#chat/error.ts'

import { networkFailure } from './network-failure.ts'
import { BodyTooLong } from './read-limited.ts'

const { signal } = new AbortController()
const asking = { upstream: 'up', signal, hasBegun: false }
const coded = (code: string) =>
  Object.assign(new TypeError(`${code} at http://secret-host/`), { code })

test.each([
  ['ECONNREFUSED', 'upstream-unreachable', 'the connection was refused'],
  ['ENOTFOUND', 'upstream-unreachable', 'its host name is not known'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'upstream-unreachable', 'its certificate was not accepted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'upstream-unreachable', 'its certificate was not accepted'],
  ['SOMETHING_NEW', 'upstream-unreachable', 'the connection failed'],
  ['InvalidHTTPResponse', 'upstream-failed', 'not HTTP'],
  ['Malformed_HTTP_Response', 'upstream-failed', 'not HTTP'],
  ['InvalidContentLength', 'upstream-failed', 'not HTTP'],
  ['UnsupportedTransferEncoding', 'upstream-failed', 'not HTTP'],
  ['UnrequestedUpgrade', 'upstream-failed', 'not HTTP'],
])('%s is told as %s: %s', (code, expected, words) => {
  const failure = networkFailure(coded(code), asking)
  expect(failure).toMatchObject({ code: expected, message: expect.stringContaining(words) })
  expect(failure).not.toHaveProperty('message', expect.stringContaining('secret-host'))
})

test('a failure after the answer has begun is a broken answer', () => {
  expect(networkFailure(coded('ECONNRESET'), { ...asking, hasBegun: true })).toMatchObject({
    code: 'upstream-lost',
  })
})

test('whoever aborted says why', () => {
  const gone = new GatewayError('client-gone', 'The caller left.')
  const aborted = { ...asking, signal: AbortSignal.abort(gone) }
  expect(networkFailure(new DOMException('aborted', 'AbortError'), aborted)).toBe(gone)
})

test('an answer beyond all measure is a failure of the upstream', () => {
  const failure = networkFailure(new BodyTooLong('The body is over 3 bytes.'), asking)
  expect(failure).toMatchObject({ code: 'upstream-failed' })
})

test('a bug of ours stays one', () => {
  const bug = new RangeError('ours')
  expect(networkFailure(bug, { ...asking, hasBegun: true })).toBe(bug)
})
